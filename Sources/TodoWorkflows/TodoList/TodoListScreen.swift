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

  private enum Action {
    static let (open, toggle, remove) = ("open", "toggle", "remove")
    static let (add, reload, filter, logout) = ("add", "reload", "filter", "logout")
    static let (undo, redo, sync, lists) = ("undo", "redo", "sync", "lists")
  }
  private enum Input { static let (title, query) = ("title", "query") }

  func describe() -> Screen {
    Screen(
      id: "todoList/" + name + (source.map { "/" + $0 } ?? ""), name: Self.name, title: title,
      bar: ScreenBar(left: source == nil ? Action.logout : Action.lists, right: Action.add),
      body: .list(
        ScreenList(
          total: rows.total, offset: rows.offset, items: rows.items, empty: emptyText,
          status: status, select: selection)),
      message: message,
      actions: [
        ScreenAction(
          name: Action.open, title: "Open", role: .open, key: "o", isPrimary: true, scope: .item),
        ScreenAction(
          name: Action.toggle, title: "Done or not", role: .toggle, key: "x", scope: .item),
        ScreenAction(
          name: Action.remove, title: "Remove", role: .remove, key: "d", scope: .item,
          confirm: "Remove this todo?"),
        ScreenAction(
          name: Action.add, title: "Add", role: .create, key: "a", isPrimary: true,
          input: [ScreenField(name: Input.title, label: "Title")]),
        ScreenAction(
          name: Action.reload, title: "Reload", role: .refresh, key: "r", isEnabled: !isLoading),
      ] + syncing + [
        ScreenAction(
          name: Action.filter, title: "Filter", role: .search, key: "/",
          input: [ScreenField(name: Input.query, label: "Words", value: filter)]),
        ScreenAction(name: Action.undo, title: "Undo", role: .undo, key: "u"),
        ScreenAction(name: Action.redo, title: "Redo", role: .redo, key: "U"),
      ] + leaving + [
        ScreenAction(name: Action.logout, title: "Log out", role: .logout, key: "L")
      ])
  }

  private var syncing: [ScreenAction] {
    guard status != nil else { return [] }
    return [
      ScreenAction(
        name: Action.sync, title: "Sync", role: .sync, key: "y")
    ]
  }

  private var leaving: [ScreenAction] {
    guard source != nil else { return [] }
    return [ScreenAction(name: Action.lists, title: "Lists", role: .back, key: "b")]
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

  func act(_ call: ActionCall) {
    if let item = call.item.map({ TodoID($0) }) {
      switch call.action {
      case Action.open: return onOutput(.open(item, call.token))
      case Action.toggle: return onOutput(.toggle(item, call.token))
      case Action.remove: return onOutput(.remove(item, call.token))
      default: break
      }
    }
    switch call.action {
    case Action.add: onOutput(.add(title: call.input[Input.title] ?? "", call.token))
    case Action.reload: onOutput(.reload)
    case Action.sync: onOutput(.sync)
    case Action.lists: onOutput(.close)
    case Action.undo: onOutput(.undo(call.token))
    case Action.redo: onOutput(.redo(call.token))
    case Action.filter: onOutput(.filter(call.input[Input.query] ?? "", call.token))
    case Action.logout: onOutput(.logOut(call.token))
    default: break
    }
  }
}
