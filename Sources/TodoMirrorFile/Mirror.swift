import System
import TodoDocument
import TodoModel

/// Keeps a list as a file that any editor may change.
///
/// What stands in the file is read, and asked of the store; what the store has then is written back.
/// Nothing that was typed is overwritten: a new text is *exchanged* with the file, and what was
/// swapped out is read once more, until nobody writes to it.
///
///     let mirror = try Mirror(path: path, list: list, ask: ask, say: say, today: { days.today })
///     while true {
///       try mirror.tick(at: .now)
///       wait(until: mirror.nextLook, or: mirror.watch.descriptor)
///     }
package final class Mirror {
  package typealias Instant = ContinuousClock.Instant
  package typealias Ask = (DocumentRequest) throws(TodoError) -> DocumentAnswer

  let paths: MirrorPaths
  let key: String
  let list: TodoListKey
  let ask: Ask
  let say: (String) -> Void
  private let today: () -> CivilDay
  package private(set) var watch: FolderWatch
  private var watchedFolder: String

  // What the store has, and what of it was written last.
  var contents = DocumentContents() {
    didSet { next = nil }
  }
  /// The next text of the file, kept because it is compared more often than it changes.
  var next: NextText?
  var printed: DocumentGeneration
  /// The entries that saves have removed: a line with their mark was cut, and pasted again.
  private var removed = RemovedLines()
  /// Whether anything was ever written.
  var isPrinted: Bool
  /// Whether the store may have changed.
  package var isListChanged = true

  // What stands in the file, and what stood there and may still be written to.
  var current: WatchedText?
  var asides: [WatchedText] = []
  var asideCount = 0
  /// Whether what an earlier mirror has left was looked for.
  private var isLeftTaken = false
  /// Whether what stands in the file was made from another store.
  var isOthers = false
  /// Whether what is in its place is not read, and so not written over either.
  var isUnusable = false
  /// Since when there is no file.
  var missingSince: Instant?
  /// Why the file is not kept: said once, until it is different or over.
  var trouble: String?
  /// When writing is tried again that did not work.
  var retryAt: Instant?
  /// What was written beside the file last.
  var writtenBeside: [UInt8]?
  /// Whether it was said that it is there, since the file was as it is to be.
  var isBesideTold = false
  var isKept = true
  /// Whether the file is open in an editor that another todo-server serves, and left to that one.
  package private(set) var isInEditor = false

  /// How often the file is looked at where the system tells nothing.
  private static let lookTime = Duration.seconds(1)
  private static let busyLookTime = Duration.milliseconds(20)
  static let retryTime = Duration.seconds(5)
  /// How long a file that is gone is left alone: many editors remove it for a moment.
  static let missingTime = Duration.seconds(1)
  /// The most texts that are looked at beside the file.
  static let asidesMax = 64

  /// Opens the document. Throws `busy` when another mirror keeps it, and `storage` for a file that
  /// is another list's, or no document.
  ///
  /// - Parameter today: Returns the day that dates such as `due:fri` count from.
  package init(
    path: String, list: TodoListKey, at now: Instant = .now, ask: @escaping Ask,
    say: @escaping (String) -> Void, today: @escaping () -> CivilDay
  ) throws(TodoError) {
    let paths = MirrorPaths(path)
    let key = paths.key
    (self.list, self.ask, self.say, self.paths, self.key) = (list, ask, say, paths, key)
    self.today = today
    watchedFolder = paths.folder
    watch = FolderWatch(folder: paths.folder)
    guard case .opened(let newest) = try ask(.open(path: key)),
      case .generation(let known) = try ask(.generation(newest, path: key))
    else { throw .storage("The store does not answer.") }
    printed = known ?? DocumentGeneration(number: newest)
    isPrinted = known != nil
    do throws(TodoError) {
      try check(isNew: known == nil)
    } catch {
      _ = try? ask(.close(path: key))
      throw error
    }
    takeLeft(at: now)
  }

  /// What was left in a folder that is not there yet is taken once it is.
  private func takeLeft(at now: Instant) {
    guard !isLeftTaken, let left = paths.left else { return }
    isLeftTaken = true
    for name in left.texts { unlink(name) }
    for name in left.asides {
      guard let file = HeldFile(path: name, isLinkFollowed: false) else { continue }
      setAside(file, taken: nil, name: name, at: now)
    }
  }

  /// Throws `storage` where a file cannot be the document.
  private func check(isNew: Bool) throws(TodoError) {
    let path = paths.target
    if let problem = problemOnTheWay { throw .storage(problem.message) }
    guard let file = HeldFile(path: path) else {
      let code = errno
      if code == ENOENT { return }
      throw .storage("\(unreadableText(code)) Choose a file.")
    }
    if let problem = problem(of: file) { throw .storage(problem.message) }
    guard let bytes = file.bytes(countMax: WatchedText.bytesMax) else {
      throw .storage(unreadableText(errno))
    }
    if bytes.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) { return }
    let document = Document(reading: bytes, on: today())
    if let heading = document.heading, heading.list != list {
      throw .storage(
        "\(path) is the list of \(heading.list.profile), \(heading.list.sourceWord). "
          + "Choose another file, or that list with --name and --source.")
    }
    try readList()
    if document.isOfAnotherStore(madeFrom: try generation(of: document), now: contents) {
      throw .storage(foreignText)
    }
    guard document.heading == nil, isNew else { return }
    throw .storage(
      "\(path) is not a list of todo-server, and is left alone. Choose another file; or, to have "
        + "its todos taken over, begin it with the line \(takingLine)")
  }

  /// What is said where another store's mirror keeps the file.
  private var foreignText: String {
    "\(paths.given) was written by a todo-server with another store, perhaps on another machine, "
      + "and is left alone. Let one of them keep the file; on the other machine it can be edited. "
      + "Or, to have its todos taken over here, begin it with the line \(takingLine)"
  }

  private var takingLine: String {
    "<!-- todo-server \(list.profile) \(list.sourceWord) 0 -->"
  }

  /// When to look again at the latest.
  package func nextLook(after now: Instant) -> Instant {
    let isBusy = isGrowing || asides.contains { !$0.isCalm(at: now) } || missingSince != nil
    return now + (isBusy ? Self.busyLookTime : Self.lookTime)
  }

  /// Whether somebody is about to write the file.
  private(set) var isGrowing = false

  /// Does what there is to do: reads what was saved, and writes what is new.
  package func tick(at now: Instant) throws(TodoError) {
    watch.take()
    guard try !isLeftToEditor() else { return }
    isGrowing = false
    takeLeft(at: now)
    try lookAtAsides(at: now)
    try lookAtFile(at: now)
    if isListChanged, try hasNews() { try readList() }
    guard !isGrowing, !isOthers, !isUnusable else { return }
    try write(at: now)
  }

  private func isLeftToEditor() throws(TodoError) -> Bool {
    guard case .borrowed(let isBorrowed) = try ask(.isBorrowed(path: key)) else { return false }
    guard isBorrowed != isInEditor else { return isBorrowed }
    if !isBorrowed, case .opened(let newest) = try ask(.open(path: key)),
      case .generation(let known?) = try ask(.generation(newest, path: key))
    {
      // The editor was given texts of its own meanwhile.
      (printed, isPrinted, isListChanged) = (known, true, true)
    }
    isInEditor = isBorrowed
    if isBorrowed { say("\(paths.given) is open in an editor, and is left to it.") }
    return isBorrowed
  }

  private func hasNews() throws(TodoError) -> Bool {
    isListChanged = false
    guard case .stamp(let stamp) = try askForNews(.stamp) else { return false }
    return stamp != contents.stamp || stamp.counts.isEmpty
  }

  func readList() throws(TodoError) {
    guard case .contents(let read) = try askForNews(.read(path: key)) else { return }
    contents = read
  }

  /// What is not answered is asked again before anything is written: what is known here is not what
  /// the store has.
  private func askForNews(_ request: DocumentRequest) throws(TodoError) -> DocumentAnswer {
    do throws(TodoError) {
      return try ask(request)
    } catch {
      isListChanged = true
      contents.stamp = DocumentStamp(counts: [])
      throw error
    }
  }

  // MARK: Reading

  private func lookAtFile(at now: Instant) throws(TodoError) {
    followFolder()
    isUnusable = false
    guard let file = HeldFile(path: paths.target) else {
      let code = errno
      letGo(at: now)
      if code != ENOENT { return leave(unreadableText(code)) }
      isOthers = false
      missingSince = missingSince ?? now
      return
    }
    missingSince = nil
    if current?.file.identity != file.identity { letGo(at: now) }
    if let problem = problemOnTheWay ?? problem(of: file) {
      // Not even as something that may still be written to.
      current = nil
      return leave(problem.message)
    }
    if current == nil { current = WatchedText(file, at: now) }
    switch current?.look(at: now, isWhole: Self.isWhole) {
    case .growing?: isGrowing = true
    case .text(let bytes, let extent)?:
      let taking = try take(bytes, extent)
      isOthers = taking == .others
      if isOthers { tell(foreignText) }
      if taking == .unreadable, !keepCopy(of: bytes) { return leave(notKeptText) }
      current?.take(bytes, extent)
    case .unreadable(let code)?: leave(unreadableText(code))
    case .unchanged?, nil: break
    }
  }

  private func lookAtAsides(at now: Instant) throws(TodoError) {
    for index in asides.indices.reversed() {
      switch asides[index].look(at: now, isWhole: Self.isWhole) {
      case .text(let bytes, let extent):
        guard try takeAside(bytes, extent, at: index) else { continue }
      case .growing: continue
      case .unreadable(let code):
        keepAside(at: index, because: code == EFBIG ? "has more than \(Self.bytesMaxText)" : nil)
        continue
      case .unchanged: break
      }
      guard asides[index].isQuiet(at: now) else { continue }
      if let bytes = asides[index].lastWord() {
        guard try takeAside(bytes, .left, at: index) else { continue }
      }
      if let name = asides[index].name, unlink(name) != 0, !MirrorPaths.isFolderThere(of: name) {
        // It may come back, with this file in it.
        continue
      }
      asides.remove(at: index)
    }
  }

  /// False where it was not taken: then it is kept beside the file, or tried again.
  private func takeAside(
    _ bytes: [UInt8], _ extent: WatchedText.Extent, at index: Int
  ) throws(TodoError) -> Bool {
    switch try take(bytes, extent) {
    case .others:
      keepAside(at: index, because: "was written by a todo-server with another store")
      return false
    case .unreadable where asides[index].name != nil:
      keepAside(at: index, because: "was not UTF-8")
      return false
    case .unreadable: guard keepCopy(of: bytes) else { return false }
    case .done: break
    }
    asides[index].take(bytes, extent)
    return true
  }

  func setAside(_ file: HeldFile, taken: [UInt8]?, name: String?, at now: Instant) {
    if let name, let problem = FileTrust.problem(ofFile: name, file.mode) {
      return say(problem.message)
    }
    asides.append(WatchedText(file, name: name, taken: taken, at: now))
  }

  private static func isWhole(_ bytes: [UInt8]) -> Bool { Document.hasEnd(bytes) }

  private enum Taking {
    case done
    /// It is another store's.
    case others
    /// Bytes that are not UTF-8 would be changed by being written back.
    case unreadable
  }

  /// Somebody has saved a text: the store is asked for what was done to it.
  private func take(
    _ all: [UInt8], _ extent: WatchedText.Extent
  ) throws(TodoError) -> Taking {
    let bytes = extent == .whole ? all : Array(Document.withoutHalfCharacter(all))
    guard Document.isReadable(bytes) else { return .unreadable }
    let day = today()
    let isUnfinished = extent == .begun
    var document =
      isUnfinished ? Document(unfinished: bytes, on: day) : Document(reading: bytes, on: day)
    let generation = try generation(of: document)
    if !isUnfinished, let generation, document.lacksTodos(of: generation) {
      document = Document(reading: bytes, on: day, known: Set(generation.lines.keys))
    }
    if isListChanged, try hasNews() { try readList() }
    if document.isOfAnotherStore(madeFrom: generation, now: contents) { return .others }
    let unmarked = generation.map { document.unmarkedLines(madeFrom: $0, now: contents) } ?? [:]
    let merge = DocumentMerge(
      document, madeFrom: generation, now: contents, path: key,
      isComplete: extent == .whole || extent == .mixed,
      isMixed: extent == .mixed, remembered: unmarked,
      removed: removed.removed(before: generation))
    guard !merge.save.changes.isEmpty else { return .done }
    guard case .saved(let report) = try ask(.save(merge.save)) else { return .done }
    if !report.isEmpty { try readList() }
    _ = removed.record(merge.save, contents)
    return .done
  }

  /// What a text was made from, where that is known.
  private func generation(of document: Document) throws(TodoError) -> DocumentGeneration? {
    guard let heading = document.heading, heading.list == list else { return nil }
    if heading.generation == printed.number { return printed }
    guard case .generation(let known) = try ask(.generation(heading.generation, path: key)) else {
      return nil
    }
    return known
  }

  /// A link may lead elsewhere by now.
  private func followFolder() {
    guard paths.folder != watchedFolder else { return }
    watchedFolder = paths.folder
    watch = FolderWatch(folder: watchedFolder)
  }

  func tell(_ text: String) {
    if trouble != text { say(text) }
    trouble = text
  }

  /// The file is as it is to be: what was told is over.
  func tellEnd() {
    if trouble != nil { say("\(paths.given) is kept again.") }
    (trouble, isBesideTold) = (nil, false)
  }
}

extension TodoListKey {
  var sourceWord: String { isLocal ? "local" : source }
}
