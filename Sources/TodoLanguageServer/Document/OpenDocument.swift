import TodoDocument
import TodoModel

/// A document that is open in an editor, and how far it is with the store.
///
/// The buffer is the editor's: what is known of it is what the editor has said last. What was typed
/// is taken when it is saved. What is new in the list is offered as an edit of the newest version,
/// and whether that was applied is seen by the next change, by nothing else: the first line says
/// which generation the buffer was made from, and an edit changes it together with the lines.
///
///     while let request = document.next() { document.take(store.answer(request)) }
///     document.takePush()
struct OpenDocument: Sendable {
  let key: String
  let list: TodoListKey
  private(set) var version: Int64?
  private(set) var text: BufferText
  private(set) var heading: DocumentHeading?
  /// Whether the first line was ever that of the list.
  private(set) var wasOurs = false
  /// What the list has; nil until it was read.
  private(set) var contents: DocumentContents?
  /// Why the store did not do what it was asked for last.
  private(set) var problem: TodoError?
  private(set) var isClosed = false
  /// Whether the text was made from a list of the same name in another store. It is left alone.
  private(set) var isOfOtherStore = false
  /// Grows when something has come that is to be said of it. Typing is none.
  private(set) var changeCount = 1

  /// By lines of the text: what was taken there. See `ReadText`.
  private(set) var marks: [Int: LineMark] = [:]
  private var known = GenerationCache()
  private var saves: [ReadText] = []
  private var isBorrowed = false
  private var isListChanged = false
  private var isReadDue = false
  private var isPushDue = true
  /// What the store has done, before it is known what the list is by that.
  private var taken: TakenSave?
  private var step = Step.idle
  private var sent: [SentPush] = []
  private var push: SentPush?
  /// What was kept last, whether or not anybody has seen it.
  private var appended: DocumentGeneration?
  private var damage: Damage?

  /// How many texts that were saved can wait for the store. The newest takes the place of one.
  private static let savesMax = 16
  /// How many edits are remembered that may yet be applied.
  private static let sentMax = 32
  /// How long they may be together.
  private static let sentBytesMax = 64 << 20

  /// What the store was asked for, and is to be done with its answer.
  private enum Step: Sendable {
    case idle
    case borrowing, stamping, reading, givingBack
    case readingGeneration(Int64)
    case saving(TakenSave)
    case appending(DocumentGeneration)
  }

  /// An editor has applied an edit to a text that it was not made for.
  private struct Damage: Sendable {
    var text: BufferText
    /// What the person had typed before.
    var words: ReadText
  }

  init(_ text: BufferText, version: Int64?, key: String, list: TodoListKey) {
    (self.text, self.version, self.key, self.list) = (text, version, key, list)
    heading = ReadText.heading(of: text)
    wasOurs = isOurs
  }

  /// Whether the first line names the list.
  var isOurs: Bool { heading?.list == list }

  /// Whether something that was saved has still to be taken, or the file to be given back.
  var isBusy: Bool {
    if case .idle = step {
      problem == nil && (!saves.isEmpty || isClosed && isBorrowed)
    } else {
      true
    }
  }
  /// Whether it can be forgotten.
  var isEnded: Bool { isClosed && !isBusy }

  var current: ReadText { ReadText(text, marks: marks) }

  // MARK: What the editor says

  mutating func change(to new: BufferText, version: Int64?) {
    let old = text
    let oldHeading = heading
    let oldMarks = marks
    text = new
    self.version = version ?? self.version
    heading = ReadText.heading(of: new)
    if !marks.isEmpty, old != new {
      let moves = LineMoves(from: old, to: new)
      marks = marks.moved(by: moves)
    }
    let words = damage?.text == old ? damage?.words : nil
    damage = nil
    if heading != oldHeading { changeCount += 1 }
    if !sent.isEmpty {
      noteEdits(
        ReadText(old, marks: oldMarks), isOther: heading?.generation != oldHeading?.generation)
      if let words { damage?.words = words }
    }
    if !sent.isEmpty || isOurs != (oldHeading?.list == list) { isPushDue = true }
    wasOurs = wasOurs || isOurs
    problem = nil
  }

  mutating func save() {
    problem = nil
    guard isOurs, !isClosed else { return }
    let words = damage?.words ?? current
    keep(words)
  }

  private mutating func keep(_ words: ReadText) {
    if saves.count >= Self.savesMax { saves.removeLast() }
    saves.append(words)
  }

  /// The list may be another one by now.
  mutating func noteListChange() {
    isListChanged = true
    problem = nil
  }

  /// The list is another one, also where nothing counts it.
  mutating func noteDecision() { isReadDue = true }

  mutating func close() {
    isClosed = true
    problem = nil
  }

  /// Takes the file back into an editor before it was given back.
  mutating func forgetLease() { isBorrowed = false }

  // MARK: Generations

  /// Looks whether the change is an edit of ours, and whether it was applied to the text that it was
  /// made for.
  private mutating func noteEdits(_ old: ReadText, isOther: Bool) {
    guard old.text != text, let number = heading?.generation else { return }
    let indices = sent.indices.filter { sent[$0].number == number && !sent[$0].isSettled }
    if let index = indices.last(where: { sent[$0].expected == text }) {
      (sent[index].isApplied, sent[index].isSettled) = (true, true)
      return
    }
    if isOther, let index = indices.last {
      // Not what was to come of it. What is missing, nobody has deleted.
      let expected = ReadText(sent[index].expected).markedIDs
      known.withhold(number, expected.subtracting(ReadText(text).markedIDs))
    }
    for index in indices.reversed() where sent[index].source != old.text {
      guard old.text.replacing(sent[index].edits(movedTo: old.text)) == text else { continue }
      sent[index].isSettled = true
      damage = Damage(text: text, words: old)
      // Whatever becomes of the buffer: what was typed is in the list.
      keep(old.withoutRemovals)
      isPushDue = true
      return
    }
  }

  // MARK: What is asked of the store

  /// What is to be asked next; nil while something is asked, and when there is nothing.
  mutating func next() -> DocumentRequest? {
    guard case .idle = step, problem == nil else { return nil }
    if isClosed, saves.isEmpty {
      return isBorrowed ? ask(.giveBack(path: key), .givingBack) : nil
    }
    guard isOurs || !saves.isEmpty else { return nil }
    if !isBorrowed { return ask(.borrow(path: key), .borrowing) }
    if isListChanged {
      isListChanged = false
      return ask(.stamp, .stamping)
    }
    guard let contents, !isReadDue else { return ask(.read(path: key), .reading) }
    if let request = nextSave(contents) { return request }
    return nextPush(contents)
  }

  private mutating func ask(_ request: DocumentRequest, _ step: Step) -> DocumentRequest {
    self.step = step
    return request
  }

  private mutating func nextSave(_ contents: DocumentContents) -> DocumentRequest? {
    while let save = saves.first {
      let number = save.document.heading?.generation ?? 0
      guard let known = known[number] else {
        return ask(.generation(number, path: key), .readingGeneration(number))
      }
      if save.document.isOfAnotherStore(madeFrom: known.generation, now: contents) {
        noteOtherStore()
        saves.removeFirst()
        continue
      }
      let merge = save.merge(madeFrom: known.generation, now: contents, path: key)
      let taken = TakenSave(read: save, meanings: merge.meanings)
      guard merge.save.changes.isEmpty else { return ask(.save(merge.save), .saving(taken)) }
      end(taken, contents)
    }
    return nil
  }

  private mutating func nextPush(_ contents: DocumentContents) -> DocumentRequest? {
    guard isPushDue, isOurs, !isClosed else { return nil }
    let read = damage?.words ?? current
    let number = read.document.heading?.generation ?? 0
    guard let known = known[number] else {
      return ask(.generation(number, path: key), .readingGeneration(number))
    }
    isPushDue = false
    guard !read.document.isOfAnotherStore(madeFrom: known.generation, now: contents) else {
      noteOtherStore()
      return nil
    }
    isOfOtherStore = false
    let plan = PushPlan(read, known: known, contents: contents, path: key)
    if plan.isEmpty {
      if damage != nil { prepare(read.text, number: number) }
    } else if let appended, appended.hasSameLines(as: plan.generation) {
      let edits = plan.replacements(number: appended.number)
      prepare(read.text.replacing(edits), edits, number: appended.number)
    } else {
      return ask(.append(plan.generation, path: key), .appending(plan.generation))
    }
    return nil
  }

  private mutating func noteOtherStore() {
    if !isOfOtherStore { changeCount += 1 }
    isOfOtherStore = true
  }

  /// Offers a text in the place of the newest.
  private mutating func prepare(
    _ expected: BufferText, _ edits: [TextReplacement] = [], number: Int64
  ) {
    var edits = edits
    if damage != nil {
      let whole = 0..<text.bytes.count
      edits = TextReplacement(of: whole, in: text.bytes, with: expected.bytes).map { [$0] } ?? []
    }
    let isOffered = sent.contains { old in
      old.expected == expected && (old.version == version || old.isApplied && old.source == text)
    }
    // Who takes an edit back does not want it again.
    guard !isOffered, !edits.isEmpty else { return }
    let new = SentPush(
      version: version, number: number, source: text, expected: expected, edits: edits)
    sent.append(new)
    var byteCount = sent.reduce(0) { $0 + $1.source.bytes.count + $1.expected.bytes.count }
    while sent.count > Self.sentMax || sent.count > 1 && byteCount > Self.sentBytesMax {
      let old = sent.removeFirst()
      byteCount -= old.source.bytes.count + old.expected.bytes.count
    }
    push = new
  }

  /// The edit that is to be sent now.
  mutating func takePush() -> SentPush? {
    defer { push = nil }
    return push
  }

  // MARK: What the store answers

  mutating func take(_ result: Result<DocumentAnswer, TodoError>) {
    let step = step
    self.step = .idle
    switch (step, result) {
    case (.givingBack, _): isBorrowed = false
    case (_, .failure(let error)):
      problem = error
      changeCount += 1
      (isPushDue, isListChanged) = (true, true)
    case (.borrowing, .success): isBorrowed = true
    case (.readingGeneration(let number), .success(.generation(let generation))):
      known[number] = KnownText(generation)
    case (.stamping, .success(.stamp(let stamp))): isReadDue = isReadDue || stamp != contents?.stamp
    case (.reading, .success(.contents(let read))):
      contents = read
      changeCount += 1
      (isReadDue, isPushDue) = (false, true)
      if let taken { end(taken, read) }
    case (.saving(var save), .success(.saved(let report))):
      save.report = report
      (taken, isReadDue) = (save, true)
    case (.appending(var generation), .success(.appended(let number))):
      generation.number = number
      (appended, known[number]) = (generation, KnownText(generation))
      // What was typed meanwhile is looked at anew.
      isPushDue = true
    case (_, .success): break
    }
  }

  /// The first text that was saved is in the store.
  private mutating func end(_ save: TakenSave, _ contents: DocumentContents) {
    taken = nil
    if !saves.isEmpty { saves.removeFirst() }
    isPushDue = true
    changeCount += 1
    // Who saves is offered again what was taken back, or never applied.
    for index in sent.indices { (sent[index].isApplied, sent[index].version) = (false, nil) }
    let number = save.read.document.heading?.generation ?? 0
    known[number]?.note(save.read.document, save.meanings, save.report, contents)
    guard let names = known[number]?.names else { return }
    let marks = save.marks(names, contents)
    guard !marks.isEmpty else { return }
    saves = saves.map { later in
      let moved = marks.moved(by: LineMoves(from: save.read.text, to: later.text))
      return ReadText(later.text, marks: later.marks.merging(moved) { _, new in new })
    }
    let moved = marks.moved(by: LineMoves(from: save.read.text, to: text))
    self.marks.merge(moved) { _, new in new }
  }
}
