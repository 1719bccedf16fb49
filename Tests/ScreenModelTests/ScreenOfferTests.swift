import ScreenModel
import Testing

@Suite("Actions and fields that a screen offers")
struct ScreenOfferTests {
  typealias Refusal = ScreenOffer.Refusal
  private let form = SampleScreens.form
  private let list = SampleScreens.list([ListItem(id: "a", title: "A")])

  @Test("An enabled action of the screen is offered, with or without an item")
  func offered() throws {
    try ScreenOffer.checkAction("save", items: [], in: form)
    try ScreenOffer.checkAction("save", items: ["a"], in: form)
    try ScreenOffer.checkAction("open", items: ["a"], in: list)
  }

  @Test("An unknown action is not offered")
  func unknownAction() {
    func refusal(_ name: String) -> Refusal {
      .notOffered(.unknownAction, "This screen has no action “\(name)”.")
    }
    #expect(throws: refusal("delete")) {
      try ScreenOffer.checkAction("delete", items: [], in: form)
    }
    #expect(throws: refusal("Save")) { try ScreenOffer.checkExists("Save", in: form) }
    #expect(throws: refusal(String(repeating: "a", count: 59) + "…")) {
      try ScreenOffer.checkExists(String(repeating: "a", count: 61), in: form)
    }
  }

  @Test("An action that is not enabled exists, and is not offered")
  func notEnabled() throws {
    var screen = form
    screen.body = .form([])
    try ScreenOffer.checkExists("back", in: screen)
    let refusal = Refusal.notOffered(.disabled, "“Back” cannot be done at this moment.")
    #expect(throws: refusal) {
      try ScreenOffer.checkAction("back", items: [], in: screen)
    }
  }

  @Test("The refusal of a disabled action names the first invalid field and its error")
  func reason() {
    var screen = form
    screen.body = .form([
      ScreenField(name: "a", label: "A"), ScreenField(name: "b", label: "B", error: "Too short."),
      ScreenField(name: "c", label: "C", error: "Too long."),
    ])
    #expect(throws: Refusal.notOffered(.disabled, "B: Too short.")) {
      try ScreenOffer.checkAction("back", items: [], in: screen)
    }
  }

  @Test("An action of an item needs an item that the list shows")
  func items() {
    func gone(_ item: String) -> Refusal {
      .notOffered(.itemGone, "The list does not show that item any more.", item: item)
    }
    #expect(throws: Refusal.notOffered(.needsItem, "Choose what to do it with.")) {
      try ScreenOffer.checkAction("open", items: [], in: list)
    }
    #expect(throws: gone("b")) {
      try ScreenOffer.checkAction("open", items: ["b"], in: list)
    }
    var screen = list
    screen.body = .form([])
    #expect(throws: gone("a")) {
      try ScreenOffer.checkAction("open", items: ["a"], in: screen)
    }
  }

  @Test("Only an action for many is offered for several items, and only if the list shows them all")
  func severalItems() throws {
    let items = ["a", "b"]
    var screen = SampleScreens.list(items.map { ListItem(id: $0, title: $0) })
    #expect(throws: Refusal.notOffered(.disabled, "“Open” can be done to one item only.")) {
      try ScreenOffer.checkAction("open", items: items, in: screen)
    }
    for index in screen.actions.indices { screen.actions[index].isForMany = true }
    try ScreenOffer.checkAction("open", items: items, in: screen)
    let refusal = Refusal.notOffered(
      .itemGone, "The list does not show one of the 3 items any more. Nothing was done.",
      item: "c")
    #expect(throws: refusal) {
      try ScreenOffer.checkAction("open", items: ["a", "c", "b"], in: screen)
    }
  }

  @Test("Values must belong to fields of the form")
  func fields() throws {
    try ScreenOffer.checkFields(["title": "x", "note": "y", "password": "z"], in: form)
    try ScreenOffer.checkFields([:], in: list)
    #expect(throws: Refusal.unknownField("a", known: ["title", "password", "note"])) {
      try ScreenOffer.checkFields(["z": "", "title": "", "a": ""], in: form)
    }
    #expect(throws: Refusal.unknownField("title", known: [])) {
      try ScreenOffer.checkFields(["title": "x"], in: list)
    }
  }

  @Test("Values of an action belong to its input first, then to the form")
  func sorting() throws {
    let values = ["title": "t", "note": "n"]
    let ofRename = try ScreenOffer.sort(values, action: "rename", in: form)
    #expect(ofRename.form == ["note": "n"])
    #expect(ofRename.input == ["title": "t"])
    let ofSave = try ScreenOffer.sort(values, action: "save", in: form)
    #expect(ofSave.form == values)
    #expect(ofSave.input == [:])
    let ofAdd = try ScreenOffer.sort(["title": "t"], action: "add", in: list)
    #expect(ofAdd.input == ["title": "t"])
  }

  @Test("The first value that belongs to neither is refused by name")
  func unknownValue() {
    #expect(throws: Refusal.unknownField("query", known: ["title"])) {
      _ = try ScreenOffer.sort(["title": "", "query": "", "x": ""], action: "add", in: list)
    }
    #expect(throws: Refusal.unknownField("title", known: [])) {
      _ = try ScreenOffer.sort(["title": ""], action: "open", in: list)
    }
  }

  @Test("Nothing is offered on a screen in the background")
  func background() {
    var screen = form
    screen.moveToBackground()
    for action in screen.actions {
      #expect(throws: Refusal.self) {
        try ScreenOffer.checkAction(action.name, items: [], in: screen)
      }
    }
  }
}
