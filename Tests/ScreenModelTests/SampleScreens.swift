import ScreenModel

/// Sample screens for tests.
enum SampleScreens {
  static let form = Screen(
    name: "sample", title: "Sample", bar: ScreenBar(left: "back", right: "save"),
    body: .form([
      ScreenField(name: "title", label: "Title", value: "Milk", error: "Too short."),
      .secret(name: "password", label: "Password"),
      .multiline(name: "note", label: "Note", value: "one\n\ntwo"),
    ]),
    message: ScreenMessage(.warning, "Careful."),
    actions: [
      ScreenAction(name: "save", title: "Save"),
      ScreenAction(name: "back", title: "Back", isEnabled: false),
      ScreenAction(
        name: "rename", title: "Rename", input: [ScreenField(name: "title", label: "To")]),
    ])

  static func list(_ items: [ListItem]) -> Screen {
    Screen(
      name: "list", title: "List", bar: .hidden,
      body: .list(
        ScreenList(
          total: items.count, offset: 0, items: ListItems(items), empty: "Nothing here.")),
      actions: [
        ScreenAction(name: "open", title: "Open", scope: .item),
        ScreenAction(name: "add", title: "Add", input: [ScreenField(name: "title", label: "T")]),
      ])
  }

  static func progress(_ progress: ScreenProgress) -> Screen {
    Screen(
      name: "busy", title: "Busy", bar: .hidden, body: .progress(progress),
      actions: [ScreenAction(name: "cancel", title: "Cancel")])
  }
}
