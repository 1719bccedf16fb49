import TodoModel

@testable import TodoLanguageServer

/// An editor with a list in a buffer, and the server that it has started.
struct LanguageEditor {
  let name: String
  var manners: Manners
  let kind: Manners
  /// Whether it applies an edit only to the version that it is for. Otherwise it gets edits only on
  /// request.
  let checks: Bool
  /// Whether it answers edits at all.
  let answers: Bool
  /// Whether it says of every edit that it has applied it.
  let lies: Bool
  /// Whether it requests the marks of new lines before it saves.
  let requestsMarks: Bool
  /// Whether it reports edits to the server with a delay, as most editors do.
  let isLate: Bool
  private(set) var text: BufferText
  private(set) var version: Int64 = 1
  /// The text as the user has edited it.
  var buffer: DocumentBuffer
  private var isUnsaid = false
  /// The messages in transit, to the server and to the editor.
  var said: [Said] = []
  var offered: [(Int, ServerEdit)] = []
  var pushCount = 0

  var server: OpenDocument?
  var asked: DocumentRequest?
  var isNewsDue = false

  /// The ways in which an editor handles the server's edits.
  enum Manners: CaseIterable {
    /// Applies what is for its version, and refuses the rest.
    case checks
    /// Applies what is for its version when it likes to, else nothing.
    case forgets
    /// Applies what its user requests.
    case requests
    /// The same, and says so edit by edit.
    case requestsInPieces
  }

  enum Said {
    case change(BufferText, Int64)
    case save
    case answer(Int, isApplied: Bool)
  }

  init(
    _ name: String, text: BufferText, checks: Bool, plainLinesMore: Int,
    _ random: inout SeededRandom
  ) {
    (self.name, self.text) = (name, text)
    buffer = DocumentBuffer(
      String(decoding: text.bytes, as: UTF8.self), plainLinesMore: plainLinesMore)
    self.checks = checks
    let kinds: [Manners] = checks ? [.checks, .forgets] : [.requests, .requestsInPieces]
    manners = random.pick(kinds) ?? .checks
    kind = manners
    answers = random.happens(percent: 80)
    lies = random.happens(percent: 20)
    isLate = random.happens(percent: 30)
    requestsMarks = random.flag()
  }

  var string: String { String(decoding: text.bytes, as: UTF8.self) }

  /// Whether nothing is on its way and nothing left to be done.
  var isQuiet: Bool {
    var server = server
    return said.isEmpty && offered.isEmpty && !isUnsaid && !isNewsDue && asked == nil
      && server?.awaitsTime == false && server?.next() == nil && server?.nextEdit() == nil
      && (checks || server?.requestedEdit == nil)
  }

  /// Starts a new server. The state of the last one is lost.
  mutating func connect(_ open: (BufferText, Int64) -> OpenDocument) {
    server = open(text, version)
    (said, offered, asked, isUnsaid, isNewsDue) = ([], [], nil, false, false)
  }

  mutating func become(_ new: BufferText) {
    guard new != text else { return }
    text = new
    version += 1
    isUnsaid = true
    if !isLate { flush() }
  }

  mutating func flush() {
    guard isUnsaid else { return }
    isUnsaid = false
    said.append(.change(text, version))
  }

  mutating func save() {
    flush()
    said.append(.save)
  }

  /// Applies an edit that the server has sent.
  ///
  /// - Returns: Whether it has changed the text.
  mutating func apply(_ edit: ServerEdit, _ number: Int) -> Bool {
    let isRight = edit.version == version && (manners != .forgets || number % 3 > 0)
    if isRight { become(text.replacing(edit.edits)) }
    // Neovim says that it has applied what it has refused.
    if answers { said.append(.answer(number, isApplied: isRight || lies)) }
    return isRight
  }

  /// The edit that the user can request: only while nothing is on its way to the server.
  var requestedEdit: ServerEdit? { said.isEmpty && !isUnsaid ? server?.requestedEdit : nil }

  /// Applies an edit that the user has requested. The user types nothing meanwhile.
  mutating func applyRequested(_ edit: ServerEdit) {
    guard manners == .requestsInPieces else { return become(text.replacing(edit.edits)) }
    for edit in edit.edits.reversed() { become(text.replacing([edit])) }
  }
}
