import ScreenModel
import Testing

@Suite("Screens as values")
struct ScreenTests {
  @Test("A screen in the background differs only by its disabled actions")
  func background() {
    var expected = SampleScreens.form
    for index in expected.actions.indices { expected.actions[index].isEnabled = false }
    var screen = SampleScreens.form
    screen.moveToBackground()
    #expect(screen == expected)
    #expect(screen != SampleScreens.form)
  }

  @Test("A blank subject counts as none")
  func blankSubject() {
    func screen(_ subject: String?) -> Screen {
      Screen(
        name: "form", title: "Form", subject: subject,
        body: .list(ScreenList(total: 0, offset: 0, items: ListItems([]), empty: "")))
    }
    #expect(screen("Milk").subject == "Milk")
    for blank in ["", " \n", nil] { #expect(screen(blank).subject == nil) }
  }

  @Test("A secret field has no value")
  func secretField() {
    let field = ScreenField.secret(name: "password", label: "Password", error: "Too short.")
    #expect(field.isSecret)
    #expect(field.value == nil)
    #expect(field.error == "Too short.")
    #expect(!field.isMultiline)
  }

  @Test("Field values are compared byte for byte")
  func fieldEquality() {
    let field = ScreenField(name: "title", label: "Title", value: "\u{E9}")
    #expect(field == ScreenField(name: "title", label: "Title", value: "\u{E9}"))
    #expect(field != ScreenField(name: "title", label: "Title", value: "e\u{301}"))
    #expect(field != .multiline(name: "title", label: "Title", value: "\u{E9}"))
    #expect(field != .secret(name: "title", label: "Title"))
    #expect(field != ScreenField(name: "title", label: "Title", value: "\u{E9}", error: "x"))
  }

  @Test("Screens differ by the body, the message and the bar")
  func screenEquality() {
    var others = Array(repeating: SampleScreens.form, count: 3)
    others[0].body = .form([])
    others[1].message = ScreenMessage(.error, "Careful.")
    others[2].bar = .hidden
    for other in others { #expect(other != SampleScreens.form) }
  }

  @Test("The raw values of levels and scopes")
  func words() {
    #expect(ScreenMessage.Level.allCases.map(\.rawValue) == ["info", "warning", "error"])
    #expect(ScreenAction.Scope.allCases.map(\.rawValue) == ["screen", "item"])
  }
}

@Suite("The items of a list")
struct ListItemsTests {
  private let items = [ListItem(id: "a", title: "A"), ListItem(id: "b", title: "B")]

  @Test("are found by their ids")
  func contains() {
    let list = ListItems(items)
    #expect(list.count == 2)
    #expect(list.all == items)
    #expect(list.contains(id: "b"))
    #expect(!list.contains(id: "c"))
    #expect(!ListItems([]).contains(id: ""))
  }

  @Test("are equal when they are shared, or show the same")
  func equality() {
    let list = ListItems(items)
    let shared = list
    #expect(list == shared)
    #expect(list == ListItems(items))
    #expect(list != ListItems(items.reversed()))
    #expect(list != ListItems([]))
  }

  @Test("that are shared are compared in constant time")
  func identity() {
    let list = ListItems((0..<200_000).map { ListItem(id: "\($0)", title: "Item \($0)") })
    let shared = list
    // Comparing the items would take 20 billion comparisons.
    let equalCount = (0..<100_000).count { _ in list == shared }
    #expect(equalCount == 100_000)
  }

  @Test("with one id twice do not trap")
  func duplicates() {
    let list = ListItems([ListItem(id: "a", title: "A"), ListItem(id: "a", title: "B")])
    #expect(list.count == 2)
    #expect(list.contains(id: "a"))
  }

  @Test("differ by each member, and byte for byte by the title")
  func itemEquality() {
    let item = ListItem(id: "a", title: "\u{E9}", detail: "#1", isChecked: false, badge: "x")
    var others = Array(repeating: item, count: 5)
    others[0].title = "e\u{301}"
    others[1].detail = nil
    others[2].isChecked = nil
    others[3].badge = "y"
    others[4].id = "b"
    for other in others { #expect(item != other) }
  }
}
