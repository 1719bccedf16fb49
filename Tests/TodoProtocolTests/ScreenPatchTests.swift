import JSONRPC
import ScreenModel
import Testing

@testable import TodoProtocol

/// Applying a patch to the last rendering gives the new one, for every member of a screen.
@Suite("Patches")
struct ScreenPatchTests {
  private func rendering(_ screens: [Screen]) throws -> JSON {
    var writer = JSONWriter()
    WholeRendering(screens: screens, revision: 2).write(to: &writer)
    let bytes = writer.finish()
    return try #require(try JSON(parsing: bytes)["rendering"])
  }

  private func patch(_ old: [Screen], _ new: [Screen]) throws -> JSON {
    var writer = JSONWriter()
    PatchRendering(old: old, base: 1, new: new, revision: 2).write(to: &writer)
    let bytes = writer.finish()
    return try #require(try JSON(parsing: bytes)["patch"])
  }

  /// Returns the operations that turn one screen into another, after checking that they do.
  private func paths(from old: Screen, to new: Screen) throws -> [String] {
    let patch = try patch([old], [new])
    #expect(try JSONPatch.apply(patch, to: rendering([old])) == rendering([new]))
    return (patch.arrayValue ?? []).compactMap { operation in
      guard let path = operation["path"]?.stringValue, let name = operation["op"]?.stringValue
      else { return nil }
      return "\(name) \(path)"
    }
  }

  private let form = Screen(
    name: "n", title: "t", bar: .hidden, body: .form([ScreenField(name: "a", label: "A")]),
    actions: [
      ScreenAction(name: "save", title: "Save"),
      ScreenAction(name: "back", title: "Back", role: .back, key: "b"),
    ])

  @Test("The question of an action, and whether it is enabled, are patched separately")
  func actions() throws {
    var asking = form
    asking.actions[1].confirm = "Sure?"
    let path = "/items/0/screen/actions/1"
    #expect(try paths(from: form, to: asking) == ["add \(path)/confirm"])
    #expect(try paths(from: asking, to: form) == ["remove \(path)/confirm"])
    var refused = asking
    refused.actions[1].isEnabled = false
    refused.actions[1].confirm = "Really?"
    #expect(
      try paths(from: asking, to: refused) == [
        "replace \(path)/enabled", "replace \(path)/confirm",
      ])
  }

  @Test("Other changes of an action replace it")
  func otherActions() throws {
    let changes: [(inout ScreenAction) -> Void] = [
      { $0.role = .save }, { $0.role = nil }, { $0.key = "q" }, { $0.isPrimary = true },
      { $0.title = "T" },
    ]
    for change in changes {
      var other = form
      change(&other.actions[1])
      #expect(try paths(from: form, to: other) == ["replace /items/0/screen/actions/1"])
    }
  }

  @Test("A form's layout and its fields are compared")
  func forms() throws {
    var other = form
    other.body = .form(ScreenForm([ScreenField(name: "a", label: "A")], layout: .text))
    let body = "/items/0/screen/body"
    #expect(try paths(from: form, to: other) == ["add \(body)/layout"])
    #expect(try paths(from: other, to: form) == ["remove \(body)/layout"])
    other.body = .form(ScreenForm([ScreenField(name: "a", label: "A")], base: "t1/7"))
    #expect(try paths(from: form, to: other) == ["add \(body)/base"])
    other.body = .form([ScreenField(name: "a", label: "A", value: "x", error: "e")])
    #expect(
      try paths(from: form, to: other) == [
        "replace \(body)/fields/0/value", "add \(body)/fields/0/error",
      ])
    other.body = .form([ScreenField(name: "a", label: "A").compared(as: .mine)])
    #expect(try paths(from: form, to: other) == ["replace \(body)/fields/0"])
    other.body = .form([ScreenField(name: "b", label: "A")])
    #expect(try paths(from: form, to: other) == ["replace \(body)"])
    other.body = .form([])
    #expect(try paths(from: form, to: other) == ["replace \(body)"])
  }

  @Test("A screen with another id is replaced, even if the name is the same")
  func identity() throws {
    var other = form
    other.subject = "Milk"
    #expect(try paths(from: form, to: other) == ["add /items/0/screen/subject"])
    other.id = "n/2"
    #expect(try paths(from: form, to: other) == ["replace /items/0"])
  }

  @Test("A repeated message is sent again")
  func messages() throws {
    var (said, again) = (form, form)
    said.message = ScreenMessage(.info, "m", id: 1)
    again.message = ScreenMessage(.info, "m", id: 2)
    let path = "/items/0/screen/message"
    #expect(try paths(from: form, to: said) == ["add \(path)"])
    #expect(try paths(from: said, to: again) == ["replace \(path)"])
    #expect(try paths(from: again, to: form) == ["remove \(path)"])
  }

  @Test("A list's status, its selection, and all of an item are compared")
  func lists() throws {
    func screen(_ list: ScreenList) -> Screen {
      Screen(name: "l", title: "t", bar: .hidden, body: .list(list), actions: [])
    }
    let item = ListItem(id: "1", title: "T")
    let list = ScreenList(total: 1, offset: 0, items: ListItems([item]), empty: "e")
    let body = "/items/0/screen/body"
    var other = list
    other.status = ListStatus(pending: 1, conflicts: 0, failed: 0)
    other.select = ListSelection(id: "1")
    #expect(
      try paths(from: screen(list), to: screen(other)) == [
        "add \(body)/status", "add \(body)/select",
      ])
    #expect(
      try paths(from: screen(other), to: screen(list)) == [
        "remove \(body)/status", "remove \(body)/select",
      ])
    var changed = ListItem(
      id: "1", title: "U", detail: "d", isChecked: true, badge: "b", tone: .alert, url: "u")
    (changed.preview, changed.labels, changed.section) = ("p", ["a", "b"], "s")
    changed.isReadOnly = true
    other = list
    other.items.replace(changed)
    let members = [
      "detail", "section", "labels", "checked", "badge", "tone", "url", "preview", "readOnly",
    ]
    #expect(
      try paths(from: screen(list), to: screen(other))
        == ["replace \(body)/items/0/title"] + members.map { "add \(body)/items/0/\($0)" })
  }

  @Test("Identical screens have an empty patch")
  func same() throws {
    #expect(try paths(from: form, to: form) == [])
  }
}
