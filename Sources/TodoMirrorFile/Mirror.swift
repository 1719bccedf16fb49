import System
import TodoDocument
import TodoModel

/// A Markdown file that is kept equal to a list, and that any editor may change.
///
/// The mirror reads the file, applies its changes to the store, and writes the new contents back.
/// It never overwrites user edits: it *exchanges* the file with a new file in one step, and reads
/// the old file again until no program writes to the old file any more.
///
///     let mirror = try Mirror(path: path, list: list, ask: ask, report: report, today: today)
///     while true {
///       try mirror.tick(at: .now)
///       wait(until: mirror.nextPoll, or: mirror.watch.descriptor)
///     }
package final class Mirror {
  package typealias Instant = ContinuousClock.Instant
  package typealias Ask = (DocumentRequest) throws(TodoError) -> DocumentAnswer

  let paths: MirrorPaths
  let key: String
  let list: TodoListKey
  let ask: Ask
  let report: (String) -> Void
  let today: () -> CivilDay
  package private(set) var watch: FolderWatch
  private var watchedFolder: String

  // The contents of the store, and the generation (recorded version) that was written last.
  var contents = DocumentContents() {
    didSet { next = nil }
  }
  /// The format in which the user has saved the file. The mirror writes the file in this format.
  var format = FileFormat() {
    didSet { if format != oldValue { next = nil } }
  }
  /// A cache of the contents to write next, because polls are more frequent than changes.
  var next: NextText?
  var printed: DocumentGeneration
  /// The entries that saves have removed. A later save may contain them again, moved or restored.
  var removed = RemovedEntries()
  /// For each recorded version, the last save by an editor that had loaded this version.
  var history = SaveHistory()
  /// The save that the store has applied, until the list has been read again.
  var storedSave: StoredSave?
  /// Whether the store has recorded a version of the document. A version is recorded, then written.
  var isPrinted: Bool
  /// Whether the list may have changed since it was read.
  package var isListChanged = true

  // The file, and the files that it replaced, to which programs may still write.
  var current: WatchedFile?
  var replacedFiles: [WatchedFile] = []
  var replacedFileCount = 0
  /// Whether the files that a killed mirror left behind are already watched or deleted.
  private var didProcessLeftFiles = false
  /// Whether the file was written from another store.
  var belongsToOtherStore = false
  /// Whether the file must neither be read nor be overwritten.
  var isUnusable = false
  /// The time at which the file was first found to be missing; `nil` if it exists.
  var missingSince: Instant?
  /// The problem that was reported last, and is not reported again; `nil` after a recovery.
  var lastProblem: String?
  /// The reported lines that look like todos but are plain text.
  var reportedTexts = Set<String>()
  /// The time of the next attempt after a failed write.
  var retryAt: Instant?
  /// The contents that were last written to `paths.new`, a new file beside the mirrored file.
  var writtenBeside: [UInt8]?
  /// Whether a message has named the file `paths.new`; reset when the mirrored file is up to date.
  var isBesideReported = false
  var isKept = true
  /// Whether the file is open in an editor that another todo-server process serves. The mirror then
  /// neither reads nor writes the file.
  package private(set) var isOpenInEditor = false

  /// The poll interval while the file does not change. Events from the system end the wait earlier.
  private static let pollInterval = Duration.seconds(1)
  private static let busyPollInterval = Duration.milliseconds(20)
  static let retryTime = Duration.seconds(5)
  /// The time after which a missing file is created again: editors may delete it for a moment.
  static let missingTime = Duration.seconds(1)
  /// The maximum number of replaced files that are watched.
  static let replacedFilesMax = 64

  /// Opens the document, and checks the file.
  ///
  /// - Parameter today: Returns the current day, for dates such as `due:fri`.
  /// - Throws: `busy` if another mirror maintains the file; `storage` if the file cannot be used.
  package init(
    path: String, list: TodoListKey, at now: Instant = .now, ask: @escaping Ask,
    report: @escaping (String) -> Void, today: @escaping () -> CivilDay
  ) throws(TodoError) {
    let paths = MirrorPaths(path)
    let key = paths.key
    (self.list, self.ask, self.report, self.paths, self.key) = (list, ask, report, paths, key)
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
    processLeftFiles(at: now)
  }

  /// Watches the replaced files that a killed mirror has left behind, and deletes the new files
  /// that it had not finished. Does nothing while the folder of the files does not exist.
  private func processLeftFiles(at now: Instant) {
    guard !didProcessLeftFiles, let left = paths.left else { return }
    didProcessLeftFiles = true
    for name in left.texts { unlink(name) }
    for name in left.replacedFiles {
      guard let file = OpenFile(path: name, followsLinks: false) else { continue }
      setAside(file, appliedContents: nil, name: name, at: now)
    }
  }

  /// Checks whether the file can be the document. If `isNew`, a file with text must have a heading.
  ///
  /// - Throws: `storage` if the file cannot be the document, with the reason.
  private func check(isNew: Bool) throws(TodoError) {
    let path = paths.target
    if let problem = problemOnTheWay { throw .storage(problem.message) }
    guard let file = OpenFile(path: path) else {
      let code = errno
      if code == ENOENT { return }
      throw .storage("\(unreadableText(code)) Choose a file.")
    }
    if let problem = problem(of: file) { throw .storage(problem.message) }
    guard let bytes = file.bytes(countMax: WatchedFile.bytesMax) else {
      throw .storage(unreadableText(errno))
    }
    if bytes.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) { return }
    let heading = Document(reading: bytes, on: today()).heading
    if let heading, heading.list != list {
      throw .storage(
        "\(path) is the list of \(heading.list.profile), \(heading.list.sourceWord). "
          + "Choose another file, or that list with --name and --source.")
    }
    try readList()
    let document = Document(reading: bytes, on: today(), marks: contents.marks)
    if document.belongsToOtherStore(madeFrom: try generation(of: document), now: contents) {
      throw .storage(foreignText)
    }
    guard heading == nil, isNew else { return }
    throw .storage(
      "\(path) is not a list of todo-server, and is left alone. Choose another file; or, to have "
        + "its todos taken over, begin it with the line \(takingLine)")
  }

  /// The message for a file that was written by a todo-server with another store.
  private var foreignText: String {
    "\(paths.userPath) was written by a todo-server with another store, perhaps on another machine, "
      + "and is left alone. Let one of them keep the file; on the other machine it can be edited. "
      + "Or, to have its todos taken over here, begin it with the line \(takingLine)"
  }

  /// Returns the time at which the next poll must happen, unless an event requires an earlier one.
  package func nextPoll(after now: Instant) -> Instant {
    let isBusy = isGrowing || replacedFiles.contains { !$0.isIdle(at: now) } || missingSince != nil
    return now + (isBusy ? Self.busyPollInterval : Self.pollInterval)
  }

  /// Whether another program seems to be writing the file.
  private(set) var isGrowing = false

  /// Performs one poll: reads saved files, and writes new contents.
  package func tick(at now: Instant) throws(TodoError) {
    watch.drain()
    guard try !isLeftToEditor() else { return }
    isGrowing = false
    processLeftFiles(at: now)
    try pollReplacedFiles(at: now)
    try pollFile(at: now)
    if isListChanged, try hasChanges() { try readList() }
    guard !isGrowing, !belongsToOtherStore, !isUnusable else { return }
    try write(at: now)
  }

  private func isLeftToEditor() throws(TodoError) -> Bool {
    guard case .leased(let isLeased) = try ask(.isLeased(path: key)) else { return false }
    guard isLeased != isOpenInEditor else { return isLeased }
    if !isLeased, case .opened(let newest) = try ask(.open(path: key)),
      case .generation(let known?) = try ask(.generation(newest, path: key))
    {
      // The process that served the editor has recorded newer generations meanwhile.
      (printed, isPrinted, isListChanged) = (known, true, true)
    }
    isOpenInEditor = isLeased
    if isLeased { report("\(paths.userPath) is open in an editor, and is left to it.") }
    return isLeased
  }

  func hasChanges() throws(TodoError) -> Bool {
    isListChanged = false
    guard case .changeToken(let token) = try requestChanges(.changeToken) else { return false }
    return token != contents.changeToken || token.counts.isEmpty
  }

  func readList() throws(TodoError) {
    guard case .contents(let read) = try requestChanges(.read(path: key)) else { return }
    contents = read
    removed.forgetRestored(in: read)
    endSave()
  }

  /// Sends a request to the store. After a failure, the cached contents may be outdated, so the
  /// list is read again before anything is written.
  private func requestChanges(_ request: DocumentRequest) throws(TodoError) -> DocumentAnswer {
    do throws(TodoError) {
      return try ask(request)
    } catch {
      isListChanged = true
      contents.changeToken = ChangeToken(counts: [])
      throw error
    }
  }

  // MARK: Reading

  private func pollFile(at now: Instant) throws(TodoError) {
    followFolder()
    isUnusable = false
    guard let file = OpenFile(path: paths.target) else {
      let code = errno
      release(at: now)
      if code != ENOENT { return leave(unreadableText(code)) }
      belongsToOtherStore = false
      missingSince = missingSince ?? now
      return
    }
    missingSince = nil
    if current?.file.identity != file.identity { release(at: now) }
    if let problem = problemOnTheWay ?? problem(of: file) {
      // This file is not watched as a replaced file, either.
      current = nil
      return leave(problem.message)
    }
    if current == nil { current = WatchedFile(file, at: now) }
    switch current?.poll(at: now, isWhole: Self.isWhole) {
    case .growing?: isGrowing = true
    case .text(let bytes, let completeness)?:
      let taking = try process(bytes, completeness, isReplaced: false)
      belongsToOtherStore = taking == .foreign
      if belongsToOtherStore { reportProblem(foreignText) }
      if taking == .unreadable, !keepCopy(of: bytes) { return leave(copyFailedText) }
      if taking == .copyFailed { return leave(takeoverFailedText) }
      current?.process(bytes, completeness)
    case .unreadable(let code)?: leave(unreadableText(code))
    case .unchanged?, nil: break
    }
  }

  private func pollReplacedFiles(at now: Instant) throws(TodoError) {
    for index in replacedFiles.indices.reversed() {
      switch replacedFiles[index].poll(at: now, isWhole: Self.isWhole) {
      case .text(let bytes, let completeness):
        guard try applyReplacedFile(bytes, completeness, at: index) else { continue }
      case .growing: continue
      case .unreadable(let code):
        keepReplacedFile(
          at: index, because: code == EFBIG ? "has more than \(Self.bytesMaxText)" : nil)
        continue
      case .unchanged: break
      }
      guard replacedFiles[index].isStable(at: now) else { continue }
      if let bytes = replacedFiles[index].readFinalContents() {
        guard try applyReplacedFile(bytes, .left, at: index) else { continue }
      }
      if let name = replacedFiles[index].name, unlink(name) != 0,
        !MirrorPaths.isFolderThere(of: name)
      {
        // The folder may return with this file, such as on a removable disk.
        continue
      }
      replacedFiles.remove(at: index)
    }
  }

  /// Applies bytes written to a replaced file. Returns `false` if they could not be stored.
  private func applyReplacedFile(
    _ bytes: [UInt8], _ completeness: WatchedFile.Completeness, at index: Int
  ) throws(TodoError) -> Bool {
    switch try process(bytes, completeness, isReplaced: true) {
    case .foreign:
      keepReplacedFile(at: index, because: "was written by a todo-server with another store")
      return false
    case .unreadable where replacedFiles[index].name != nil:
      keepReplacedFile(at: index, because: "was not UTF-8")
      return false
    case .unreadable: guard keepCopy(of: bytes) else { return false }
    case .copyFailed: return false
    case .done: break
    }
    replacedFiles[index].process(bytes, completeness)
    return true
  }

  func setAside(_ file: OpenFile, appliedContents: [UInt8]?, name: String?, at now: Instant) {
    if let name, let problem = FileTrust.problem(ofFile: name, file.mode) {
      return report(problem.message)
    }
    replacedFiles.append(WatchedFile(file, name: name, appliedContents: appliedContents, at: now))
  }

  private static func isWhole(_ bytes: [UInt8]) -> Bool { Document.hasEnd(bytes) }

  /// Watches the new folder of the file after a symbolic link has changed.
  private func followFolder() {
    guard paths.folder != watchedFolder else { return }
    watchedFolder = paths.folder
    watch = FolderWatch(folder: watchedFolder)
  }
}
