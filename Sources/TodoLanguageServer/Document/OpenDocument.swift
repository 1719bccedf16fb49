import TodoDocument
import TodoModel

/// A document that is open in an editor, and its state of synchronization with the store.
///
/// A save applies the user's edits to the list. Changes of the list are offered as edits of the
/// buffer, if the user has not changed the buffer since it was last opened, saved or edited by the
/// server. Each edit also replaces the first line, which names the generation of the buffer: a
/// recorded version of the document. Therefore, the next change of the buffer shows whether the
/// client applied the edit.
///
///     while let request = document.next() { document.handle(store.answer(request)) }
///     document.nextEdit()
struct OpenDocument: Sendable {
  let key: String
  let list: TodoListKey
  let unrequestedEdits: UnrequestedEdits
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
  /// Whether the text belongs to another store, which has a list of the same name. The server never
  /// edits such a text.
  var belongsToOtherStore = false
  /// Whether the list has changes that were not made in this buffer, and that the client gets only
  /// on request.
  var hasChanges = false
  /// A number that increases when diagnostics may have changed for a reason other than typing.
  var changeCount = 1

  /// The day from which relative dates in the document are resolved.
  private(set) var today: CivilDay
  /// The todos of saved lines, by the present line number. They are needed until the buffer
  /// contains the marks of the lines.
  private(set) var lineTodos: [Int: TodoID] = [:]
  /// Whether the user has changed the buffer since it was last opened, saved or edited by the
  /// server.
  private(set) var isEdited = false
  /// Whether lines missing from the buffer count as removed by the user. `false` after the client
  /// has applied an edit of the server to a text for which the edit was not planned. The edit, and
  /// not the user, may have removed the lines.
  private(set) var isComplete = true
  var known = GenerationCache()
  /// The line of each todo as it was last applied to the store.
  private(set) var appliedLines: [TodoID: AppliedLine] = [:]
  private(set) var saves: [SavedText] = []
  private(set) var isLeased = false
  private var isReadDue = false
  /// The list's newest change token that was reported since the last read began; `nil` if none was.
  private var newestToken: ChangeToken?
  var isEditDue = true
  /// The save that the store has applied, until the list has been read again.
  private var appliedSave: AppliedBuffer?
  private(set) var step = Step.idle
  /// The last edits offered, the newest last.
  var offers: [ServerEdit] = []
  /// Whether an edit was sent to the client, and the client has since neither refused the edit nor
  /// changed or saved the buffer.
  private(set) var isInFlight = false
  private var edit: ServerEdit?
  /// The generation (recorded version of the document) that was appended to the store last. The
  /// buffer shows an earlier generation until the client has applied the edit that leads to the
  /// appended generation.
  private(set) var appended: DocumentGeneration?
  private var retry = StoreRetry()
  /// The line that was changed last.
  private(set) var lastChangedLine: Int?
  /// The marks that the client requested before it last saved the buffer; `nil` if the client has
  /// requested no marks, or if none could be determined.
  var requestedMarks: RequestedMarks?
  /// The text of `didOpen`, and the mapping of its lines to those of the current text. They are
  /// used once, to find lines that an earlier server process has already applied; then `nil`.
  private var opened: (text: BufferText, moves: LineMapping)?

  /// The maximum number of saves that wait for the store. A further save replaces the newest
  /// waiting save.
  private static let savesMax = 16

  init(
    _ text: BufferText, version: Int64?, key: String, list: TodoListKey, on today: CivilDay,
    unrequestedEdits: UnrequestedEdits = .always
  ) {
    (self.text, self.version, self.key, self.list) = (text, version, key, list)
    (self.today, self.unrequestedEdits) = (today, unrequestedEdits)
    heading = ReadText.heading(of: text)
    wasManaged = isManaged
    if isManaged { opened = (text, LineMapping()) }
  }

  // MARK: Notifications

  /// Handles a change of the buffer, by the user or by an edit of the server.
  ///
  /// - Parameter moves: The new numbers of the lines; `nil` if only the texts are known.
  mutating func change(to new: BufferText, version: Int64?, by moves: LineMapping? = nil) {
    let (old, before) = (text, (heading, isManaged))
    text = new
    let moves = new == old ? nil : moves ?? LineMapping(from: old, to: new)
    recordChange(from: old, before, moves, version: version)
  }

  /// Applies the changes of a `didChange` notification.
  mutating func change(
    by changes: [BufferChange], _ encoding: PositionEncoding, version: Int64?
  ) {
    let before = (heading, isManaged)
    // The old text shows whether the client has applied an offer. Without an offer, the old text is
    // not kept, so that the `BufferEditor` is the only owner of the bytes and does not copy them.
    let old = offers.isEmpty ? nil : text
    var editor = BufferEditor(text, encoding)
    text = .empty
    for change in changes { editor.apply(change) }
    text = editor.close()
    let isChanged = old.map { $0 != text } ?? editor.hasChanges
    recordChange(from: old, before, isChanged ? editor.moves : nil, version: version)
  }

  /// Updates the state after a notification has set `text`.
  ///
  /// - Parameter moves: The new numbers of the lines; `nil` if the new text equals the old one.
  private mutating func recordChange(
    from old: BufferText?, _ before: (heading: DocumentHeading?, isManaged: Bool),
    _ moves: LineMapping?, version: Int64?
  ) {
    self.version = version ?? self.version
    heading = ReadText.heading(of: text)
    if let moves {
      lastChangedLine = moves.lastChangedLine
      follow(from: old, before.heading, moves)
    }
    if heading != before.heading || isManaged != before.isManaged { changeCount += 1 }
    if isManaged != before.isManaged { isEditDue = true }
    wasManaged = wasManaged || isManaged
    isInFlight = false
    problem = nil
  }

  mutating func save() {
    problem = nil
    guard isManaged, !isClosed else { return }
    (isEdited, isInFlight) = (false, false)
    forgetMarkedLines()
    if saves.count >= Self.savesMax { saves.removeLast() }
    saves.append(SavedText(current))
  }

  /// Removes from `lineTodos` the lines that contain their marks. If the user replaces such a line
  /// by a line without a mark, that line is a new todo.
  private mutating func forgetMarkedLines() {
    guard !lineTodos.isEmpty, let marks = contents?.marks else { return }
    lineTodos = lineTodos.filter { marks.range(of: $0.value, in: text.line($0.key)) == nil }
  }

  /// Records the change token of the list. If the contents have another token, the list is read
  /// again.
  mutating func listDidChange(to token: ChangeToken) { (newestToken, problem) = (token, nil) }

  /// Records marks that the store has reserved. Does nothing before the first read of the list,
  /// because that read will contain these marks.
  mutating func add(_ new: [ReservedMark]) {
    for reserved in new { contents?.marks.add(reserved.mark, of: reserved.id) }
  }

  /// Whether the document must handle a change token of the list (see `listDidChange(to:)`). `true`
  /// if the token is new to the document, or if the document's last request has failed. In the
  /// second case, the request is retried.
  func isAffected(by token: ChangeToken) -> Bool {
    problem != nil || token != newestToken ?? contents?.changeToken
  }

  /// Records that the change token of the list could not be determined. The list is read again at
  /// the next attempt.
  mutating func recordTokenFailure(_ error: TodoError) {
    (problem, isReadDue) = (error, true)
    changeCount += 1
  }

  /// Handles the end of a timer interval: retries after an error of the store.
  mutating func timePassed() { if problem != nil, retry.timePassed() { problem = nil } }

  mutating func dayBegan(_ today: CivilDay) { self.today = today }

  /// Records that the user has resolved a conflict. The list is then read again, even if its change
  /// token is the same.
  mutating func recordDecision() { isReadDue = true }

  mutating func close() { (isClosed, problem) = (true, nil) }

  /// Drops the lease without releasing it, because another buffer of the same file needs the lease.
  /// If saves wait for the store, keeps the lease.
  mutating func forgetLease() { if saves.isEmpty { isLeased = false } }

  // MARK: Changes of the buffer

  /// Records whether a change of the buffer was an edit of the server, and updates the line numbers
  /// of saved lines and of saves that wait for the store.
  private mutating func follow(
    from old: BufferText?, _ oldHeading: DocumentHeading?, _ moves: LineMapping
  ) {
    let number = heading?.generation
    let isOther = number != oldHeading?.generation
    guard let old, let index = offers.appliedIndex(giving: text, isOther ? number : nil) else {
      (isEdited, isComplete) = (true, isComplete || isOther)
      return moveLines(by: moves)
    }
    let offer = offers[index]
    // Whether the list, the saves and the offers are the same as when the edit was planned.
    // Otherwise, another edit may be needed.
    let isCurrent =
      index == offers.indices.last && offer.version != nil
      && offer.changeToken == contents?.changeToken
    // If undo or redo leads to this text again, that change does not count as an edit of the
    // server.
    offers.removeSubrange(...index)
    for index in saves.indices { saves[index].recordEdit(to: offer.number) }
    isEdited = offer.expected != text
    isComplete = !isEdited || offer.source == old
    isEditDue = isEditDue || isEdited || !isCurrent || hasChanges
    defer { forgetMarkedLines() }
    guard offer.source == old else { return moveLines(by: moves) }
    moveLines(by: LineMapping(offer.edits, in: old, to: offer.expected))
    // A client that debounces `didChange` sends an applied edit and typing as one change.
    if isEdited { moveLines(by: LineMapping(from: offer.expected, to: text)) }
  }

  private mutating func moveLines(by moves: LineMapping) {
    lineTodos = lineTodos.moved(by: moves)
    for index in saves.indices { saves[index].move(by: moves) }
    opened?.moves.append(moves)
  }

  // MARK: Edits in flight

  mutating func send(_ edit: ServerEdit) { (self.edit, isInFlight) = (edit, true) }

  /// Returns the edit to send now, and clears it; `nil` if there is none.
  mutating func nextEdit() -> ServerEdit? {
    defer { edit = nil }
    return edit
  }

  /// Handles the response to the last edit. An applied edit stays in flight until the buffer
  /// changes: many clients respond first, and send the change a moment later.
  mutating func recordEditResponse(isApplied: Bool) { if !isApplied { isInFlight = false } }

  // MARK: Store requests

  /// Returns the next store request; `nil` if a request is in progress, if the last one has failed
  /// and its retry is not due yet, or if no request is needed.
  mutating func next() -> DocumentRequest? {
    guard case .idle = step, problem == nil else { return nil }
    if isClosed, saves.isEmpty {
      return isLeased ? ask(.release(path: key), .releasing) : nil
    }
    guard isManaged || !saves.isEmpty else { return nil }
    if !isLeased { return ask(.lease(path: key), .leasing) }
    let isOutdated = newestToken.map { $0 != contents?.changeToken } ?? false
    guard let contents, !isReadDue, !isOutdated else {
      (isReadDue, newestToken) = (false, nil)
      return ask(.read(path: key), .reading)
    }
    if let request = nextSave(contents) { return request }
    return isClosed ? nil : nextOffer(contents)
  }

  mutating func ask(_ request: DocumentRequest, _ step: Step) -> DocumentRequest {
    self.step = step
    return request
  }

  private mutating func nextSave(_ contents: DocumentContents) -> DocumentRequest? {
    while let saved = saves.first {
      let read = saved.read.finding(contents.marks)
      let number = read.document.heading?.generation ?? 0
      guard let known = known.use(number) else { return readGeneration(number) }
      if read.document.belongsToOtherStore(madeFrom: known.generation, now: contents) {
        recordOtherStore()
        saves.removeFirst()
        continue
      }
      let save = read.finding(known.generation)
      var merge = save.merge(madeFrom: known, now: contents, path: key)
      let applied = AppliedBuffer(read: save, matches: merge.matches, requested: merge.save)
      merge.save.later = saved.later + offers.numbers(after: number)
      guard merge.save.changes.isEmpty else { return ask(.save(merge.save), .saving(applied)) }
      end(applied, contents)
    }
    return nil
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
      isEditDue = true
      if case .reading = step { isReadDue = true }
    case (.leasing, .success): isLeased = true
    case (.readingGeneration(let number), .success(.generation(let generation))):
      known[number] = BufferHistory(generation)
      if let generation { adopt(generation) }
      opened = nil
    case (.readingGeneration(let number), .success(.unnumberedAdditions(let entries))):
      known[number] = BufferHistory(nil)
      adopt(DocumentGeneration(number: number, entries: entries))
      opened = nil
    case (.reading, .success(.contents(let read))):
      contents = read
      known.record(read)
      changeCount += 1
      isEditDue = true
      if let appliedSave { end(appliedSave, read) }
    case (.saving(var save), .success(.saved(let report))):
      save.report = report
      (appliedSave, isReadDue) = (save, true)
    case (.appending(let plan), .success(.appended(let number))):
      var generation = plan.generation
      generation.number = number
      (appended, known[number]) = (generation, BufferHistory(generation))
      // If the user has typed or saved meanwhile, the edit is planned again.
      isEditDue = !saves.isEmpty || !isOfferAllowed || plan.text != text
      if !isEditDue { offer(plan, number: number) }
    case (_, .success): break
    }
  }

  /// Completes the oldest waiting save, which is in the store now.
  private mutating func end(_ save: AppliedBuffer, _ contents: DocumentContents) {
    appliedSave = nil
    let saved = saves.isEmpty ? nil : saves.removeFirst()
    isEditDue = true
    changeCount += 1
    // After a save, edits that were undone or never applied are offered again.
    offers.forgetVersions()
    known.record(save, contents)
    if let saved { mark(saved, as: save, contents) }
  }

  /// Finds the lines of the opened text that were saved before it was opened: lines that have no
  /// mark in the buffer yet, and lines that were removed. Does nothing unless the opened text names this generation (recorded version of the
  /// document).
  private mutating func adopt(_ generation: DocumentGeneration) {
    guard let opened, let contents,
      ReadText.heading(of: opened.text)?.generation == generation.number
    else { return }
    var saved = SavedText(ReadText(opened.text, on: today, marks: contents.marks))
    known[generation.number]?.forgetLines(missingFrom: saved.read.document, contents)
    guard
      !generation.entries.isEmpty
        || generation.number > 0 && saved.read.document.hasChangedLines(since: generation)
    else { return }
    saved.move(by: opened.moves)
    let save = AppliedBuffer(before: saved.read, madeFrom: generation, now: contents, path: key)
    known[generation.number]?.adopt(save.applied, contents)
    mark(saved, as: save, contents)
  }

  /// Records the lines of a saved text that the store has applied:
  /// - Adds the applied lines to `appliedLines`.
  /// - Adds the todos of the new and changed lines to `lineTodos`, by the line numbers of the
  ///   current text.
  /// - Adds the same todos to each waiting save, by the line numbers of the text of that save.
  private mutating func mark(
    _ saved: SavedText, as save: AppliedBuffer, _ contents: DocumentContents
  ) {
    let number = save.read.document.heading?.generation ?? 0
    guard let entries = known[number]?.entries else { return }
    appliedLines.merge(save.lines(entries)) { _, new in new }
    let todos = save.todos(entries, contents)
    guard !todos.isEmpty else { return }
    for index in saves.indices {
      saves[index].merge(saved.moved(todos, to: saves[index]))
    }
    lineTodos.merge(saved.current(todos)) { _, new in new }
  }
}
