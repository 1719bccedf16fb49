import ScreenModel
import TodoModel

/// The screen on which the user chooses one of several drafts of a todo.
struct DraftsScreen {
  var choice: DraftChoice
  var onOpenTapped: (_ number: Int64, OperationToken?) -> Void
  var onDiscardTapped: (_ number: Int64, OperationToken?) -> Void
  var onBackTapped: () -> Void
}

extension DraftsScreen: DescribableScreen {
  var contents: Screen {
    Screen(
      id: "drafts/" + choice.id.text, name: "drafts", title: "Unsaved texts",
      subject: choice.drafts.first?.title,
      body: .list(
        ScreenList(
          total: choice.drafts.count, offset: 0,
          items: ListItems(choice.drafts.map { ListItem($0) }), empty: "")))
  }

  func declareActions(in actions: inout ActionDeclarations) {
    actions.addForItem("open", "Open", role: .open, key: "o", isPrimary: true) {
      if let number = Int64($0) { onOpenTapped(number, $1.token) }
    }
    actions.addForItem(
      "discard", "Discard", role: .remove, key: "d", confirm: "Discard this text?"
    ) {
      if let number = Int64($0) { onDiscardTapped(number, $1.token) }
    }
    actions.add("back", "Back", role: .back, key: "b", on: .left) { _ in onBackTapped() }
  }

  func leave() { onBackTapped() }
}

extension ListItem {
  fileprivate init(_ stored: StoredDraft) {
    self.init(
      id: String(stored.number), title: stored.title,
      detail: "\(stored.typedAt.minuteText): \(stored.excerpt)")
  }
}
