import JSONRPC
import TodoModel
import TodoWire
import TodoWorkflows

/// Something that an assistant can do: what it is called, its arguments, what it asks for, and what
/// it is answered with.
protocol Tool: DeclaredObject, Sendable {
  associatedtype Result: ToolResult
  static var name: String { get }
  static var title: String { get }
  /// For the model: what it does, and what to know before.
  static var summary: String { get }
  static var effect: ToolEffect { get }
  /// Whether it is of use only where the list has a source on the network.
  static var needsSource: Bool { get }
  /// Whether it is of use only to a session with several lists.
  static var needsSeveralLists: Bool { get }
  /// The number of levels of objects that the schema of the result describes.
  static var resultDepth: Int { get }

  func operation() -> TodoOperation
  /// What an operation that ended well has brought; nil for an outcome that is another's.
  func result(of outcome: TodoOutcome) -> Result?
}

extension Tool {
  static var needsSource: Bool { false }
  static var needsSeveralLists: Bool { false }
  static var resultDepth: Int { 1 }
}

/// What is answered: an object for programs, and a text for people and models without it.
protocol ToolResult: WrittenObject {
  var text: String { get }
  /// The text for a client that also gets the structured content.
  var textBesideContent: String { get }
  /// The notes that it has whole.
  var shownNotes: [ShownNote] { get }
}

extension ToolResult {
  var textBesideContent: String { text }
  var shownNotes: [ShownNote] { [] }
}

/// What a tool may change.
enum ToolEffect: Equatable {
  case reads
  case adds
  /// `isFinal`: calling it again with the same arguments changes nothing more.
  case changes(isFinal: Bool)
  /// Brings the list and its source on the network together.
  case syncs

  /// The hints of a tool.
  ///
  /// - Parameter isOpenWorld: Whether its effects reach the network.
  func annotations(isOpenWorld: Bool) -> JSON {
    let open = JSON.bool(isOpenWorld)
    switch self {
    case .reads: return ["readOnlyHint": true, "openWorldHint": open]
    case .adds: return Self.hints(isDestructive: false, isIdempotent: false, open)
    case .changes(let isFinal): return Self.hints(isDestructive: true, isIdempotent: isFinal, open)
    // It sends removals and edits, too.
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

/// Every tool.
package enum ToolRegistry {
  static let all: [any Tool.Type] = [
    ListTodos.self, GetTodo.self, AddTodo.self, EditTodo.self, RemoveTodo.self, RestoreTodo.self,
    UndoChange.self, SyncList.self, ListConflicts.self, SettleConflict.self, OpenList.self,
  ]

  package static let names = all.map { $0.name }

  /// Reads a call of a tool. Throws `invalidParams` for a name that is not offered, and for
  /// arguments that are not the tool's.
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

  /// Reads the arguments of a tool, or an object in them. Throws `invalidParams` for a wrong
  /// value, and for a member that is not declared.
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
