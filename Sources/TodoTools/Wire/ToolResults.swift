import JSONRPC
import TodoModel
import TodoWire
import TodoWorkflows

/// A part of the list.
struct ListedTodos: ToolResult {
  private let todos: [ShownTodo]
  private let total: Int
  private let offset: Int

  static let sample = ListedTodos(
    page: TodoPage(elements: [], total: 0, offset: 0), fields: [])

  init(page: TodoPage<Todo>, fields: Set<TodoField>) {
    todos = page.elements.map { ShownTodo($0, fields: fields) }
    (total, offset) = (page.total, page.offset)
  }

  /// Where the next part begins; nil at the end.
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
    let next = nextOffset.map { "; the next ones with offset \($0)" } ?? ""
    return (["\(todos.count) of \(total) todos\(next)."] + todos.map(\.text))
      .joined(separator: "\n")
  }

  var readings: [NoteReading] { todos.compactMap(\.reading) }
}

/// One todo.
struct FoundTodo: ToolResult {
  var todo: ShownTodo

  static let sample = FoundTodo(todo: .sample)

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("todo", todo)
  }

  var text: String {
    guard todo.cut != nil else { return todo.text }
    return todo.text + "\nThe note was cut; get_todo with wholeNote has all of it."
  }

  var readings: [NoteReading] { todo.reading.map { [$0] } ?? [] }
}

/// A todo that was added or changed. Its note is not said again.
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

/// Whether a todo was removed, and what to name to bring it back.
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
      ? "Removed. restore_todo with id \(quoted(id.text)) brings it back."
      : "Not removed: the user did not say yes to it. The todo is as it was."
  }
}

/// What was taken back.
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
      }
    return "Undone: \(what) \(todo?.text ?? quoted(restored.title))"
  }
}

/// What a sync has done, or would send.
struct SyncedList: ToolResult {
  var report: SyncReport
  var plan: [PlannedWrite]?

  static let sample = SyncedList(report: SyncReport())

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    report.writeMembers(to: &members, plan: plan)
  }

  var text: String {
    if let plan {
      let writes = plan.map { "\($0.what.rawValue) \(shown($0.id))" }
      return plan.isEmpty
        ? "Nothing would be sent." : "Would be sent: " + writes.joined(separator: ", ")
    }
    var lines = [
      "Sent \(report.pushed), taken \(report.pulled), joined \(report.merged), "
        + "new conflicts \(report.conflicts)."
    ]
    lines += report.failed.map { "Refused: \(quoted($0.title)): \(quoted($0.failure.message))" }
    if let retryAt = report.retryAt { lines.append("The source allows the next at \(retryAt).") }
    return lines.joined(separator: "\n")
  }
}

/// Some of what was changed both here and at the source.
struct ListedConflicts: ToolResult {
  var page: ConflictPage

  static let sample = ListedConflicts(page: ConflictPage(conflicts: [], total: 0))

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("conflicts", WrittenElements(page.conflicts) { ShownConflict($0) })
    members.required("total", page.total)
  }

  var text: String {
    let lines = page.conflicts.map { ShownConflict($0).text }
    return (["\(lines.count) of \(page.total) conflicts."] + lines).joined(separator: "\n")
  }

  var readings: [NoteReading] {
    page.conflicts.compactMap {
      ShownConflict($0).isCut ? NoteReading(id: $0.id, isWhole: false) : nil
    }
  }
}

/// One of them, with the beginnings of its notes.
private struct ShownConflict: WrittenObject {
  private let conflict: SourceConflict
  private let sides: ShownSides
  private let merged: TodoContent

  static let sample = ShownConflict(.sample)

  init(_ conflict: SourceConflict) {
    self.conflict = conflict
    let merge = conflict.merge
    sides = ShownSides(base: merge.base, mine: merge.mine, theirs: merge.theirs)
    var merged = merge.proposal
    _ = merged.cutNote()
    self.merged = merged
  }

  var isCut: Bool { sides.isCut }

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("id", conflict.id)
    members.required("version", conflict.version)
    members.required("base", sides.base)
    members.required("mine", sides.mine)
    members.required("theirs", sides.theirs)
    members.required("merged", merged)
    members.required("fields", conflict.merge.conflicts)
    members.flag("notesCut", isCut)
  }

  var text: String {
    "- id \(shown(conflict.id)), version \(conflict.version)\n" + sides.text(indent: "    ")
  }
}

/// The sides of a conflict, of whose notes the beginnings are shown.
struct ShownSides {
  private(set) var base: TodoContent?
  private(set) var mine: TodoContent
  private(set) var theirs: TodoContent
  private(set) var isCut = false

  init(base: TodoContent?, mine: TodoContent, theirs: TodoContent) {
    (self.base, self.mine, self.theirs) = (base, mine, theirs)
    isCut = [self.base?.cutNote() ?? false, self.mine.cutNote(), self.theirs.cutNote()]
      .contains(true)
  }

  func text(indent: String) -> String {
    [
      "base: \(base?.text ?? "not known any more")", "mine: \(mine.text)", "theirs: \(theirs.text)",
    ].map { indent + $0 }.joined(separator: "\n")
  }
}
