import JSONRPC
import ScreenModel
import TodoModel
import TodoWire
import TodoWorkflows

/// The result of `initialize`: the name, version and capabilities of the server.
struct InitializeResult: WrittenObject, MethodResult {
  static let protocolVersion = 1

  /// The version of the server program.
  var version: String

  static let sample = InitializeResult(version: "")

  init(version: String) { self.version = version }

  /// Always returns `nil`, because `initialize` has no operation.
  init?(_ outcome: TodoOutcome, at context: ResponseContext) { return nil }

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("protocolVersion", Self.protocolVersion)
    members.required("schemaVersion", ProtocolSchema.version)
    members.required("serverInfo", ServerInfo(version: version))
    members.required("capabilities", ServerCapabilities())
  }
}

private struct ServerInfo: WrittenObject {
  var version: String

  static let sample = ServerInfo(version: "")

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.constant("name", "todo-server")
    members.required("version", version)
  }
}

private struct ServerCapabilities: WrittenObject {
  static let definition: SchemaDefinition? = SchemaDefinition(
    "serverCapabilities", "What the server offers.")
  static let sample = ServerCapabilities()

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("methods", Methods.names)
    members.required("render", ServerRenderCapabilities())
  }
}

private struct ServerRenderCapabilities: WrittenObject {
  static let definition: SchemaDefinition? = SchemaDefinition(
    "serverRenderCapabilities", "The optional parts of renderings that the server can send.")
  static let sample = ServerRenderCapabilities()

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("patch", true)
    members.required("window", true)
    members.required("frontOnly", true)
    members.required("preview", true)
  }
}

// MARK: Screens

/// The result of a request whose effect is visible on the screens. It contains only the revision of
/// the screens.
struct RevisionResult: WrittenObject, MethodResult {
  var revision: Int64

  static let sample = RevisionResult(revision: 0)

  init(revision: Int64) { self.revision = revision }

  init(_ outcome: TodoOutcome, at context: ResponseContext) { revision = context.revision }

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("revision", revision)
  }
}

/// The result of `screen/act`: the effect of the action on the screens.
struct ActionResult: WrittenObject {
  var outcome: ScreenStackState.Outcome
  /// The new `base` of a form (the versions on which its texts are based), if the form stays open
  /// after a save; otherwise `nil`. The new base contains the version that the save has stored.
  ///
  /// The front-end sends the edits that the user made during the save with the new base. If this
  /// property is `nil`, these edits keep their old base.
  var base: String?
  var revision: Int64

  static let sample = ActionResult(outcome: .stays, base: "", revision: 0)

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.optional("base", base)
    members.required("outcome", outcome)
    members.required("revision", revision)
  }
}

extension ActionResult: MethodResult {
  init?(_ outcome: TodoOutcome, at context: ResponseContext) {
    if outcome == .needsDecision {
      self.init(outcome: .asks, revision: context.revision)
      return
    }
    guard case .acted(let place, let saved) = outcome else { return nil }
    self.init(
      outcome: place.outcome(showing: context.screens), base: saved?.text,
      revision: context.revision)
  }
}

extension ScreenStackState.Outcome: WrittenEnumValue {}

// MARK: Sessions

struct LoggedIn: WrittenObject {
  var name: String
  var revision: Int64

  static let sample = LoggedIn(name: "", revision: 0)

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("name", name)
    members.required("revision", revision)
  }
}

extension LoggedIn: MethodResult {
  init?(_ outcome: TodoOutcome, at context: ResponseContext) {
    guard case .loggedIn(let name) = outcome else { return nil }
    self.init(name: name, revision: context.revision)
  }
}

struct Registered: WrittenObject {
  var username: String
  var revision: Int64

  static let sample = Registered(username: "", revision: 0)

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("username", username)
    members.required("revision", revision)
  }
}

extension Registered: MethodResult {
  init?(_ outcome: TodoOutcome, at context: ResponseContext) {
    guard case .registered(let name) = outcome else { return nil }
    self.init(username: name, revision: context.revision)
  }
}

/// The result of `loadTodos`.
struct Loaded: WrittenObject {
  var total: Int
  var isComplete: Bool
  var source: String
  var revision: Int64

  static let sample = Loaded(total: 0, isComplete: true, source: "", revision: 0)

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("total", total)
    members.required("complete", isComplete)
    members.required("source", source)
    members.required("revision", revision)
  }
}

extension Loaded: MethodResult {
  init?(_ outcome: TodoOutcome, at context: ResponseContext) {
    guard case .loaded(let summary) = outcome else { return nil }
    self.init(
      total: summary.total, isComplete: summary.isComplete, source: summary.source,
      revision: context.revision)
  }
}

// MARK: Todos

/// The result of `listTodos`: a page of todos, and whether it was truncated.
struct TodoPageResult: WrittenObject {
  var page: TodoPage<Todo>
  var query: TodoQuery

  static let sample = TodoPageResult(
    page: TodoPage(elements: [], total: 0, offset: 0), query: TodoQuery())

  private var isTruncated: Bool {
    page.isTruncated || !query.isLimited && page.offset < page.total - page.elements.count
  }

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    let fields = query.fields.map { TodoFieldSet($0) }
    members.required(
      "todos", WrittenElements(page.elements) { SelectedTodo(todo: $0, fields: fields) })
    members.required("total", page.total)
    members.required("offset", page.offset)
    members.flag("truncated", isTruncated)
  }
}

extension TodoPageResult: MethodResult {
  init?(_ outcome: TodoOutcome, at context: ResponseContext) {
    guard case .page(let page, let query) = outcome else { return nil }
    self.init(page: page, query: query)
  }

  static func estimatedByteCount(of outcome: TodoOutcome) -> Int {
    guard case .page(let page, _) = outcome else { return 256 }
    return page.elements.reduce(256) { $0 + $1.estimatedByteCount }
  }
}

struct FoundTodo: WrittenObject {
  var todo: Todo

  static let sample = FoundTodo(todo: .sample)

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("todo", todo)
  }
}

extension FoundTodo: MethodResult {
  init?(_ outcome: TodoOutcome, at context: ResponseContext) {
    guard case .answered(.todo(let todo)) = outcome else { return nil }
    self.init(todo: todo)
  }

  static func estimatedByteCount(of outcome: TodoOutcome) -> Int {
    guard case .answered(.todo(let todo)) = outcome else { return 256 }
    return todo.estimatedByteCount
  }
}

struct ChangedTodo: WrittenObject {
  var todo: Todo
  var revision: Int64

  static let sample = ChangedTodo(todo: .sample, revision: 0)

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("todo", todo)
    members.required("revision", revision)
  }
}

extension ChangedTodo: MethodResult {
  init?(_ outcome: TodoOutcome, at context: ResponseContext) {
    guard case .changed(let todo) = outcome else { return nil }
    self.init(todo: todo, revision: context.revision)
  }

  static func estimatedByteCount(of outcome: TodoOutcome) -> Int {
    guard case .changed(let todo) = outcome else { return 256 }
    return todo.estimatedByteCount
  }
}

extension Todo {
  /// An estimate of the encoded size, in bytes.
  var estimatedByteCount: Int { 256 + content.estimatedByteCount }
}

extension NoResult: MethodResult {
  init(_ outcome: TodoOutcome, at context: ResponseContext) { self.init() }
}
