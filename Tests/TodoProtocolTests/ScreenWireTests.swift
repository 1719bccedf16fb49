import JSONRPC
import ScreenModel
import Testing

@testable import TodoProtocol

@Suite("Screens on the wire")
struct ScreenWireTests {
  private func text(_ screen: Screen) -> String {
    var writer = JSONWriter()
    screen.write(to: &writer)
    return String(decoding: writer.finish(), as: UTF8.self)
  }

  private func rendering(_ screens: [Screen], revision: Int64) -> [UInt8] {
    var writer = JSONWriter()
    WholeRendering(screens: screens, revision: revision).write(to: &writer)
    return writer.finish()
  }

  private func screen(
    _ body: ScreenBody, message: ScreenMessage? = nil, actions: [ScreenAction] = []
  ) -> Screen {
    Screen(name: "n", title: "t", bar: .hidden, body: body, message: message, actions: actions)
  }

  /// The beginning of a screen, up to its body.
  private let start = #"{"id":"n","name":"n","title":"t","bar":{"visible":false},"body":"#

  @Test("The lower bound of the size is not above it, and with the items nearly at it")
  func lowerBound() {
    let bare = ListItem(id: "1", title: "t")
    var whole = ListItem(
      id: "a\"b", title: "t\u{1}ö", detail: "due 2026-12-01", labels: ["l"], isChecked: true,
      badge: "draft", tone: .alert, url: "https://example.org", preview: "p")
    whole.section = "Today"
    for items in [[], [bare], [whole], [bare, whole]] {
      let list = ScreenList(
        total: items.count, offset: 0, items: ListItems(items), empty: "")
      let size = rendering([screen(.list(list))], revision: 1).count
      let screens = [screen(.list(list))]
      let bound = WholeRendering.bytesMin(of: screens, readsItems: true)
      #expect(WholeRendering.bytesMin(of: screens) <= bound && bound <= size)
    }
    let many = (0..<100).map { number in
      var item = ListItem(
        id: "local/\(number)", title: "Buy milk number \(number)", detail: "due 2026-12-01 · local",
        isChecked: false, tone: .alert)
      item.section = "Overdue"
      return item
    }
    let screens = [
      screen(.list(ScreenList(total: 100, offset: 0, items: ListItems(many), empty: "")))
    ]
    let size = rendering(screens, revision: 1).count
    #expect(WholeRendering.bytesMin(of: screens, readsItems: true) > size * 4 / 5)
  }

  @Test("The bar names actions")
  func bar() {
    var screen = screen(.form([]))
    screen.bar = ScreenBar(left: "back", right: "save")
    #expect(
      text(screen)
        == #"{"id":"n","name":"n","title":"t","bar":{"visible":true,"left":"back","right":"save"},"#
        + #""body":{"kind":"form","fields":[]},"actions":[]}"#)
  }

  @Test("A screen has an id, and the name of its subject")
  func identity() {
    let screen = Screen(
      id: "n/1", name: "n", title: "t", subject: "s", bar: .hidden, body: .form([]), actions: [])
    #expect(
      text(screen)
        == #"{"id":"n/1","name":"n","title":"t","subject":"s","bar":{"visible":false},"#
        + #""body":{"kind":"form","fields":[]},"actions":[]}"#)
  }

  @Test("A form has its fields in order, with their properties")
  func form() {
    let form = ScreenBody.form([
      ScreenField(name: "a", label: "A", value: "\"x\"", error: "e"),
      .secret(name: "b", label: "B", error: "f"),
      .multiline(name: "c", label: "C", value: ""), .text(name: "d", label: "D", value: "x"),
    ])
    #expect(
      text(screen(form))
        == start
        + #"{"kind":"form","fields":[{"name":"a","label":"A","value":"\"x\"","error":"e"},"#
        + #"{"name":"b","label":"B","secret":true,"error":"f"},"#
        + #"{"name":"c","label":"C","value":"","multiline":true},"#
        + #"{"name":"d","label":"D","value":"x","multiline":true,"readOnly":true}]},"actions":[]}"#)
  }

  @Test("A form has a layout, and its fields have sides")
  func layout() {
    for layout in [ScreenForm.Layout.text, .compare] {
      #expect(
        text(screen(.form(ScreenForm([], layout: layout))))
          == start + #"{"kind":"form","layout":"\#(layout.rawValue)","fields":[]},"actions":[]}"#)
    }
    for side in ComparedSide.allCases {
      let form = ScreenForm(
        [.text(name: "a", label: "A", value: "x").compared(as: side)], base: "t1/7")
      #expect(
        text(screen(.form(form)))
          == start + #"{"kind":"form","base":"t1/7","fields":[{"name":"a","label":"A","value":"x","#
          + #""multiline":true,"readOnly":true,"side":"\#(side.rawValue)"}]},"actions":[]}"#)
    }
  }

  @Test("The value of a secret field is not written, even if it is set")
  func secret() {
    var field = ScreenField.secret(name: "password", label: "Password")
    field.value = "hunter2"
    let action = ScreenAction(name: "a", title: "A", input: [field])
    let written = text(screen(.form([field]), actions: [action]))
    #expect(!written.contains("hunter2"))
    #expect(!written.contains("value"))
    #expect(written.contains(#"{"name":"password","label":"Password","secret":true}"#))
  }

  @Test("A list has its items, and a text for an empty list")
  func list() {
    var item = ListItem(
      id: "1", title: "T", detail: "d", labels: ["l", "m"], isChecked: false, badge: "b",
      tone: .notice, url: "https://example.com/1", preview: "p")
    item.section = "s"
    let items = ListItems([item, ListItem(id: "2", title: "U")])
    let list = ScreenList(total: 9, offset: 3, items: items, empty: "None.")
    #expect(
      text(screen(.list(list)))
        == start + #"{"kind":"list","total":9,"offset":3,"items":["#
        + #"{"id":"1","title":"T","detail":"d","section":"s","labels":["l","m"],"checked":false,"#
        + #""badge":"b","tone":"notice","url":"https://example.com/1","preview":"p"},"#
        + #"{"id":"2","title":"U"}],"empty":"None."},"actions":[]}"#)
  }

  @Test("A list has a status and a selection")
  func listStatus() {
    var list = ScreenList(
      total: 0, offset: 0, items: ListItems(), empty: "e",
      select: ListSelection(id: "t1"))
    list.status = ListStatus(
      pending: 1, conflicts: 2, failed: 3, syncedAt: "2026-01-01T00:00:00.000Z", retryAt: "r")
    let members = #"{"kind":"list","total":0,"offset":0,"items":[],"empty":"e","#
    #expect(
      text(screen(.list(list)))
        == start + members
        + #""status":{"pending":1,"conflicts":2,"failed":3,"#
        + #""syncedAt":"2026-01-01T00:00:00.000Z","retryAt":"r"},"select":"t1"},"actions":[]}"#)
    list.status = ListStatus(pending: 0, conflicts: 0, failed: 0)
    list.select = nil
    #expect(
      text(screen(.list(list)))
        == start + members + #""status":{"pending":0,"conflicts":0,"failed":0}},"actions":[]}"#)
  }

  @Test(
    "Progress says what is known",
    arguments: [
      (nil, nil, ""), (1, nil, #","done":1"#), (1, 4, #","done":1,"total":4"#),
    ] as [(Int?, Int?, String)])
  func progress(done: Int?, total: Int?, members: String) {
    let progress = ScreenProgress(text: "p", done: done, total: total)
    #expect(
      text(screen(.progress(progress)))
        == start + #"{"kind":"progress","text":"p"\#(members)},"actions":[]}"#)
  }

  @Test("A message has a level", arguments: ScreenMessage.Level.allCases)
  func message(level: ScreenMessage.Level) {
    #expect(
      text(screen(.form([]), message: ScreenMessage(level, "m", id: 3)))
        == start
        + #"{"kind":"form","fields":[]},"message":{"id":3,"level":"\#(level.rawValue)","text":"m"},"#
        + #""actions":[]}"#)
  }

  @Test("An action has its state, its scope and its question")
  func actions() {
    let actions = [
      ScreenAction(name: "a", title: "A", isEnabled: false),
      ScreenAction(
        name: "b", title: "B", role: .remove, key: "é", isPrimary: true, scope: .item,
        confirm: "Sure?",
        input: [ScreenField(name: "x", label: "X")]),
    ]
    #expect(
      text(screen(.form([]), actions: actions))
        == start + #"{"kind":"form","fields":[]},"actions":["#
        + #"{"name":"a","title":"A","enabled":false,"scope":"screen"},"#
        + #"{"name":"b","title":"B","enabled":true,"scope":"item","role":"remove","key":"é","#
        + #""primary":true,"confirm":"Sure?","#
        + #""input":[{"name":"x","label":"X","value":""}]}]}"#)
  }

  @Test("With frontOnly, lists are whole and other covered screens are identities")
  func frontOnly() throws {
    let list = Screen(
      name: "list", title: "L", bar: .hidden,
      body: .list(ScreenList(total: 0, offset: 0, items: ListItems(), empty: "e")), actions: [])
    var front = screen(.form([]), message: ScreenMessage(.info, "m"))
    front.name = "front"
    var writer = JSONWriter()
    WholeRendering(screens: [screen(.form([])), list, front], revision: 7, isFrontOnly: true)
      .write(to: &writer)
    #expect(
      String(decoding: writer.finish(), as: UTF8.self)
        == #"{"revision":7,"rendering":{"items":[{"screen":{"id":"n","name":"n","title":"t"}},"#
        + #"{"screen":\#(text(list))},{"screen":\#(text(front))}]}}"#)
  }

  @Test("A list below the front is written in its present state")
  func listBelowFront() {
    var wire = RenderingEncoder()
    wire.isFrontOnly = true
    func expectSame(_ screens: [Screen]) {
      var kept = JSONWriter()
      var fresh = JSONWriter()
      wire.write(screens, revision: 7, to: &kept)
      WholeRendering(screens: screens, revision: 7, isFrontOnly: true).write(to: &fresh)
      let (written, expected) = (kept.finish(), fresh.finish())
      #expect(written == expected)
    }
    var list = ScreenList(total: 1, offset: 0, items: ListItems(), empty: "e")
    var below = Screen(name: "list", title: "L", bar: .hidden, body: .list(list), actions: [])
    expectSame([screen(.form([])), below, screen(.form([]))])
    expectSame([screen(.form([])), below, screen(.form([]), message: ScreenMessage(.info, "m"))])
    list.items.insert(ListItem(id: "1", title: "T"), at: 0)
    below.body = .list(list)
    expectSame([screen(.form([])), below, screen(.form([]))])
    expectSame([below])
    below.title = "M"
    expectSame([below, screen(.form([]))])
  }

  @Test("A rendering has a revision and the back stack, the bottom first")
  func rendering() throws {
    var front = screen(.form([]))
    front.name = "front"
    let json = try JSON(parsing: rendering([screen(.form([])), front], revision: 7))
    #expect(json["revision"] == .integer(7))
    #expect(
      json["rendering"]?["items"]?.arrayValue?.map { $0["screen"]?["name"] } == ["n", "front"])
    #expect(
      String(decoding: rendering([], revision: 0), as: UTF8.self)
        == #"{"revision":0,"rendering":{"items":[]}}"#)
  }
}
