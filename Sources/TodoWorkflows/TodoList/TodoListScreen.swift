import ScreenModel
import TodoModel

struct TodoListScreen {
  /// Whose list it is.
  var name: String
  var rows: TodoRows
  var filter: String
  /// The todo that the user has just made.
  var selected: TodoID?
  var message: ScreenMessage?
  var isLoading: Bool
  /// How the list stands towards its source; nil where it has none.
  var status: ListStatus?
  /// Which list it is, where there are several.
  var source: String?
  var onOutput: (TodoListWorkflow.Output) -> Void
}

extension TodoListScreen: DescribableScreen {
  static var name: String { "todoList" }

  var contents: Screen {
    Screen(
      id: "todoList/" + name + (source.map { "/" + $0 } ?? ""), name: Self.name, title: title,
      body: .list(
        ScreenList(
          total: rows.total, offset: rows.offset, items: rows.items, empty: emptyText,
          status: status, select: selection)),
      message: message)
  }

  func declareActions(in actions: inout ActionDeclarations) {
    actions.addForItem("open", "Open", role: .open, key: "o", isPrimary: true) {
      onOutput(.open(TodoID($0), $1.token))
    }
    actions.addForItem("toggle", "Done or not", role: .toggle, key: "x") {
      onOutput(.toggle(TodoID($0), $1.token))
    }
    actions.addForItem(
      "remove", "Remove", role: .remove, key: "d", confirm: "Remove this todo?"
    ) { onOutput(.remove(TodoID($0), $1.token)) }
    actions.add(
      "add", "Add", role: .create, key: "a", isPrimary: true, on: .right,
      input: ScreenField(name: "title", label: "Title")
    ) { onOutput(.add(title: $0, $1.token)) }
    actions.add("reload", "Reload", role: .refresh, key: "r", isEnabled: !isLoading) { _ in
      onOutput(.reload)
    }
    if status != nil {
      actions.add("sync", "Sync", role: .sync, key: "y") { _ in onOutput(.sync) }
    }
    actions.add(
      "filter", "Filter", role: .search, key: "/",
      input: ScreenField(name: "query", label: "Words", value: filter)
    ) { onOutput(.filter($0, $1.token)) }
    actions.add("undo", "Undo", role: .undo, key: "u") { onOutput(.undo($0.token)) }
    actions.add("redo", "Redo", role: .redo, key: "U") { onOutput(.redo($0.token)) }
    if source != nil {
      actions.add("lists", "Lists", role: .back, key: "b", on: .left) { _ in onOutput(.close) }
    }
    actions.add("logout", "Log out", role: .logout, key: "L", on: source == nil ? .left : nil) {
      onOutput(.logOut($0.token))
    }
  }

  /// Where the cursor can go only if it is there.
  private var selection: String? {
    guard let selected, rows.items.contains(id: selected.text) else { return nil }
    return selected.text
  }

  private var title: String {
    let place = source.map { " in \($0)" } ?? ""
    return "Todos of \(name)\(place)" + (filter.isEmpty ? "" : " with “\(filter)”")
  }

  private var emptyText: String {
    filter.isEmpty ? "Nothing to do." : "No todo has these words."
  }

  func reopen(
    _ form: String, _ values: [String: String], base: String, _ token: OperationToken?
  ) throws(ScreenOffer.Refusal) -> Bool {
    guard let text = try TypedText(values, typedInto: form, base: base) else { return false }
    onOutput(.reopen(text, token))
    return true
  }

  func show(_ window: ListWindow, _ token: OperationToken?) { onOutput(.show(window, token)) }
}
