import ScreenModel
import TodoModel

/// The agenda: the open todos with a date, of all lists of a session.
struct AgendaScreen {
  var name: String
  var agenda: Agenda
  var today: CivilDay
  /// The lists that the user may only read.
  var readOnlyLists: Set<TodoListKey> = []
  /// The todos with drafts, by list.
  var drafted: [TodoListKey: [DraftedTodo]]
  var message: ScreenMessage?
  var filter = ""
  /// The names of the lists on the wire.
  var lists: [String] = []
  /// Whether changes can be undone.
  var hasHistory: Bool
  /// Whether several todos of a list can be changed in one transaction.
  var hasGroups: Bool
  var onOutput: (Output) -> Void
  /// Returns the effect that opens the form of an unsaved text; `nil` if the user has no such list.
  var onReopened: (Draft, OperationToken?) throws(ScreenOffer.Refusal) -> (() -> Void)?

  enum Output {
    case item(TodoListKey, TodoListWorkflow.Output)
    /// An action on todos of several lists. It fails, because a transaction changes only one list.
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
          total: agenda.total, offset: agenda.offset,
          items: ListItems(agenda.rows.map(item)),
          empty: filter.isEmpty ? "No open todo has a date." : "No todo matches.")),
      message: message)
  }

  private var title: String {
    "Agenda of \(name)" + (filter.isEmpty ? "" : " with “\(filter)”")
  }

  func declareActions(in actions: inout ActionDeclarations) {
    actions.addTodoActions(labels: [], isForMany: hasGroups) { ids, token, output in
      let todos = ids.compactMap { todo($0) }
      guard let list = todos.first?.list, todos.count == ids.count else { return }
      guard todos.allSatisfy({ $0.list == list }) else {
        return onOutput(.itemsOfSeveralLists(token))
      }
      onOutput(.item(list, output(todos.map(\.id))))
    }
    // The todos are in the order of their dates, so they cannot be moved.
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

  private func item(_ row: Agenda.Row) -> ListItem {
    var item: ListItem
    switch row.content {
    case .todo(let todo, let list):
      item = ListItem(todo, on: today)
      item.detail = [item.detail, TodoSource.wireName(of: list)].compactMap(\.self)
        .joined(separator: " · ")
      if drafted[list]?.contains(where: { $0.id == todo.id }) ?? false { _ = item.markDraft() }
      item.isReadOnly = readOnlyLists.contains(list)
      if item.isReadOnly, item.badge == nil { item.badge = "read only" }
    case .rest(let count): item = ListItem(id: "", title: "\(count) more")
    }
    (item.id, item.section) = (row.itemID, row.section.title)
    return item
  }

  /// The todo of an item, and its list; `nil` for an item that counts the rest.
  private func todo(_ id: String) -> (id: TodoID, list: TodoListKey)? {
    for row in agenda.rows {
      guard case .todo(let todo, let list) = row.content, row.itemID == id else { continue }
      return (todo.id, list)
    }
    return nil
  }

  func reopening(
    _ form: String, _ values: [String: String], base: String, _ token: OperationToken?
  ) throws(ScreenOffer.Refusal) -> (() -> Void)? {
    guard let base = EditBase(base), let draft = try Draft(values, of: form, base: base) else {
      return nil
    }
    try base.check(isOf: name)
    return try onReopened(draft, token)
  }

  func show(_ window: ListWindow, _ token: OperationToken?) { onOutput(.show(window)) }
}

extension Agenda.Row {
  /// The ID of the item, which differs from the ID in the todo's own list.
  var itemID: String {
    switch content {
    case .todo(let todo, let list): "\(TodoSource.wireName(of: list))/\(todo.id)"
    case .rest: "rest/\(section)"
    }
  }
}
