import TodoModel

@testable import TodoLanguageServer

/// An editor with a list in a buffer, and the server that it has started.
struct LanguageEditor {
  let name: String
  var editHandling: EditHandling
  let kind: EditHandling
  /// Whether the editor applies an edit only to the version that the edit is for. Otherwise it
  /// receives edits only when its user requests them.
  let checksVersions: Bool
  /// Whether the editor responds to edits at all.
  let answers: Bool
  /// Whether the editor reports each edit as applied, even if it has not applied it.
  let alwaysReportsApplied: Bool
  /// Whether the editor requests the anchors of new lines before it saves.
  let requestsAnchors: Bool
  /// Whether the editor reports changes of its text with a delay, as most editors do.
  let isLate: Bool
  private(set) var text: BufferText
  private(set) var version: Int64 = 1
  /// The text as the user has edited it.
  var buffer: DocumentBuffer
  private var hasUnsentChange = false
  /// The messages in transit to the server.
  var outgoing: [OutgoingMessage] = []
  /// The edits of the server in transit to the editor, with their numbers.
  var incomingEdits: [(Int, ServerEdit)] = []
  var pushCount = 0

  var server: OpenDocument?
  /// The marks that the server has reserved.
  var marks = MarkPool()
  var pendingRequest: DocumentRequest?
  var isListChangeDue = false
  /// The change token of the list, in transit to the server.
  var changeToken: ChangeToken?

  /// The ways in which an editor handles the server's edits.
  enum EditHandling: CaseIterable {
    /// Applies an edit for its current version, and refuses other edits.
    case checks
    /// Sometimes ignores an edit for its current version, and refuses other edits.
    case forgets
    /// Applies the edits that its user requests.
    case requests
    /// Like `requests`, but reports a change of the text for each part of an edit.
    case requestsInPieces
  }

  enum OutgoingMessage {
    case change(BufferText, Int64)
    case save
    case answer(Int, isApplied: Bool)
  }

  init(
    _ name: String, text: BufferText, checksVersions: Bool, plainLinesMore: Int,
    _ random: inout SeededRandom
  ) {
    (self.name, self.text) = (name, text)
    buffer = DocumentBuffer(
      String(decoding: text.bytes, as: UTF8.self), plainLinesMore: plainLinesMore)
    self.checksVersions = checksVersions
    let kinds: [EditHandling] =
      checksVersions ? [.checks, .forgets] : [.requests, .requestsInPieces]
    editHandling = random.pick(kinds) ?? .checks
    kind = editHandling
    answers = random.happens(percent: 80)
    alwaysReportsApplied = random.happens(percent: 20)
    isLate = random.happens(percent: 30)
    requestsAnchors = random.flag()
  }

  var string: String { String(decoding: text.bytes, as: UTF8.self) }

  /// Whether no message is in transit, and neither the editor nor the server has anything left to
  /// do.
  var isQuiet: Bool {
    var editor = self
    return outgoing.isEmpty && incomingEdits.isEmpty && !hasUnsentChange && !isListChangeDue
      && changeToken == nil && pendingRequest == nil
      && !awaitsTime && editor.nextRequest() == nil && editor.server?.nextEdit() == nil
      && (checksVersions || server?.requestedEdit == nil)
  }

  /// Starts a new server. The state of the previous one is lost.
  mutating func connect(_ open: (BufferText, Int64) -> OpenDocument) {
    (server, marks) = (open(text, version), MarkPool())
    (outgoing, incomingEdits, pendingRequest, changeToken) = ([], [], nil, nil)
    (hasUnsentChange, isListChangeDue) = (false, false)
  }

  // MARK: Requests of the server

  var awaitsTime: Bool { server?.awaitsTime == true || marks.awaitsTime }

  mutating func timePassed() {
    marks.timePassed()
    if server?.awaitsTime == true { server?.timePassed() }
  }

  mutating func nextRequest() -> DocumentRequest? {
    let reserving = requestsAnchors && server?.isLeased == true ? marks.next() : nil
    return reserving ?? server?.next()
  }

  mutating func handle(_ answer: Result<DocumentAnswer, TodoError>, to request: DocumentRequest) {
    if case .reserveMarks = request {
      server?.add(marks.handle(answer))
    } else {
      server?.handle(answer)
    }
  }

  mutating func editsBeforeSave(isAutomatic: Bool) -> [TextReplacement]? {
    server?.editsBeforeSave(isAutomatic: isAutomatic, from: &marks)
  }

  // MARK: Changes

  mutating func become(_ new: BufferText) {
    guard new != text else { return }
    text = new
    version += 1
    hasUnsentChange = true
    if !isLate { flush() }
  }

  mutating func flush() {
    guard hasUnsentChange else { return }
    hasUnsentChange = false
    outgoing.append(.change(text, version))
  }

  mutating func save() {
    flush()
    outgoing.append(.save)
  }

  /// Applies an edit that the server has sent, unless the editor refuses it.
  ///
  /// - Returns: Whether the edit was applied.
  mutating func apply(_ edit: ServerEdit, _ number: Int) -> Bool {
    let isRight = edit.version == version && (editHandling != .forgets || number % 3 > 0)
    if isRight { become(text.replacing(edit.edits)) }
    // Neovim reports an edit as applied even if it has refused the edit.
    if answers { outgoing.append(.answer(number, isApplied: isRight || alwaysReportsApplied)) }
    return isRight
  }

  /// The edit that the user can request; `nil` while messages to the server are in transit.
  var requestedEdit: ServerEdit? {
    outgoing.isEmpty && !hasUnsentChange ? server?.requestedEdit : nil
  }

  /// Applies an edit that the user has requested. The user does not type during this time.
  mutating func applyRequested(_ edit: ServerEdit) {
    guard editHandling == .requestsInPieces else { return become(text.replacing(edit.edits)) }
    for edit in edit.edits.reversed() { become(text.replacing([edit])) }
  }
}
