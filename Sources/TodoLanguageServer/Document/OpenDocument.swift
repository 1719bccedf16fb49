import TodoDocument
import TodoModel

/// A document that is open in an editor, and how far it is with the store.
///
/// The buffer is the editor's: what is known of it is what the editor has said last. What was typed
/// is taken when it is saved. What is new in the list is offered as an edit of the newest version,
/// and whether that was applied is seen by the next change, by nothing else: the first line says
/// which generation the buffer was made from, and an edit changes it together with the lines.
///
///     while let request = document.next() { document.handle(store.answer(request)) }
///     document.nextPush()
struct OpenDocument: Sendable {
  let key: String
  let list: TodoListKey
  /// What positions are counted in, also in edits that were sent.
  private let encoding: PositionEncoding
  private(set) var version: Int64?
  private(set) var text: BufferText
  private(set) var heading: DocumentHeading?
  /// Whether the first line was ever that of the list.
  private(set) var wasManaged = false
  /// What the list has; nil until it was read.
  private(set) var contents: DocumentContents?
  /// Why the store did not do what it was asked for last.
  private(set) var problem: TodoError?
  private(set) var isClosed = false
  /// Whether the text was made from a list of the same name in another store. It is left alone.
  private(set) var belongsToOtherStore = false
  /// Grows when something has come that is to be said of it. Typing is none.
  private(set) var changeCount = 1

  /// What the person means the text to say.
  var meant: MeantText
  private var known = GenerationCache()
  /// The lines that were taken as they stand there, or did, by their todos.
  private var taken: [TodoID: TakenLine] = [:]
  private var saves: [SavedText] = []
  private var isLeased = false
  private var isListChanged = false
  private var isReadDue = false
  private var isPushDue = true
  /// What the store has done, before it is known what the list is by that.
  private var done: TakenSave?
  private var step = Step.idle
  private var sent: [SentPush] = []
  /// The last one, while the editor applies it one edit after the other.
  private var part: PartialPush?
  private var push: SentPush?
  /// What was kept last, whether or not anybody has seen it.
  private var appended: DocumentGeneration?
  private var turn: PushTurn
  private var retry = StoreRetry()

  /// The text that it was opened with, until it is known what of that was taken before.
  private var opened: SavedText?

  /// How many texts that were saved can wait for the store. The newest takes the place of one.
  private static let savesMax = 16

  /// What the store was asked for, and is to be done with its answer.
  private enum Step: Sendable {
    case idle
    case leasing, readingToken, reading, releasing
    case readingGeneration(Int64)
    case saving(TakenSave)
    case appending(DocumentGeneration)
  }

  init(
    _ text: BufferText, version: Int64?, key: String, list: TodoListKey, on today: CivilDay,
    encoding: PositionEncoding = .utf16, waitsForQuiet: Bool = false
  ) {
    turn = PushTurn(waitsForQuiet: waitsForQuiet)
    (self.text, self.version, self.key, self.list) = (text, version, key, list)
    (meant, self.encoding) = (MeantText(text, on: today), encoding)
    heading = ReadText.heading(of: text)
    wasManaged = isManaged
    if isManaged { opened = SavedText(meant.read) }
  }

  /// Whether the first line names the list.
  var isManaged: Bool { heading?.list == list }

  /// Whether something that was saved has still to be taken, or the file to be given back.
  var isBusy: Bool {
    if case .idle = step {
      problem == nil && (!saves.isEmpty || isClosed && isLeased)
    } else {
      true
    }
  }
  /// Whether it can be forgotten.
  var isEnded: Bool { isClosed && !isBusy }

  /// Whether `timePassed` is to be called after a while.
  var awaitsTime: Bool { !isClosed && (problem != nil || turn.awaitsQuiet && isManaged) }

  /// The buffer as it stands there.
  var current: ReadText {
    meant.isDisplaced || part != nil ? ReadText(text, on: meant.today) : meant.read
  }

  // MARK: What the editor says

  mutating func change(to new: BufferText, version: Int64?) {
    let (old, oldHeading) = (text, heading)
    text = new
    self.version = version ?? self.version
    heading = ReadText.heading(of: new)
    if old != new { follow(from: old, isOther: heading?.generation != oldHeading?.generation) }
    if heading != oldHeading { changeCount += 1 }
    if !sent.isEmpty || isManaged != (oldHeading?.list == list) { isPushDue = true }
    wasManaged = wasManaged || isManaged
    turn.textDidChange()
    problem = nil
  }

  mutating func save() {
    problem = nil
    guard isManaged, !isClosed else { return }
    endPart(at: text)
    turn.end()
    keep(meant.read)
  }

  private mutating func keep(_ read: ReadText) {
    if saves.count >= Self.savesMax { saves.removeLast() }
    saves.append(SavedText(read))
  }

  /// The list may be another one by now.
  mutating func listDidChange() { (isListChanged, problem) = (true, nil) }

  /// What was offered, and is not there, is wanted now.
  mutating func offerAgain() {
    sent.forgetOffers()
    turn.end()
    (isPushDue, problem) = (true, nil)
  }

  /// A while has gone by.
  mutating func timePassed() {
    turn.timePassed()
    if problem != nil, retry.timePassed() { problem = nil }
  }

  /// The list is another one, also where nothing counts it.
  mutating func recordDecision() { isReadDue = true }

  mutating func close() { (isClosed, problem) = (true, nil) }

  /// Takes the file back into an editor before it was given back.
  mutating func forgetLease() { isLeased = false }

  /// The client has answered an edit, and says whether it has applied it. That may not be so, but a
  /// change comes then.
  mutating func recordEditResponse(isLast: Bool, isApplied: Bool) {
    let isSeen = sent.last.map { $0.isSettled || $0.version != version } ?? true
    turn.recordResponse(isLast: isLast, isToBeSeen: isApplied && !isSeen)
  }

  // MARK: Edits that were sent

  /// Looks whether a change is an edit of ours, and whether it was applied to the text that it was
  /// made for. Everything else was typed.
  private mutating func follow(from old: BufferText, isOther: Bool) {
    if mergePart(part) { return }
    endPart(at: old)
    let number = heading?.generation
    let indices = sent.indices.filter { sent[$0].number == number && !sent[$0].isSettled }
    if let index = indices.last(where: { sent[$0].expected == text }) {
      return settle(index, from: old, giving: text)
    }
    for index in indices.reversed() where sent[index].source != old {
      let given = old.replacing(sent[index].edits(movedTo: old, encoding))
      if given == text { return settle(index, from: old, giving: given) }
    }
    if let last = sent.last, !last.isSettled,
      mergePart(PartialPush(last.edits(movedTo: old, encoding), from: old))
    {
      return
    }
    var old = old
    if isOther, let index = indices.last {
      // Whoever says nothing before typing ends applies an edit and types in one change.
      let given = old.replacing(sent[index].edits(movedTo: old, encoding))
      settle(index, from: old, giving: given)
      old = given
    }
    moveSaves(by: meant.type(from: old, to: text))
  }

  /// Whether one edit more of the last push has given the text.
  private mutating func mergePart(_ started: PartialPush?) -> Bool {
    guard let next = started?.next(giving: text) else { return false }
    part = next.isWhole ? nil : next
    if next.isWhole { settle(sent.count - 1, from: next.base, giving: text) }
    return true
  }

  /// What looked like a part of an edit was typed.
  private mutating func endPart(at text: BufferText) {
    guard let base = part?.base else { return }
    part = nil
    moveSaves(by: meant.type(from: base, to: text))
  }

  /// An edit was applied.
  private mutating func settle(_ index: Int, from old: BufferText, giving new: BufferText) {
    sent[index].isSettled = true
    turn.end()
    if sent[index].expected == new {
      sent[index].isApplied = true
      // Where something was typed since, they are of another text.
      let edits = sent[index].source == old ? sent[index].meantEdits : nil
      moveSaves(by: meant.apply(edits, giving: new))
    } else {
      // Whatever becomes of the buffer: what was typed is in the list.
      if !meant.isDisplaced { keep(meant.read.withoutRemovals) }
      meant.displace(sent[index].edits(movedTo: old, encoding))
      isPushDue = true
    }
  }

  private mutating func moveSaves(by moves: LineMoves) {
    for index in saves.indices { saves[index].move(by: moves) }
    opened?.move(by: moves)
  }

  // MARK: What is asked of the store

  /// What is to be asked next; nil while something is asked, and when there is nothing.
  mutating func next() -> DocumentRequest? {
    guard case .idle = step, problem == nil else { return nil }
    if isClosed, saves.isEmpty {
      return isLeased ? ask(.release(path: key), .releasing) : nil
    }
    guard isManaged || !saves.isEmpty else { return nil }
    if !isLeased { return ask(.lease(path: key), .leasing) }
    if isListChanged {
      isListChanged = false
      return ask(.changeToken, .readingToken)
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
    while let save = saves.first?.read {
      let number = save.document.heading?.generation ?? 0
      guard let known = known.use(number) else {
        return ask(.generation(number, path: key), .readingGeneration(number))
      }
      if save.document.belongsToOtherStore(madeFrom: known.generation, now: contents) {
        recordOtherStore()
        saves.removeFirst()
        continue
      }
      var merge = save.merge(madeFrom: known, now: contents, path: key)
      let taken = TakenSave(read: save, matches: merge.matches, wanted: merge.save)
      merge.save.later = sent.numbers(after: number)
      guard merge.save.changes.isEmpty else { return ask(.save(merge.save), .saving(taken)) }
      end(taken, contents)
    }
    return nil
  }

  private mutating func nextPush(_ contents: DocumentContents) -> DocumentRequest? {
    guard isPushDue, isManaged, !isClosed, turn.isOver, part == nil else { return nil }
    let read = meant.read
    let number = read.document.heading?.generation ?? 0
    guard let known = known.use(number) else {
      return ask(.generation(number, path: key), .readingGeneration(number))
    }
    isPushDue = false
    guard !read.document.belongsToOtherStore(madeFrom: known.generation, now: contents) else {
      recordOtherStore()
      return nil
    }
    belongsToOtherStore = false
    let plan = PushPlan(read, known: known, taken: taken, contents: contents, path: key)
    if plan.isEmpty {
      if meant.isDisplaced { prepare(read.text, number: number) }
    } else if let appended, appended.hasSameLines(as: plan.generation) {
      let edits = plan.replacements(number: appended.number)
      prepare(read.text.replacing(edits), edits, number: appended.number)
    } else {
      return ask(.append(plan.generation, path: key), .appending(plan.generation))
    }
    return nil
  }

  private mutating func recordOtherStore() {
    if !belongsToOtherStore { changeCount += 1 }
    belongsToOtherStore = true
  }

  /// Offers a text in the place of the newest.
  private mutating func prepare(
    _ expected: BufferText, _ edits: [TextReplacement] = [], number: Int64
  ) {
    let meantEdits = edits
    let edits = meant.isDisplaced ? LineDifference(text, expected).edits : edits
    let isOffered = sent.contains { old in
      old.expected == expected && (old.version == version || old.isApplied && old.source == text)
    }
    // Who takes an edit back does not want it again.
    guard !isOffered, !edits.isEmpty else { return }
    let new = SentPush(
      version: version, number: number, source: text, expected: expected, edits: edits,
      meantEdits: meantEdits)
    sent.record(new)
    push = new
    turn.begin()
  }

  /// The edit that is to be sent now.
  mutating func nextPush() -> SentPush? {
    defer { push = nil }
    return push
  }

  // MARK: What the store answers

  mutating func handle(_ result: Result<DocumentAnswer, TodoError>) {
    let step = step
    self.step = .idle
    switch (step, result) {
    case (.releasing, _): isLeased = false
    case (_, .failure(let error)):
      problem = error
      changeCount += 1
      (isPushDue, isListChanged) = (true, true)
    case (.leasing, .success): isLeased = true
    case (.readingGeneration(let number), .success(.generation(let generation))):
      known[number] = KnownText(generation)
      if let generation { adopt(generation) }
      opened = nil
    case (.readingToken, .success(.changeToken(let changeToken))):
      isReadDue = isReadDue || changeToken != contents?.changeToken
    case (.reading, .success(.contents(let read))):
      contents = read
      changeCount += 1
      (isReadDue, isPushDue) = (false, true)
      if let done { end(done, read) }
    case (.saving(var save), .success(.saved(let report))):
      save.report = report
      (done, isReadDue) = (save, true)
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
    done = nil
    let saved = saves.isEmpty ? nil : saves.removeFirst()
    isPushDue = true
    changeCount += 1
    // Who saves is offered again what was taken back, or never applied.
    sent.forgetOffers()
    known.record(save, contents)
    if let saved { mark(saved, as: save, contents) }
  }

  /// Takes over what a server that is gone has taken of the text, before its marks have come.
  private mutating func adopt(_ generation: DocumentGeneration) {
    guard let opened, let contents,
      opened.read.document.heading?.generation == generation.number, !generation.entries.isEmpty
    else { return }
    let save = TakenSave(before: opened.read, madeFrom: generation, now: contents, path: key)
    known[generation.number]?.adopt(save, contents)
    mark(opened, as: save, contents)
  }

  /// Marks the lines of a text that was taken, wherever they have come to.
  private mutating func mark(
    _ saved: SavedText, as save: TakenSave, _ contents: DocumentContents
  ) {
    let number = save.read.document.heading?.generation ?? 0
    guard let entries = known[number]?.entries else { return }
    taken.merge(save.lines(entries)) { _, new in new }
    let marks = save.marks(entries, contents)
    guard !marks.isEmpty else { return }
    for index in saves.indices {
      saves[index].merge(saved.moved(marks, to: saves[index]))
    }
    meant.merge(saved.current(marks))
  }
}
