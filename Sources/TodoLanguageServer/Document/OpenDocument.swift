import TodoDocument
import TodoModel

/// A document that is open in an editor, and its state of synchronization with the store.
///
/// A save applies the user's edits to the list. Changes of the list are sent as edits of the newest
/// version of the buffer. The next change of the buffer shows whether the editor applied an edit:
/// each edit replaces the first line, which names the generation of the buffer, too.
///
///     while let request = document.next() { document.handle(store.answer(request)) }
///     document.nextPush()
struct OpenDocument: Sendable {
  let key: String
  let list: TodoListKey
  /// The unit of positions, including those in sent edits.
  private let encoding: PositionEncoding
  private(set) var version: Int64?
  private(set) var text: BufferText
  private(set) var heading: DocumentHeading?
  /// Whether the first line has named the list at any time since the document was opened.
  private(set) var wasManaged = false
  /// The list as last read; `nil` before the first read.
  private(set) var contents: DocumentContents?
  /// The error of the last store request; `nil` if it succeeded or may be retried now.
  private(set) var problem: TodoError?
  private(set) var isClosed = false
  /// Whether the text is of a list with this name in another store: it is never edited.
  private(set) var belongsToOtherStore = false
  /// A number that increases when diagnostics may have changed for a reason other than typing.
  private(set) var changeCount = 1

  /// The buffer as the user intended it.
  var intended: IntendedText
  private var known = GenerationCache()
  /// The line of each todo as it was last applied to the store.
  private var taken: [TodoID: AppliedLine] = [:]
  private var saves: [SavedText] = []
  private var isLeased = false
  private var isListChanged = false
  private var isReadDue = false
  private var isEditDue = true
  /// The save that the store has applied, until the list has been read again.
  private var done: AppliedBuffer?
  private var step = Step.idle
  private var sent: [SentEdit] = []
  /// The last sent edit, while the editor applies its replacements one by one.
  private var part: PartialEdit?
  private var push: SentEdit?
  /// The last generation appended to the store. The editor may not have applied the edit to it.
  private var appended: DocumentGeneration?
  private var turn: EditGate
  private var retry = StoreRetry()
  /// The text of `didOpen`, until the store has reported its lines that an earlier process applied.
  private var opened: SavedText?

  /// The maximum number of saves that wait for the store. A further save replaces the newest one.
  private static let savesMax = 16

  /// The request that the store is processing.
  private enum Step: Sendable {
    case idle
    case leasing, readingToken, reading, releasing
    case readingGeneration(Int64)
    case saving(AppliedBuffer)
    case appending(DocumentGeneration)
  }

  init(
    _ text: BufferText, version: Int64?, key: String, list: TodoListKey, on today: CivilDay,
    encoding: PositionEncoding = .utf16, debounces: Bool = false
  ) {
    turn = EditGate(debounces: debounces)
    (self.text, self.version, self.key, self.list) = (text, version, key, list)
    (intended, self.encoding) = (IntendedText(text, on: today), encoding)
    heading = ReadText.heading(of: text)
    wasManaged = isManaged
    if isManaged { opened = SavedText(intended.read) }
  }

  /// Whether the first line names the list.
  var isManaged: Bool { heading?.list == list }

  /// Whether a store request is in progress or due for a save or for the release of the lease.
  /// After an error, no request is due until the next attempt.
  var isBusy: Bool {
    if case .idle = step {
      problem == nil && (!saves.isEmpty || isClosed && isLeased)
    } else {
      true
    }
  }
  /// Whether the document can be dropped.
  var isEnded: Bool { isClosed && !isBusy }

  /// Whether the document needs the timer: `timePassed` must be called when the timer fires.
  var awaitsTime: Bool { !isClosed && (problem != nil || turn.isDebouncing && isManaged) }

  /// The text of the buffer: not the intended one during an edit, and after a misapplied edit.
  var current: ReadText {
    intended.isMisapplied || part != nil ? ReadText(text, on: intended.today) : intended.read
  }

  // MARK: Notifications

  mutating func change(to new: BufferText, version: Int64?) {
    let (old, oldHeading) = (text, heading)
    text = new
    self.version = version ?? self.version
    heading = ReadText.heading(of: new)
    if old != new { follow(from: old, isOther: heading?.generation != oldHeading?.generation) }
    if heading != oldHeading { changeCount += 1 }
    if !sent.isEmpty || isManaged != (oldHeading?.list == list) { isEditDue = true }
    wasManaged = wasManaged || isManaged
    turn.textDidChange()
    problem = nil
  }

  mutating func save() {
    problem = nil
    guard isManaged, !isClosed else { return }
    endPart(at: text)
    turn.end()
    keep(intended.read)
  }

  private mutating func keep(_ read: ReadText) {
    if saves.count >= Self.savesMax { saves.removeLast() }
    saves.append(SavedText(read))
  }

  /// Records that the list may have changed.
  mutating func listDidChange() { (isListChanged, problem) = (true, nil) }

  /// Allows edits to be sent again if the editor has not applied them.
  mutating func offerAgain() {
    sent.forgetOffers()
    turn.end()
    (isEditDue, problem) = (true, nil)
  }

  /// Handles the end of a timer interval: debounces edits, and retries after an error of the store.
  mutating func timePassed() {
    turn.timePassed()
    if problem != nil, retry.timePassed() { problem = nil }
  }

  /// Reads the list again after a conflict was resolved, even if its change token is the same.
  mutating func recordDecision() { isReadDue = true }

  mutating func close() { (isClosed, problem) = (true, nil) }

  /// Drops the lease without releasing it, because another buffer of the same file needs it.
  mutating func forgetLease() { isLeased = false }

  /// Handles the response to an edit, which may arrive before the change of the buffer.
  mutating func recordEditResponse(isLast: Bool, isApplied: Bool) {
    let isSeen = sent.last.map { $0.isSettled || $0.version != version } ?? true
    turn.recordResponse(isLast: isLast, awaitsDidChange: isApplied && !isSeen)
  }

  // MARK: Sent edits

  /// Handles a change of the buffer: typing, or an edit of the server, also to another text.
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
      mergePart(PartialEdit(last.edits(movedTo: old, encoding), from: old))
    {
      return
    }
    var old = old
    if isOther, let index = indices.last {
      // A client that debounces `didChange` sends an applied edit and typing as one change.
      let given = old.replacing(sent[index].edits(movedTo: old, encoding))
      settle(index, from: old, giving: given)
      old = given
    }
    moveSaves(by: intended.type(from: old, to: text))
  }

  /// Handles the new text as the result of one more replacement; returns `false` if it is not that.
  private mutating func mergePart(_ started: PartialEdit?) -> Bool {
    guard let next = started?.next(giving: text) else { return false }
    part = next.isWhole ? nil : next
    if next.isWhole { settle(sent.count - 1, from: next.base, giving: text) }
    return true
  }

  /// Handles as typing the changes that looked like the first replacements of an edit.
  private mutating func endPart(at text: BufferText) {
    guard let base = part?.base else { return }
    part = nil
    moveSaves(by: intended.type(from: base, to: text))
  }

  /// Records that an edit was applied to a text, which may be another one than it was made for.
  private mutating func settle(_ index: Int, from old: BufferText, giving new: BufferText) {
    sent[index].isSettled = true
    turn.end()
    if sent[index].expected == new {
      sent[index].isApplied = true
      // If the user has typed since the edit was made, its replacements do not fit the old text.
      let edits = sent[index].source == old ? sent[index].intendedEdits : nil
      moveSaves(by: intended.apply(edits, giving: new))
    } else {
      // The user's edits are saved now: the misapplied edit may overwrite them in the buffer.
      if !intended.isMisapplied { keep(intended.read.withoutRemovals) }
      intended.misapply(sent[index].edits(movedTo: old, encoding))
      isEditDue = true
    }
  }

  private mutating func moveSaves(by moves: LineMapping) {
    for index in saves.indices { saves[index].move(by: moves) }
    opened?.move(by: moves)
  }

  // MARK: Store requests

  /// Returns the next store request; `nil` if one is in progress or none is needed.
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
      let save = save.finding(known.generation)
      var merge = save.merge(madeFrom: known, now: contents, path: key)
      let taken = AppliedBuffer(read: save, matches: merge.matches, wanted: merge.save)
      merge.save.later = sent.numbers(after: number)
      guard merge.save.changes.isEmpty else { return ask(.save(merge.save), .saving(taken)) }
      end(taken, contents)
    }
    return nil
  }

  private mutating func nextPush(_ contents: DocumentContents) -> DocumentRequest? {
    guard isEditDue, isManaged, !isClosed, turn.isOver, part == nil else { return nil }
    let read = intended.read
    let number = read.document.heading?.generation ?? 0
    guard let known = known.use(number) else {
      return ask(.generation(number, path: key), .readingGeneration(number))
    }
    isEditDue = false
    guard !read.document.belongsToOtherStore(madeFrom: known.generation, now: contents) else {
      recordOtherStore()
      return nil
    }
    belongsToOtherStore = false
    let plan = EditPlan(read, known: known, taken: taken, contents: contents, path: key)
    if plan.isEmpty {
      if intended.isMisapplied { prepare(read.text, number: number) }
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

  /// Prepares the edit that turns the buffer into the expected text, unless it is already offered.
  private mutating func prepare(
    _ expected: BufferText, _ edits: [TextReplacement] = [], number: Int64
  ) {
    let intendedEdits = edits
    let edits = intended.isMisapplied ? LineDifference(text, expected).edits : edits
    let isOffered = sent.contains { old in
      old.expected == expected && (old.version == version || old.isApplied && old.source == text)
    }
    // An edit that the user has undone is not sent again.
    guard !isOffered, !edits.isEmpty else { return }
    let new = SentEdit(
      version: version, number: number, source: text, expected: expected, edits: edits,
      intendedEdits: intendedEdits)
    sent.record(new)
    push = new
    turn.begin()
  }

  /// Returns the edit to send now, and forgets it.
  mutating func nextPush() -> SentEdit? {
    defer { push = nil }
    return push
  }

  // MARK: Store responses

  mutating func handle(_ result: Result<DocumentAnswer, TodoError>) {
    let step = step
    self.step = .idle
    switch (step, result) {
    case (.releasing, _): isLeased = false
    case (_, .failure(let error)):
      problem = error
      changeCount += 1
      (isEditDue, isListChanged) = (true, true)
    case (.leasing, .success): isLeased = true
    case (.readingGeneration(let number), .success(.generation(let generation))):
      known[number] = BufferHistory(generation)
      if let generation { adopt(generation) }
      opened = nil
    case (.readingToken, .success(.changeToken(let token))):
      isReadDue = isReadDue || token != contents?.changeToken
    case (.reading, .success(.contents(let read))):
      contents = read
      changeCount += 1
      (isReadDue, isEditDue) = (false, true)
      if let done { end(done, read) }
    case (.saving(var save), .success(.saved(let report))):
      save.report = report
      (done, isReadDue) = (save, true)
    case (.appending(var generation), .success(.appended(let number))):
      generation.number = number
      (appended, known[number]) = (generation, BufferHistory(generation))
      // Plan again, because the user may have typed meanwhile.
      isEditDue = true
    case (_, .success): break
    }
  }

  /// Completes the oldest waiting save, which is in the store now.
  private mutating func end(_ save: AppliedBuffer, _ contents: DocumentContents) {
    done = nil
    let saved = saves.isEmpty ? nil : saves.removeFirst()
    isEditDue = true
    changeCount += 1
    // After a save, edits that were undone or never applied are sent again.
    sent.forgetOffers()
    known.record(save, contents)
    if let saved { mark(saved, as: save, contents) }
  }

  /// Finds lines that an earlier process has applied, and whose anchors are not in the buffer.
  private mutating func adopt(_ generation: DocumentGeneration) {
    guard let opened, let contents,
      opened.read.document.heading?.generation == generation.number, !generation.entries.isEmpty
    else { return }
    let save = AppliedBuffer(before: opened.read, madeFrom: generation, now: contents, path: key)
    known[generation.number]?.adopt(save.applied, contents)
    mark(opened, as: save, contents)
  }

  /// Assigns anchors to the lines of an applied text, at their current positions.
  private mutating func mark(
    _ saved: SavedText, as save: AppliedBuffer, _ contents: DocumentContents
  ) {
    let number = save.read.document.heading?.generation ?? 0
    guard let entries = known[number]?.entries else { return }
    taken.merge(save.lines(entries)) { _, new in new }
    let marks = save.marks(entries, contents)
    guard !marks.isEmpty else { return }
    for index in saves.indices {
      saves[index].merge(saved.moved(marks, to: saves[index]))
    }
    intended.merge(saved.current(marks))
  }
}
