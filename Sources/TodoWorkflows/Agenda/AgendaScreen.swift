import ScreenModel
import TodoModel

/// The screen of the agenda: the open todos with a due date, from all lists of a session.
struct AgendaScreen {
  var name: String
  var rows: AgendaRows
  /// The lists that the user may only read.
  var readOnlyLists: Set<TodoListKey> = []
  /// The todos with drafts, by list.
  var drafted: [TodoListKey: [DraftedTodo]]
  var message: ScreenMessage?
  var filter = ""
  /// The names that the lists have on the wire. The filter can contain these names.
  var lists: [String] = []
  /// Whether changes can be undone.
  var hasHistory: Bool
  /// Whether several todos of a list can be changed in one transaction.
  var hasGroups: Bool
  var onOutput: (Output) -> Void
  /// Returns a closure that opens the form for an unsaved text; `nil` if the text belongs to a list
  /// that the user does not have.
  var onReopened: (FormText, OperationToken?) throws(ScreenOffer.Refusal) -> (() -> Void)?

  enum Output {
    case item(TodoListKey, TodoListWorkflow.Output)
    /// An action on todos of several lists. It fails, because a transaction changes todos of one
    /// list only.
    case itemsOfSeveralLists(OperationToken?)
    case history(TodoListWorkflow.Output)
    case filter(String, OperationToken?)
    case show(ListWindow)
    case close
  }
}

extension AgendaScreen: DescribableScreen {
  static var name: String { "agenda" }

  var contents: Screen {
    Screen(
      id: "agenda/" + name, name: Self.name, title: title,
      body: .list(
        ScreenList(
          total: rows.total, offset: rows.offset,
          items: rows.items(marking: drafted, readOnlyLists),
          empty: filter.isEmpty ? "No open todo has a date." : "No todo matches.")),
      message: message)
  }

  private var title: String {
    "Agenda of \(name)" + (filter.isEmpty ? "" : " with “\(filter)”")
  }

  func declareActions(in actions: inout ActionDeclarations) {
    actions.addTodoActions(labels: [], isForMany: hasGroups) { ids, token, output in
      let todos = ids.compactMap { rows.todo($0) }
      guard let list = todos.first?.list, todos.count == ids.count else { return }
      guard todos.allSatisfy({ $0.list == list }) else {
        return onOutput(.itemsOfSeveralLists(token))
      }
      onOutput(.item(list, output(todos.map(\.id))))
    }
    // The order of the agenda is that of the due dates, so todos cannot be moved.
    actions.addMoves(isEnabled: false) { _, _, _ in }
    let names = lists.count > 1 ? lists.map { "list:\($0)" } : []
    actions.add(
      "filter", "Filter", role: .search, key: "/",
      input: ScreenField(
        name: "query", label: "Words", value: filter,
        suggestions: TodoFilter.suggestions(labels: []) + names)
    ) { onOutput(.filter($0, $1.token)) }
    if hasHistory {
      actions.add("undo", "Undo", role: .undo, key: "u") { onOutput(.history(.undo($0.token))) }
      actions.add("redo", "Redo", role: .redo, key: "U") { onOutput(.history(.redo($0.token))) }
    }
    actions.add("close", "Close", role: .back, key: "b", on: .left) { _ in onOutput(.close) }
  }

  func reopening(
    _ form: String, _ values: [String: String], base: String, _ token: OperationToken?
  ) throws(ScreenOffer.Refusal) -> (() -> Void)? {
    guard let text = try FormText(values, of: form, base: base) else { return nil }
    try text.draft.base.check(isOf: name)
    return try onReopened(text, token)
  }

  func show(_ window: ListWindow, _ token: OperationToken?) { onOutput(.show(window)) }
}
