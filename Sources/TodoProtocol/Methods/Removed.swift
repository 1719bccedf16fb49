import JSONRPC
import TodoModel
import TodoWire
import TodoWorkflows

/// The method `listRemoved`: returns the removed todos.
struct ListRemoved: Method {
  typealias Result = RemovedResult
  static let name = "listRemoved"
  static let purpose = "Lists the removed todos."
  static let rules = MethodRules.inSession

  var offset = 0
  var limit: Int?

  static let members: [Member<ListRemoved>] = [
    .optional("offset") { $0.offset = ($1 as Count).value },
    .optional("limit") { $0.limit = ($1 as Count).value },
  ]

  func command() -> RequestCommand {
    .operation(.list(.ask(.removed(offset: offset, limit: limit))))
  }
}

/// The method `restoreTodo`: restores a removed todo.
struct RestoreTodo: Method {
  typealias Result = ChangedTodo
  static let name = "restoreTodo"
  static let purpose = "Puts a removed todo back into the list."
  static let rules = MethodRules.inSession

  var id = TodoID("")

  static let members: [Member<RestoreTodo>] = [.required("id") { $0.id = $1 }]

  func command() -> RequestCommand { .operation(.list(.restore(id))) }
}

/// The method `forgetTodo`: deletes a removed todo permanently.
struct ForgetTodo: Method {
  typealias Result = RevisionResult
  static let name = "forgetTodo"
  static let purpose = "Deletes a removed todo permanently."
  static let rules = MethodRules.inSession

  var id = TodoID("")

  static let members: [Member<ForgetTodo>] = [.required("id") { $0.id = $1 }]

  func command() -> RequestCommand { .operation(.list(.forget(id))) }
}
