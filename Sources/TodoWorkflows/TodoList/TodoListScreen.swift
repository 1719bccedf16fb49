import ScreenModel
import TodoModel

/// The screen of a list. It is immutable, because its description is cached.
struct TodoListScreen {
  let key: TodoListKey
  let rows: TodoRows
  /// The removed todos whose drafts can still be saved as new todos.
  let removedWithDraft: [DraftedTodo]
  /// The number of rows of `removedWithDraft` above the window. These rows come before the stored
  /// rows. If the window begins below the first stored row, all rows of `removedWithDraft` are
  /// above the window, and this number is not used.
  var draftRowsAbove = 0
  let filter: String
  /// The row that the front-end has to select; `nil` for none.
  let selection: ListSelection?
  let message: ScreenMessage?
  let isLoading: Bool
  /// The sync state of the list; `nil` for a local list.
  let status: ListStatus?
  /// Whether changes can be undone.
  let hasHistory: Bool
  /// Whether several todos can be changed in one transaction.
  let hasGroups: Bool
  /// Whether removed todos can be restored.
  let hasRemoved: Bool
  /// Whether todos can be moved.
  let hasOrdering: Bool
  /// Whether the screen has an action that opens the agenda.
  let hasAgenda: Bool
  /// The name of the list's source on the wire, such as `local`; `nil` if the user has only one
  /// list.
  let source: String?
  /// The title of the list's source, for the title of the screen; `nil` if the user has only one
  /// list and this list has no filter.
  var place: String?
  /// Whether the screen has the action that adds a todo. It is `false` if the filter would hide a
  /// new todo.
  var isAddingOffered = true
  /// The kinds of details that the todos can have.
  var details: Set<SourceDetail> = []
  let memo: ScreenMemo? = ScreenMemo()
  let onOutput: (TodoListWorkflow.Output) -> Void
}

extension TodoListScreen: DescribableScreen {
  static var name: String { "todoList" }

  var contents: Screen {
    Screen(
      id: "todoList/" + key.profile + (source.map { "/" + $0 } ?? ""), name: Self.name,
      title: title,
      body: .list(
        ScreenList(
          total: rows.total + removedCount,
          offset: rows.offset + aboveCount, items: items, empty: emptyText, status: status,
          select: selection)),
      message: message)
  }

  func declareActions(in actions: inout ActionDeclarations) {
    actions.addTodoActions(
      labels: rows.labels, isForMany: hasGroups, isEnabled: !rows.isReadOnly
    ) { onOutput($2($0.map { TodoID($0) })) }
    if hasOrdering {
      actions.addMoves(isEnabled: true) { onOutput(.move(TodoID($0), $1, $2)) }
    }
    if isAddingOffered {
      actions.add(
        "add", "Add", role: .create, key: "a", isPrimary: true, on: .right,
        isEnabled: !rows.isReadOnly, input: ScreenField(name: "title", label: "Title")
      ) { onOutput(.add(title: $0, $1.token)) }
    }
    actions.add("reload", "Reload", role: .refresh, key: "r", isEnabled: !isLoading) { _ in
      onOutput(.reload)
    }
    if status != nil {
      actions.add("sync", "Sync", role: .sync, key: "y") { _ in onOutput(.sync) }
    }
    actions.add(
      "filter", "Filter", role: .search, key: "/",
      input: ScreenField(
        name: "query", label: "Words", value: filter,
        suggestions: TodoFilter.suggestions(labels: rows.labels, details: details))
    ) { onOutput(.filter($0, $1.token)) }
    if hasHistory {
      actions.add("undo", "Undo", role: .undo, key: "u") { onOutput(.undo($0.token)) }
      actions.add("redo", "Redo", role: .redo, key: "U") { onOutput(.redo($0.token)) }
    }
    if hasRemoved {
      actions.add("removed", "Removed", role: .removed, key: "R") { onOutput(.removed($0.token)) }
    }
    if hasAgenda {
      actions.add("agenda", "Agenda", role: .agenda, key: "A") { _ in onOutput(.agenda) }
    }
    if source != nil {
      actions.add("lists", "Lists", role: .back, key: "b", on: .left) { _ in onOutput(.close) }
    }
    actions.add("logout", "Log out", role: .logout, key: "L", on: source == nil ? .left : nil) {
      onOutput(.logOut($0.token))
    }
  }

  private var removedCount: Int { filter.isEmpty ? removedWithDraft.count : 0 }

  /// The number of rows above the window that show removed todos with drafts.
  private var aboveCount: Int {
    rows.offset == 0 ? min(draftRowsAbove, removedCount) : removedCount
  }

  /// The visible rows. At the top of the list, removed todos with drafts come first.
  private var items: ListItems {
    guard aboveCount < removedCount else { return rows.items }
    var items = rows.items
    for todo in removedWithDraft[aboveCount...].reversed() {
      items.insert(ListItem(removed: todo), at: 0)
    }
    if let limit = rows.window.limit { while items.count > limit { items.removeLast() } }
    return items
  }

  private var title: String {
    let place = (place ?? source).map { " in \($0)" } ?? ""
    let access = rows.isReadOnly ? " (read only)" : ""
    return "Todos of \(key.profile)\(place)\(access)" + (filter.isEmpty ? "" : " with “\(filter)”")
  }

  private var emptyText: String {
    filter.isEmpty ? "Nothing to do." : "No todo matches."
  }

  func reopening(
    _ form: String, _ values: [String: String], base: String, _ token: OperationToken?
  ) throws(ScreenOffer.Refusal) -> (() -> Void)? {
    guard let text = try FormText(values, of: form, base: base) else { return nil }
    try text.draft.base.check(isIn: key)
    return { onOutput(.reopen(text, token)) }
  }

  func show(_ window: ListWindow, _ token: OperationToken?) { onOutput(.show(window, token)) }
}
