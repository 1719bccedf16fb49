import JSONRPC
import TodoModel
import TodoWire
import TodoWorkflows

/// A tool that an assistant can call: its name and description, arguments, operation and result.
protocol Tool: DeclaredObject, Sendable {
  associatedtype Result: ToolResult
  static var name: String { get }
  static var title: String { get }
  /// The description for the model: what the tool does, and what to know before a call.
  static var summary: String { get }
  static var effect: ToolEffect { get }
  /// Whether the tool is offered only if the list has a source on the network.
  static var needsSource: Bool { get }
  /// Whether the tool is offered only in a session with several lists.
  static var needsSeveralLists: Bool { get }
  /// The number of nested levels of objects that the schema of the result describes.
  static var resultDepth: Int { get }

  func operation() -> TodoOperation
  /// Returns the result for the outcome of the tool's operation, if it was successful; `nil` for
  /// the outcome of an operation of another kind.
  func result(of outcome: TodoOutcome) -> Result?
}

extension Tool {
  static var needsSource: Bool { false }
  static var needsSeveralLists: Bool { false }
  static var resultDepth: Int { 1 }
}

/// The result of a tool: an object for programs, and a text. The text is for users, and for models
/// that do not receive the object.
protocol ToolResult: WrittenObject {
  var text: String { get }
  /// The text for a client that also receives the object as structured content.
  var textWithStructuredContent: String { get }
  /// The notes that the result contains in full, not only their beginnings.
  var shownNotes: [ShownNote] { get }
}

extension ToolResult {
  var textWithStructuredContent: String { text }
  var shownNotes: [ShownNote] { [] }
}

/// The kind of changes that a tool makes.
enum ToolEffect: Equatable {
  case reads
  case adds
  /// Changes existing todos. If `isFinal`, repeating a call has no further effect.
  case changes(isFinal: Bool)
  /// Syncs the list with its source on the network.
  case syncs

  /// Returns the annotations of a tool.
  ///
  /// - Parameter isOpenWorld: Whether calls of the tool cause requests to the network, during the
  ///   call or soon after.
  func annotations(isOpenWorld: Bool) -> JSON {
    let open = JSON.bool(isOpenWorld)
    switch self {
    case .reads: return ["readOnlyHint": true, "openWorldHint": open]
    case .adds: return Self.hints(isDestructive: false, isIdempotent: false, open)
    case .changes(let isFinal): return Self.hints(isDestructive: true, isIdempotent: isFinal, open)
    // A sync sends removals and edits, too.
    case .syncs: return Self.hints(isDestructive: true, isIdempotent: true, true)
    }
  }

  private static func hints(isDestructive: Bool, isIdempotent: Bool, _ isOpenWorld: JSON) -> JSON {
    [
      "readOnlyHint": false, "destructiveHint": .bool(isDestructive),
      "idempotentHint": .bool(isIdempotent), "openWorldHint": isOpenWorld,
    ]
  }
}

/// The list of all tools.
package enum ToolRegistry {
  static let all: [any Tool.Type] = [
    ListTodos.self, GetTodo.self, AddTodo.self, EditTodo.self, RemoveTodo.self, RestoreTodo.self,
    UndoChange.self, SyncList.self, ListConflicts.self, SettleConflict.self, OpenList.self,
  ]

  package static let names = all.map { $0.name }

  /// Returns the tool with a name.
  ///
  /// - Throws: `invalidParams` if no offered tool has this name.
  static func kind(
    named name: String, _ options: ToolsOptions
  ) throws(RPCError) -> any Tool.Type {
    let offered = all.filter { options.offers($0) }
    guard let kind = offered.first(where: { $0.name == name }) else {
      let names = offered.map { $0.name }.joined(separator: ", ")
      throw .invalidParams("unknown tool \(RPCError.excerpt(of: name)): expected one of \(names)")
    }
    return kind
  }

  /// Reads the arguments of a tool, or an object within them.
  ///
  /// - Throws: `invalidParams` for an invalid value, and for an undeclared member.
  static func read<Object: DeclaredObject>(
    _ kind: Object.Type, _ arguments: Params?
  ) throws(RPCError) -> Object {
    guard let arguments else { return try Object(try Params(JSON.object([:]))) }
    let known = Object.members.map(\.name)
    if let unknown = arguments.names.first(where: { !known.contains($0) }) {
      throw arguments.invalid(
        RPCError.excerpt(of: unknown), "unknown; expected some of \(known.joined(separator: ", "))")
    }
    return try Object(arguments)
  }
}
