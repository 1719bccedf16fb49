import JSONRPC
import TodoModel
import TodoWire
import TodoWorkflows

/// `add_todo`: a new todo at the top.
struct AddTodo: Tool, FieldMembersOwner {
  static let name = "add_todo"
  static let title = "Add a todo"
  static let effect = ToolEffect.adds
  static let summary = "Adds a todo at the top of the list."

  var changes = FieldChanges()

  static let members: [Member<AddTodo>] = newFields

  func operation() -> TodoOperation {
    checked { () throws(TodoError) in .add(try TodoDraft(checking: changes)) }
  }

  func result(of outcome: TodoOutcome) -> ChangedTodo? { ChangedTodo("Added", outcome) }
}

/// `edit_todo`: what is absent stays as it is.
struct EditTodo: Tool, FieldMembersOwner {
  static let name = "edit_todo"
  static let title = "Edit a todo"
  static let effect = ToolEffect.changes(isFinal: true)
  static let summary = """
    Changes a todo; what is absent stays. version is the one that was read: if somebody has \
    changed the same since, nothing is saved, and the answer has base, mine and theirs.
    """

  var id = TodoID("")
  var version: Int64 = 0
  var changes = FieldChanges()

  /// Models send null for a field that should stay unchanged.
  static let nullRemovesValue = false

  static let members: [Member<EditTodo>] =
    [
      .required("id") { $0.id = $1 },
      .required("version") { $0.version = Int64($1 as Int) }
        .described("The version that the change is made from"),
    ] + editedFields

  func operation() -> TodoOperation {
    checked { () throws(TodoError) in
      .edit(id, try TodoEdit(checking: changes, expectedVersion: version))
    }
  }

  func result(of outcome: TodoOutcome) -> ChangedTodo? { ChangedTodo("Changed", outcome) }
}

/// `remove_todo`: `restore_todo` and `undo` bring it back.
struct RemoveTodo: Tool {
  static let name = "remove_todo"
  static let title = "Remove a todo"
  static let effect = ToolEffect.changes(isFinal: true)
  static let summary = """
    Removes one todo, after asking the user where the client can ask. version is the one that was \
    read; restore_todo with the same id brings the todo back.
    """

  var id = TodoID("")
  var version: Int64 = 0

  static let members: [Member<RemoveTodo>] = [
    .required("id") { $0.id = $1 },
    .required("version") { $0.version = Int64($1 as Int) },
  ]

  func operation() -> TodoOperation { .list(.remove(id, expectedVersion: version)) }

  func result(of outcome: TodoOutcome) -> RemovalResult? {
    guard case .removed(let id) = outcome else { return nil }
    return RemovalResult(id: id, version: version, isRemoved: true)
  }
}

/// `restore_todo`: restores a removed todo, also one that another program removed.
struct RestoreTodo: Tool {
  static let name = "restore_todo"
  static let title = "Restore a todo"
  static let effect = ToolEffect.adds
  static let summary = """
    Restores a removed todo, with its id, note and history, also one that another program removed, \
    for \(RemovedTodo.daysMax) days. If its source closed it, the next sync opens it there again.
    """

  var id = TodoID("")

  static let members: [Member<RestoreTodo>] = [.required("id") { $0.id = $1 }]

  func operation() -> TodoOperation { .list(.restore(id)) }

  func result(of outcome: TodoOutcome) -> ChangedTodo? { ChangedTodo("Restored", outcome) }
}

/// `undo`: takes back what this program did to a todo.
struct UndoChange: Tool {
  static let name = "undo"
  static let title = "Undo a change"
  static let effect = ToolEffect.changes(isFinal: false)
  static let summary = """
    Takes back the last change that was made to a todo with these tools, never a change of \
    somebody else. version is the one that the change was answered with.
    """

  var id = TodoID("")
  var version: Int64 = 0

  static let members: [Member<UndoChange>] = [
    .required("id") { $0.id = $1 },
    .required("version") { $0.version = Int64($1 as Int) },
  ]

  func operation() -> TodoOperation { .list(.undoOwn(id, version: version)) }

  func result(of outcome: TodoOutcome) -> UndoneChange? {
    guard case .restored(let restored) = outcome else { return nil }
    return UndoneChange(restored: restored)
  }
}

/// The operation, or what is wrong with the todo that was sent.
private func checked(_ make: () throws(TodoError) -> ListOperation) -> TodoOperation {
  do throws(TodoError) { return .list(try make()) } catch { return .invalid(error) }
}
