import JSONRPC
import TodoModel
import TodoWire
import TodoWorkflows

/// The method `listTodos`: returns todos of the open list.
struct ListTodos: Method {
  typealias Result = TodoPageResult
  static let name = "listTodos"
  static let purpose = "Lists todos of the store."
  static let rules = MethodRules.inSession

  var query: String?
  var isDone: Bool?
  var sort = TodoSort()
  var offset = 0
  var limit: Int?
  var fields: Set<TodoField>?

  static let members: [Member<ListTodos>] = [
    .optional("limit") { $0.limit = ($1 as Count).value },
    .optional("fields") { $0.fields = ($1 as EnumValueSet<TodoField>).words },
    .optional("query") { $0.query = $1 },
    .optional("done") { $0.isDone = $1 },
    .optional("sort") { $0.sort = $1 },
    .optional("offset") { $0.offset = ($1 as Count).value },
  ]

  func command() -> RequestCommand {
    let query = TodoQuery(
      text: query, isDone: isDone, sort: sort, offset: offset, limit: limit, fields: fields)
    return .operation(.list(.page(query)))
  }
}

/// The method `getTodo`: returns a todo.
struct GetTodo: Method {
  typealias Result = FoundTodo
  static let name = "getTodo"
  static let purpose = "Reads a todo."
  static let rules = MethodRules.inSession

  var id = TodoID("")

  static let members: [Member<GetTodo>] = [.required("id") { $0.id = $1 }]

  func command() -> RequestCommand { .operation(.list(.ask(.todo(id)))) }
}

/// The method `addTodo`: adds a todo at the top of the open list.
struct AddTodo: Method, FieldMembersOwner {
  typealias Result = ChangedTodo
  static let name = "addTodo"
  static let purpose = "Adds a todo at the top of the list."
  static let rules = MethodRules.inSession

  var changes = FieldChanges()

  static let members: [Member<AddTodo>] = newFields

  func command() -> RequestCommand {
    .operation(checked { () throws(TodoError) in .add(try NewTodo(checking: changes)) })
  }
}

/// The method `editTodo`: changes fields of a todo. Fields that are not sent stay unchanged.
struct EditTodo: Method, FieldMembersOwner {
  typealias Result = ChangedTodo
  static let name = "editTodo"
  static let purpose = "Changes fields of a todo. Absent fields keep their values."
  static let rules = MethodRules.inSession

  var id = TodoID("")
  var changes = FieldChanges()
  var version: Int64?

  static let members: [Member<EditTodo>] =
    [.required("id") { $0.id = $1 }] + editedFields
    + [.optional("version") { $0.version = Int64($1 as Int) }]

  func command() -> RequestCommand {
    .operation(
      checked { () throws(TodoError) in
        .edit(id, try TodoEdit(checking: changes, expectedVersion: version))
      })
  }
}

/// The method `removeTodo`: removes a todo. The method `undo` can restore it.
struct RemoveTodo: Method {
  typealias Result = RevisionResult
  static let name = "removeTodo"
  static let purpose = "Removes a todo. `undo` restores it."
  static let rules = MethodRules.inSession

  var id = TodoID("")
  var version: Int64?

  static let members: [Member<RemoveTodo>] = [
    .required("id") { $0.id = $1 },
    .optional("version") { $0.version = Int64($1 as Int) },
  ]

  func command() -> RequestCommand {
    .operation(.list(.remove(id, expectedVersion: version)))
  }
}

/// The method `moveTodo`: moves a todo before or after another todo of its list.
struct MoveTodo: Method {
  typealias Result = ChangedTodo
  static let name = "moveTodo"
  static let purpose = "Moves a todo before or after another one of its list."
  static let rules = MethodRules.inSession

  var id = TodoID("")
  var before: TodoID?
  var after: TodoID?

  static let members: [Member<MoveTodo>] = [
    .required("id") { $0.id = $1 },
    .optional("before") { $0.before = $1 },
    .optional("after") { $0.after = $1 },
  ]

  func command() -> RequestCommand {
    switch (before, after) {
    case (let before?, nil): .operation(.list(.move(id, to: .before(before))))
    case (nil, let after?): .operation(.list(.move(id, to: .after(after))))
    case (nil, nil), (_?, _?):
      .operation(
        .invalid(TodoError(.validation, "Name the other todo in either \"before\" or \"after\".")))
    }
  }
}

/// The method `undo`: reverses the last local change in any of the user's lists.
struct Undo: Method {
  typealias Result = RestoredResult
  static let name = "undo"
  static let purpose = "Reverses the last change made here."
  static let rules = MethodRules.inSession
  static let members: [Member<Undo>] = []

  func command() -> RequestCommand { .operation(.list(.undo)) }
}

/// The method `redo`: repeats the change that was undone last.
struct Redo: Method {
  typealias Result = RestoredResult
  static let name = "redo"
  static let purpose = "Repeats the last change that was undone."
  static let rules = MethodRules.inSession
  static let members: [Member<Redo>] = []

  func command() -> RequestCommand { .operation(.list(.redo)) }
}

/// Returns the operation that `make` creates. If `make` throws, returns an operation that fails
/// with this error.
private func checked(_ make: () throws(TodoError) -> ListOperation) -> TodoOperation {
  do throws(TodoError) { return .list(try make()) } catch { return .invalid(error) }
}
