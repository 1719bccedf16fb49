import JSONRPC
import TodoModel
import TodoWire
import TodoWorkflows

/// A method that front-ends can call. The type declares its name, params, rules, command and
/// result.
protocol Method: DeclaredObject, Sendable {
  associatedtype Result: MethodResult
  static var name: String { get }
  /// The description of the method in the schema.
  static var purpose: String { get }
  static var rules: MethodRules { get }
  func command() -> RequestCommand
}

extension Method {
  static var rules: MethodRules { MethodRules() }
}

/// The effect that a parsed request has.
enum RequestCommand {
  case operation(TodoOperation)
  case screen(ScreenOperation)
  /// An operation. If the client has sent a token, it receives progress reports with the token.
  case reported(TodoOperation, progressToken: RequestID?)
  case initialize(Initialize)
  case shutdown
}

/// The conditions under which calls of a method start and end.
struct MethodRules: Sendable {
  /// Whether a call uses the session and its open list. If so, the call waits while another call
  /// changes the session or the list.
  var waitsForSession = false
  /// Whether a call changes the session or its open list. If so, later calls wait until this call
  /// has ended.
  var changesSession = false
  /// Whether the method is refused immediately while a login or a registration is in progress.
  var isRefusedDuringLogin = false
  /// Whether calls are cancelled when a signal or the end of the parent process ends the server.
  /// This is for methods that wait for the network or a password check.
  var endsWithSignal = false
  /// Whether the params can contain a password. If so, the params are overwritten after parsing.
  var hasSecrets = false
}

extension MethodRules {
  static let entersSession = MethodRules(
    waitsForSession: true, changesSession: true, isRefusedDuringLogin: true, endsWithSignal: true,
    hasSecrets: true)
  static let leavesList = MethodRules(waitsForSession: true, changesSession: true)
  static let inSession = MethodRules(waitsForSession: true)
}

/// All methods, in the order in which the response to `initialize` lists them.
package enum Methods {
  // Each entry is created from a concrete type, so that the compiler specializes its closures.
  static let all = [
    MethodEntry(Initialize.self), MethodEntry(Shutdown.self), MethodEntry(WorkflowRendering.self),
    MethodEntry(ScreenChange.self), MethodEntry(ScreenAct.self), MethodEntry(ScreenWindow.self),
    MethodEntry(Login.self), MethodEntry(Logout.self), MethodEntry(Register.self),
    MethodEntry(LoadTodos.self), MethodEntry(ListTodos.self), MethodEntry(GetTodo.self),
    MethodEntry(AddTodo.self), MethodEntry(EditTodo.self), MethodEntry(RemoveTodo.self),
    MethodEntry(MoveTodo.self), MethodEntry(ListRemoved.self), MethodEntry(RestoreTodo.self),
    MethodEntry(ForgetTodo.self), MethodEntry(ListDrafts.self), MethodEntry(DiscardDraft.self),
    MethodEntry(Undo.self), MethodEntry(Redo.self), MethodEntry(SyncTodos.self),
    MethodEntry(ListConflicts.self), MethodEntry(ResolveConflict.self),
    MethodEntry(ListLists.self), MethodEntry(OpenList.self),
    MethodEntry(WatchTodos.self),
  ]

  package static let names = all.map(\.name)

  /// Returns the method with the given name; `nil` if there is none.
  static func entry(named name: String) -> MethodEntry? {
    let count = name.utf8.count
    guard count < byLength.count else { return nil }
    return byLength[count].first { $0.name == name }
  }

  /// The methods, grouped by the length of their names in bytes. There are few names of each
  /// length, so comparing them takes half the time of hashing.
  private static let byLength: [[MethodEntry]] = {
    let countMax = names.map(\.utf8.count).max() ?? 0
    return (0...countMax).map { count in all.filter { $0.name.utf8.count == count } }
  }()
}

/// A method with closures that read its params and write its result.
package final class MethodEntry: Sendable {
  let type: any Method.Type
  let name: String
  let rules: MethodRules
  let read: @Sendable (Params) throws(RPCError) -> RequestCommand
  /// Writes the response for the outcome of a successful operation.
  let write: @Sendable (RequestID, TodoOutcome, ResponseContext, inout JSONWriter) -> Void
  let estimatedByteCount: @Sendable (TodoOutcome) -> Int

  init<Kind: Method>(_ method: Kind.Type) {
    type = method
    name = Kind.name
    rules = Kind.rules
    read = { (params) throws(RPCError) in try Kind(params).command() }
    write = { id, outcome, context, writer in
      guard let result = Kind.Result(outcome, at: context) else {
        let error = RPCError.internalError("\(Kind.name) has ended as another method does")
        return writer.response(id: id, error: error)
      }
      writer.response(id: id) { result.write(to: &$0) }
    }
    estimatedByteCount = { Kind.Result.estimatedByteCount(of: $0) }
  }
}
