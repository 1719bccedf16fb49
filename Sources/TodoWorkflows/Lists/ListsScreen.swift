import ScreenModel
import TodoModel

/// The choice between several lists.
struct ListsScreen {
  /// Whose lists they are.
  var name: String
  var lists: [ListSummary]
  var onOpenTapped: (String) -> Void
  var onSyncTapped: () -> Void
  var onLogOutTapped: (OperationToken?) -> Void
}

extension ListsScreen: DescribableScreen {
  private enum Action {
    static let (open, sync, logout) = ("open", "sync", "logout")
  }

  func describe() -> Screen {
    Screen(
      id: "lists/" + name, name: "lists", title: "Lists of \(name)",
      bar: ScreenBar(left: Action.logout),
      body: .list(
        ScreenList(
          total: lists.count, offset: 0, items: ListItems(lists.map { ListItem($0) }), empty: "")),
      actions: [
        ScreenAction(
          name: Action.open, title: "Open", role: .open, key: "o", isPrimary: true, scope: .item),
        ScreenAction(name: Action.sync, title: "Sync all", role: .sync, key: "y"),
        ScreenAction(name: Action.logout, title: "Log out", role: .logout, key: "L"),
      ])
  }

  func act(_ call: ActionCall) {
    switch call.action {
    case Action.open: if let item = call.item { onOpenTapped(item) }
    case Action.sync: onSyncTapped()
    case Action.logout: onLogOutTapped(call.token)
    default: break
    }
  }
}

extension ListItem {
  fileprivate init(_ list: ListSummary) {
    let (badge, tone): (String?, Tone?) =
      if list.counts.conflicts > 0 {
        ("\(list.counts.conflicts) in conflict", .alert)
      } else if list.counts.failed > 0 {
        ("\(list.counts.failed) failed", .alert)
      } else if list.counts.pending > 0 {
        ("\(list.counts.pending) pending", .notice)
      } else {
        (nil, nil)
      }
    self.init(
      id: list.source, title: list.source,
      detail: list.total == 1 ? "1 todo" : "\(list.total) todos", badge: badge, tone: tone)
  }
}
