import ScreenModel
import Testing

@Suite("A screen as text")
struct ScreenPictureTests {
  @Test("A section is a heading where it changes")
  func sections() {
    func item(_ id: String, _ section: String?) -> ListItem {
      var item = ListItem(id: id, title: id)
      item.section = section
      return item
    }
    let items = ListItems([item("a", "One"), item("b", "One"), item("c", nil), item("d", "One")])
    let screen = Screen(
      id: "s", name: "s", title: "S",
      body: .list(ScreenList(total: 4, offset: 0, items: items, empty: "")))
    #expect(
      ScreenPicture.lines(of: screen) == ["S", "# One", "a", "b", "c", "# One", "d", ""])
  }

  @Test("A form shows its fields with their errors, the message and the actions")
  func form() {
    #expect(
      ScreenPicture.lines(of: SampleScreens.form) == [
        "Sample", "Title: Milk", "! Too short.", "Password: ***", "Note:", "| one", "|", "| two",
        "warning: Careful.", "[save] (back) [rename]",
      ])
  }

  @Test("An empty field shows its label")
  func emptyFields() {
    var screen = SampleScreens.form
    screen.message = nil
    screen.actions = []
    screen.body = .form([
      ScreenField(name: "title", label: "Title"), .multiline(name: "note", label: "Note"),
    ])
    #expect(ScreenPicture.lines(of: screen) == ["Sample", "Title:", "Note:", "|", ""])
  }

  @Test(
    "A multiline value is split into lines at any line end",
    arguments: ["one\ntwo", "one\r\ntwo"])
  func lineEnds(note: String) {
    var screen = SampleScreens.form
    screen.body = .form([.multiline(name: "note", label: "Note", value: note)])
    #expect(ScreenPicture.lines(of: screen)[1...3] == ["Note:", "| one", "| two"])
  }

  @Test(
    "A line end in a single-line field is shown as a symbol",
    arguments: [("one\ntwo", "one␊two"), ("one\r\ntwo", "one\r␊two")])
  func lineEndInAFieldOfOneLine(value: String, shown: String) {
    var screen = SampleScreens.form
    screen.body = .form([ScreenField(name: "title", label: "Title", value: value)])
    #expect(ScreenPicture.lines(of: screen)[1] == "Title: \(shown)")
  }

  @Test("A list shows checkbox, title, detail, labels and badge")
  func list() {
    let screen = SampleScreens.list([
      ListItem(id: "1", title: "Milk", detail: "#7", isChecked: false, badge: "pending"),
      ListItem(id: "2", title: "Rent", isChecked: true, badge: "conflict"),
      ListItem(id: "3", title: "Plain", detail: "due", labels: ["bug", "two words"]),
    ])
    #expect(
      ScreenPicture.lines(of: screen) == [
        "List", "[ ] Milk · #7 · pending", "[x] Rent · conflict", "Plain · due · #bug #two words",
        "[open] [add]",
      ])
  }

  @Test("An empty list shows its placeholder")
  func emptyList() {
    #expect(
      ScreenPicture.lines(of: SampleScreens.list([])) == ["List", "Nothing here.", "[open] [add]"])
  }

  @Test(
    "Progress shows the known counts",
    arguments: [
      (nil, nil, "Loading"), (3, nil, "Loading 3"), (3, 9, "Loading 3/9"), (nil, 9, "Loading"),
    ] as [(Int?, Int?, String)])
  func progress(done: Int?, total: Int?, line: String) {
    let progress = ScreenProgress(text: "Loading", done: done, total: total)
    let lines = ScreenPicture.lines(of: SampleScreens.progress(progress))
    #expect(lines == ["Busy", line, "[cancel]"])
  }
}
