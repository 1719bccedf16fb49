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

  func operation() -> TodoOperation
  /// What an operation that ended well has brought; nil for an outcome that is another's.
  func result(of outcome: TodoOutcome) -> Result?
}

extension Tool {
  static var needsSource: Bool { false }
}

/// What is answered: an object for programs, and a text for people and models without it.
protocol ToolResult: WrittenObject {
  var text: String { get }
  /// Which notes it has, in full or cut.
  var readings: [NoteReading] { get }
}

extension ToolResult {
  var readings: [NoteReading] { [] }
}

/// What a tool may change.
enum ToolEffect: Equatable {
  case reads
  case adds
  /// `isFinal`: calling it again with the same arguments changes nothing more.
  case changes(isFinal: Bool)
  /// Brings the list and its source on the network together.
  case syncs

  var annotations: JSON {
    switch self {
    case .reads: ["readOnlyHint": true, "openWorldHint": false]
    case .adds:
      [
        "readOnlyHint": false, "destructiveHint": false, "idempotentHint": false,
        "openWorldHint": false,
      ]
    case .changes(let isFinal):
      [
        "readOnlyHint": false, "destructiveHint": true, "idempotentHint": .bool(isFinal),
        "openWorldHint": false,
      ]
    case .syncs:
      [
        "readOnlyHint": false, "destructiveHint": false, "idempotentHint": true,
        "openWorldHint": true,
      ]
    }
  }
}

/// Every tool.
package enum Toolbox {
  static let all: [any Tool.Type] = [
    ListTodos.self, GetTodo.self, AddTodo.self, EditTodo.self, RemoveTodo.self, RestoreTodo.self,
    UndoChange.self, SyncList.self, ListConflicts.self,
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

  /// Reads the arguments of a tool. Throws `invalidParams` for what is wrong with them.
  static func read<Kind: Tool>(
    _ kind: Kind.Type, _ arguments: Params?
  ) throws(RPCError) -> any Tool {
    guard let arguments else { return try Kind(try Params(JSON.object([:]))) }
    let known = Kind.members.map(\.name)
    if let unknown = arguments.names.first(where: { !known.contains($0) }) {
      let expected = known.isEmpty ? "none" : known.joined(separator: ", ")
      throw arguments.invalid(
        RPCError.excerpt(of: unknown), "unknown argument; \(Kind.name) has \(expected)")
    }
    return try Kind(arguments)
  }
}
