import JSONRPC
import TodoModel
import TodoWire
import TodoWorkflows

/// A request that a front-end can send: what it is called, its params, its rules, what it asks
/// for, and what it is answered with.
protocol Method: DeclaredObject, Sendable {
  associatedtype Result: MethodResult
  static var name: String { get }
  /// The description in the schema.
  static var purpose: String { get }
  static var rules: MethodRules { get }
  func meaning() -> MethodMeaning
}

extension Method {
  static var rules: MethodRules { MethodRules() }
}

/// What a request asks for.
enum MethodMeaning {
  case operation(TodoOperation)
  case screen(ScreenOperation)
  /// With the token of somebody who wants to be told how far it is.
  case reported(TodoOperation, progressToken: RequestID?)
  case initialize(Initialize)
  case shutdown
}

/// When a method may begin, and how it ends.
struct MethodRules: Sendable {
  /// Whether it refers to the session and its open list, and so waits for the end of a change of
  /// either.
  var waitsForSession = false
  /// Whether this is itself such a change, for which others wait.
  var changesSession = false
  /// While a login or a registration is under way, another one is refused at once.
  var isRefusedMeanwhile = false
  /// It waits for the network or for a password check, and is cancelled by a signal.
  var endsWithSignal = false
  /// Its params may have a password: they are overwritten when they have been read.
  var hasSecrets = false
}

extension MethodRules {
  static let entersSession = MethodRules(
    waitsForSession: true, changesSession: true, isRefusedMeanwhile: true, endsWithSignal: true,
    hasSecrets: true)
  static let leavesList = MethodRules(waitsForSession: true, changesSession: true)
  static let inSession = MethodRules(waitsForSession: true)
}

/// Every request that the server answers, in the order in which `initialize` names them.
package enum Methods {
  // Each is made of a type that is known here, so that its reader and its writer are specialized.
  static let all = [
    MethodEntry(Initialize.self), MethodEntry(Shutdown.self), MethodEntry(WorkflowRendering.self),
    MethodEntry(ScreenChange.self), MethodEntry(ScreenAct.self), MethodEntry(ScreenWindow.self),
    MethodEntry(Login.self), MethodEntry(Logout.self), MethodEntry(Register.self),
    MethodEntry(LoadTodos.self), MethodEntry(ListTodos.self), MethodEntry(GetTodo.self),
    MethodEntry(AddTodo.self), MethodEntry(EditTodo.self), MethodEntry(RemoveTodo.self),
    MethodEntry(MoveTodo.self), MethodEntry(ListRemoved.self), MethodEntry(RestoreTodo.self),
    MethodEntry(ForgetTodo.self),
    MethodEntry(Undo.self), MethodEntry(Redo.self), MethodEntry(SyncTodos.self),
    MethodEntry(ListConflicts.self), MethodEntry(ResolveConflict.self),
    MethodEntry(ListLists.self), MethodEntry(OpenList.self),
    MethodEntry(WatchTodos.self),
  ]

  package static let names = all.map(\.name)

  /// Nil: no method has this name.
  static func entry(named name: String) -> MethodEntry? {
    let count = name.utf8.count
    guard count < byLength.count else { return nil }
    return byLength[count].first { $0.name == name }
  }

  /// By the bytes of their names. A few names at most are of one length: comparing them takes
  /// half of what hashing takes.
  private static let byLength: [[MethodEntry]] = {
    let countMax = names.map(\.utf8.count).max() ?? 0
    return (0...countMax).map { count in all.filter { $0.name.utf8.count == count } }
  }()
}

/// A method as it is looked up.
package final class MethodEntry: Sendable {
  let type: any Method.Type
  let name: String
  let rules: MethodRules
  let read: @Sendable (Params) throws(RPCError) -> MethodMeaning
  /// Writes the response to an operation that has ended well.
  let write: @Sendable (RequestID, TodoOutcome, AnswerMoment, inout JSONWriter) -> Void
  let byteCountGuess: @Sendable (TodoOutcome) -> Int

  init<Kind: Method>(_ method: Kind.Type) {
    type = method
    name = Kind.name
    rules = Kind.rules
    read = { (params) throws(RPCError) in try Kind(params).meaning() }
    write = { id, outcome, moment, writer in
      guard let result = Kind.Result(outcome, at: moment) else {
        let error = RPCError.internalError("\(Kind.name) has ended as another method does")
        return writer.response(id: id, error: error)
      }
      writer.response(id: id) { result.write(to: &$0) }
    }
    byteCountGuess = { Kind.Result.byteCountGuess(of: $0) }
  }
}
