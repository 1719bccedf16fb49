import ScreenModel
import TodoModel

/// The screen of removed todos. The user can restore these todos, or delete them permanently.
struct RemovedScreen {
  var list: RemovedList
  /// The name of the list; `nil` if the user has only one list.
  var source: String?
  var onRestoreTapped: (TodoID, OperationToken?) -> Void
  var onForgetTapped: (TodoID, OperationToken?) -> Void
  var onWindowChanged: (ListWindow) -> Void
  var onBackTapped: () -> Void
}

extension RemovedScreen: DescribableScreen {
  static var name: String { "removed" }

  var contents: Screen {
    let place = source.map { " in \($0)" } ?? ""
    return Screen(
      id: "removed/" + list.key.profile + (source.map { "/" + $0 } ?? ""), name: Self.name,
      title: "Removed todos of \(list.key.profile)\(place)",
      body: .list(
        ScreenList(
          total: list.todos.count, offset: list.offset,
          items: ListItems(list.rows.map { ListItem($0) }),
          empty: "Nothing was removed in the last \(RemovedTodo.daysMax) days.")),
      message: list.message)
  }

  func declareActions(in actions: inout ActionDeclarations) {
    // If none of the todos can be restored, the screen has only the action `back`. An empty screen
    // has all actions.
    guard list.todos.isEmpty || list.hasRestorable else { return addBack(in: &actions) }
    actions.addForItem(
      "restore", "Restore", role: .restore, key: "r", isPrimary: true,
      confirm: list.hasClosed
        ? "Restore this todo? If it was closed at the source, it is opened there again." : nil
    ) { onRestoreTapped(TodoID($0), $1.token) }
    actions.addForItem(
      "forget", "Forget", role: .remove, key: "d",
      confirm: "Forget this todo, its history and its unsaved texts? Nothing can bring them back."
    ) { onForgetTapped(TodoID($0), $1.token) }
    addBack(in: &actions)
  }

  private func addBack(in actions: inout ActionDeclarations) {
    actions.add("back", "Back", role: .back, key: "b", on: .left) { _ in onBackTapped() }
  }

  func leave() { onBackTapped() }

  func show(_ window: ListWindow, _ token: OperationToken?) { onWindowChanged(window) }
}

extension ListItem {
  fileprivate init(_ todo: RemovedTodo) {
    self.init(
      id: todo.id.text, title: todo.title, detail: todo.detail, url: todo.origin?.url)
  }
}
