import JSONRPC
import TodoModel
import TodoWire
import TodoWorkflows

/// The result of `list_todos`: a page of the list.
struct ListedTodos: ToolResult {
  private let todos: [ShownTodo]
  private let total: Int
  private let offset: Int
  /// Whether some requested todos are left out to keep the response small.
  private let isTruncated: Bool

  static let sample = ListedTodos(
    page: TodoPage(elements: [], total: 0, offset: 0), fields: [])

  init(
    page: TodoPage<Todo>, fields: Set<TodoField>, _ budget: ResponseBudget = ResponseBudget()
  ) {
    var budget = budget
    let all = page.elements.map { ShownTodo($0, fields: fields) }
    todos = budget.prefix(of: all) { $0.text }
    isTruncated = todos.count < all.count
    (total, offset) = (page.total, page.offset)
  }

  /// The offset of the next page; `nil` on the last page.
  private var nextOffset: Int? {
    let next = offset + todos.count
    return !todos.isEmpty && next < total ? next : nil
  }

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("todos", todos)
    members.required("total", total)
    members.optional("nextOffset", nextOffset)
  }

  var text: String {
    let next = nextOffset.map { "; continue with offset \($0)" } ?? ""
    let hint = isTruncated ? ", or with a higher maxBytes" : ""
    return (["\(todos.count) of \(total) todos\(next)\(hint)."] + todos.map(\.text))
      .joined(separator: "\n")
  }

  var shownNotes: [ShownNote] { todos.compactMap(\.shownNote) }
}

/// The result of `get_todo`: one todo.
struct FoundTodo: ToolResult {
  /// The part of the response that contains a long note completely: the structured content or the
  /// text. The other part contains only the beginning of the note.
  enum WholeNote {
    case inContent, inText
  }

  private let todo: Todo
  private let wholeNote: WholeNote?

  static let sample = FoundTodo(.sample)

  init(_ todo: Todo, wholeNote: WholeNote? = nil) {
    (self.todo, self.wholeNote) = (todo, wholeNote)
  }

  private func shown(isNoteWhole: Bool) -> ShownTodo {
    ShownTodo(todo, fields: Set(TodoField.allCases), isNoteWhole: isNoteWhole)
  }

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("todo", shown(isNoteWhole: wholeNote == .inContent))
  }

  var text: String {
    let shown = shown(isNoteWhole: wholeNote != nil)
    return shown.noteTruncation == nil ? shown.text : "\(shown.text)\n\(Self.wholeNoteAdvice)"
  }

  var textWithStructuredContent: String {
    guard wholeNote == .inContent, shown(isNoteWhole: false).noteTruncation != nil else {
      return text
    }
    return
      "\(shown(isNoteWhole: false).text)\nAll of the note is in structuredContent; call get_todo "
      + "with wholeNote and inText if you cannot see that."
  }

  private static let wholeNoteAdvice =
    "The note was truncated; get_todo with wholeNote has all of it."

  var shownNotes: [ShownNote] {
    shown(isNoteWhole: wholeNote != nil).shownNote.map { [$0] } ?? []
  }
}

/// The result of `add_todo`: the new todo, or a result for each of several new todos.
struct AddedTodos: ToolResult {
  var todo: BriefTodo?
  var results: [AddedTodo]?

  static let sample = AddedTodos()

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.optional("todo", todo)
    members.optional("results", results)
  }

  /// Whether the call was meant to add several todos, and none of them was added.
  var hasFailed: Bool { results?.allSatisfy { $0.error != nil } ?? false }

  var text: String {
    guard let results else { return "Added: \(todo?.text ?? "")" }
    let added = results.count { $0.error == nil }
    return (["Added \(added) of \(results.count), in this order:"] + results.map(\.text))
      .joined(separator: "\n")
  }
}

/// The result for one of several new todos: its ID and version, or the error.
struct AddedTodo: WrittenObject {
  private var id: TodoID?
  private var version: Int64?
  private(set) var error: TodoError?

  static let sample = AddedTodo(.cancelled)

  init(_ outcome: TodoOutcome) {
    switch outcome {
    case .changed(let todo): (id, version) = (todo.id, todo.version)
    case .failed(let error): self.error = error
    case _: error = TodoError(.interrupted, "The call ended before this was added.")
    }
  }

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.optional("id", id)
    members.optional("version", version)
    members.optional("error", error.map { FailedCall($0, of: AddTodo.name).value })
  }

  var text: String {
    if let error { return "- not added: \(FailedCall(error, of: AddTodo.name).text)" }
    return "- id \(id.map { shown($0) } ?? ""), v\(version ?? 0)"
  }
}

/// The result of a tool that changes a todo: the todo without its note.
struct ChangedTodo: ToolResult {
  private let verb: String
  private let todo: BriefTodo

  static let sample = ChangedTodo(verb: "", todo: .sample)

  private init(verb: String, todo: BriefTodo) {
    self.verb = verb
    self.todo = todo
  }

  init?(_ verb: String, _ outcome: TodoOutcome) {
    guard case .changed(let todo) = outcome else { return nil }
    self.init(verb: verb, todo: BriefTodo(todo: todo))
  }

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("todo", todo)
  }

  var text: String { "\(verb): \(todo.text)" }
}

/// The result of `remove_todo`: whether the todo was removed, and the ID by which it can be
/// restored.
struct RemovalResult: ToolResult {
  var id: TodoID
  var version: Int64
  var isRemoved: Bool

  static let sample = RemovalResult(id: TodoID(""), version: 0, isRemoved: true)

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("id", id)
    members.required("version", version)
    members.required("removed", isRemoved)
  }

  var text: String {
    isRemoved
      ? "Removed. restore_todo with id \(quoted(id.text)) restores it."
      : "Not removed: the user did not consent. The todo is unchanged."
  }
}

/// The result of `undo`: the change that was reverted, and the todo if it still exists.
struct UndoneChange: ToolResult {
  var restored: RestoredTodo

  static let sample = UndoneChange(
    restored: RestoredTodo(id: TodoID(""), change: .add, title: "", todo: nil))

  private var todo: BriefTodo? { restored.todo.map { BriefTodo(todo: $0) } }

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("id", restored.id)
    members.required("what", restored.change)
    members.optional("todo", todo)
  }

  var text: String {
    let what =
      switch restored.change {
      case .add: "the adding of"
      case .edit: "the edit of"
      case .done: "the ticking of"
      case .remove: "the removal of"
      case .restore: "the restoring of"
      case .move: "the moving of"
      }
    return "Undone: \(what) \(todo?.text ?? quoted(restored.title))"
  }
}
