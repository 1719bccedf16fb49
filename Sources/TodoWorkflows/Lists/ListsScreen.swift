import ScreenModel
import TodoModel

/// The screen on which the user chooses one of several lists.
struct ListsScreen {
  /// The name of the user.
  var name: String
  var lists: [ListSummary]
  var onOpenTapped: (String) -> Void
  /// Returns a closure that opens the list of an unsaved text, and then the form for the text;
  /// `nil` if the user does not have that list.
  var onReopened: (FormText, OperationToken?) throws(ScreenOffer.Refusal) -> (() -> Void)?
  var onSyncTapped: () -> Void
  var onLogOutTapped: (OperationToken?) -> Void
}

extension ListsScreen: DescribableScreen {
  var contents: Screen {
    Screen(
      id: "lists/" + name, name: "lists", title: "Lists of \(name)",
      body: .list(
        ScreenList(
          total: lists.count, offset: 0, items: ListItems(lists.map { ListItem($0) }), empty: "")))
  }

  func declareActions(in actions: inout ActionDeclarations) {
    actions.addForItem("open", "Open", role: .open, key: "o", isPrimary: true) { source, _ in
      onOpenTapped(source)
    }
    actions.add("sync", "Sync all", role: .sync, key: "y") { _ in onSyncTapped() }
    actions.add("logout", "Log out", role: .logout, key: "L", on: .left) {
      onLogOutTapped($0.token)
    }
  }
}

extension ListsScreen {
  /// Returns a closure that opens the form for an unsaved text. `base` identifies the list and the
  /// todo. Returns `nil` if `base` is invalid, if the user does not have the list, or if forms with
  /// the name `form` cannot be restored.
  func reopening(
    _ form: String, _ values: [String: String], base: String, _ token: OperationToken?
  ) throws(ScreenOffer.Refusal) -> (() -> Void)? {
    guard let text = try FormText(values, of: form, base: base) else { return nil }
    try text.draft.base.check(isOf: name)
    return try onReopened(text, token)
  }
}

extension ListItem {
  fileprivate init(_ list: ListSummary) {
    let (badge, tone): (String?, Tone?) =
      if list.counts.conflicts > 0 {
        ("\(list.counts.conflicts) in conflict", .alert)
      } else if list.counts.failed > 0 {
        ("\(list.counts.failed) failed", .alert)
      } else if list.failure != nil {
        ("not up to date", .alert)
      } else if list.counts.pending > 0 {
        ("\(list.counts.pending) pending", .notice)
      } else if list.isReadOnly {
        ("read only", .muted)
      } else {
        (nil, nil)
      }
    self.init(
      id: list.source, title: (list.title ?? list.source) + (list.filter.map { "?\($0)" } ?? ""),
      detail: Self.text(of: list.openCounts, total: list.total), badge: badge, tone: tone)
  }

  private static func text(of counts: OpenCounts?, total: Int) -> String {
    guard let counts else { return total == 1 ? "1 todo" : "\(total) todos" }
    var parts = ["\(counts.open) open"]
    if counts.dueToday > 0 { parts.append("\(counts.dueToday) due today") }
    if counts.overdue > 0 { parts.append("\(counts.overdue) overdue") }
    return parts.joined(separator: ", ")
  }
}
