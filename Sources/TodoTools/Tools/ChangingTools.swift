import JSONRPC
import TodoModel
import TodoWire
import TodoWorkflows

/// `add_todo`: adds one or several todos at the top of the list.
struct AddTodo: Tool, FieldMembersOwner {
  static let name = "add_todo"
  static let title = "Add todos"
  static let effect = ToolEffect.adds
  static let summary = "Adds a todo at the top of the list."

  /// The maximum number of todos in one call.
  static let countMax = 100

  var changes = FieldChanges()
  /// The fields of several todos, used instead of `changes`.
  var several: [FieldChanges]?

  static let members: [Member<AddTodo>] =
    optionalNewFields + [
      .optional("todos") { $0.several = ($1 as NewTodos).changes }
        .described("Or up to \(countMax) objects with these members")
    ]

  func operation() -> TodoOperation {
    if several != nil {
      return .invalid(TodoError(.validation, "todos has todos of its own: give nothing beside it."))
    }
    return Self.operation(changes)
  }

  /// The operations that add several todos; `nil` if the call adds a single todo, or has fields
  /// besides `todos`. The operations are performed in reverse order, because each new todo goes to
  /// the top of the list.
  var operations: [TodoOperation]? {
    guard changes.fields.isEmpty else { return nil }
    return several?.map { Self.operation($0) }
  }

  private static func operation(_ changes: FieldChanges) -> TodoOperation {
    checked { () throws(TodoError) in .add(try NewTodo(checking: changes)) }
  }

  func result(of outcome: TodoOutcome) -> AddedTodos? {
    guard case .changed(let todo) = outcome else { return nil }
    return AddedTodos(todo: BriefTodo(todo: todo))
  }
}

/// The argument `todos`: the fields of several new todos.
private struct NewTodos: MemberValue {
  var changes: [FieldChanges]

  static var schema: Schema { .array(.map(.anything)) }
  static var kind: String { "array" }
  static func read(_ name: String, _ params: Params) throws(RPCError) -> NewTodos? {
    guard let objects = try params.optionalObjects(name) else { return nil }
    guard (1...AddTodo.countMax).contains(objects.count) else {
      throw params.invalid(name, "expected 1 to \(AddTodo.countMax) todos, got \(objects.count)")
    }
    var changes: [FieldChanges] = []
    for object in objects {
      changes.append(try ToolRegistry.read(NewTodoObject.self, object).changes)
    }
    return NewTodos(changes: changes)
  }
}

/// One of several new todos.
private struct NewTodoObject: FieldMembersOwner {
  var changes = FieldChanges()
  static let members: [Member<NewTodoObject>] = newFields
}

/// `edit_todo`: changes a todo. Absent members stay unchanged.
struct EditTodo: Tool, FieldMembersOwner {
  static let name = "edit_todo"
  static let title = "Edit a todo"
  static let effect = ToolEffect.changes(isFinal: false)
  static let summary = """
    Changes a todo; what is absent stays. If another client changed the same since version, nothing is \
    saved, and the error has base, mine and theirs.
    """

  var id = TodoID("")
  var version: Int64 = 0
  var changes = FieldChanges()
  var appendedNote: String?

  /// Whether `null` removes the value of a field. `false`, because models also send `null` for
  /// fields that should stay unchanged.
  static let nullRemovesValue = false

  static let members: [Member<EditTodo>] =
    [
      .todoID { $0.id = $1 },
      .required("version") { $0.version = Int64($1 as Int) }
        .described("The version you read"),
    ] + editedFields + [
      .optional("appendNote") { $0.appendedNote = $1 }
        .described("Text to add below the note")
        .limited(to: NoteField.traits.lengthMax)
    ]

  func operation() -> TodoOperation {
    checked { () throws(TodoError) in
      if appendedNote != nil, changes.fields.contains(.note) {
        throw .validation([
          FieldProblem(field: "appendNote", message: "Give either note or appendNote, not both.")
        ])
      }
      var edit = try TodoEdit(checking: changes, expectedVersion: version)
      edit.appendedNote = appendedNote
      return .edit(id, edit)
    }
  }

  func result(of outcome: TodoOutcome) -> ChangedTodo? { ChangedTodo("Changed", outcome) }
}

/// `restore_todo`: restores a removed todo, even if another process removed it.
struct RestoreTodo: Tool {
  static let name = "restore_todo"
  static let title = "Restore a todo"
  static let effect = ToolEffect.adds
  static let summary = """
    Restores a todo removed in the last \(RemovedTodo.daysMax) days, by anyone, with its note and \
    history. The next sync reopens it.
    """

  var id = TodoID("")

  static let members: [Member<RestoreTodo>] = [
    .todoID { $0.id = $1 }.described("Its former id")
  ]

  func operation() -> TodoOperation { .list(.restore(id)) }

  func result(of outcome: TodoOutcome) -> ChangedTodo? { ChangedTodo("Restored", outcome) }
}

/// `undo`: reverts the last change that this process made to a todo.
struct UndoChange: Tool {
  static let name = "undo"
  static let title = "Undo a change"
  static let effect = ToolEffect.changes(isFinal: false)
  static let summary = """
    Reverts the last change that these tools made to a todo.
    """

  var id = TodoID("")
  var version: Int64 = 0

  static let members: [Member<UndoChange>] = [
    .todoID { $0.id = $1 },
    .required("version") { $0.version = Int64($1 as Int) }
      .described("From the response to the change"),
  ]

  func operation() -> TodoOperation { .list(.undoOwn(id, version: version)) }

  func result(of outcome: TodoOutcome) -> UndoneChange? {
    guard case .restored(let restored) = outcome else { return nil }
    return UndoneChange(restored: restored)
  }
}

/// Returns the operation, or an operation that fails if the sent todo is invalid.
private func checked(_ make: () throws(TodoError) -> ListOperation) -> TodoOperation {
  do throws(TodoError) { return .list(try make()) } catch { return .invalid(error) }
}

extension Member {
  /// Returns the declaration of the `id` argument.
  static func todoID(_ set: @escaping @Sendable (inout Owner, TodoID) -> Void) -> Member {
    Member.required("id", set).described("From list_todos").limited(to: TodoID.bytesMax)
  }
}
