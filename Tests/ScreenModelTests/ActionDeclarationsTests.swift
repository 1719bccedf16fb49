import ScreenModel
import Testing

@Suite("Declarations of actions")
struct ActionDeclarationsTests {
  /// A screen that declares one action of each kind, and records the effects that run.
  private struct DeclaringScreen: DescribableScreen {
    var isSyncOffered = true
    var hasGroups = true
    var question: () -> String? = { nil }
    var onEffect: (String) -> Void = { _ in }

    var contents: Screen {
      Screen(
        id: "sample/1", name: "sample", title: "Sample", subject: "Milk", body: .form([]),
        message: ScreenMessage(.info, "Loaded."))
    }

    func declareActions(in actions: inout ActionDeclarations) {
      actions.addForItem(
        "open", "Open", role: .open, key: "o", isPrimary: true, confirm: "Open it?"
      ) { onEffect("open \($0) \($1.token?.number ?? 0)") }
      actions.addForItems(
        "label", "Label", role: .toggle, key: "t", isForMany: hasGroups, confirm: "Label it?",
        confirmMany: "Label {count}?", input: [ScreenField(name: "labels", label: "Labels")]
      ) { onEffect("label \($0.joined(separator: "+")) \($1.input["labels"] ?? "")") }
      actions.add(
        "add", "Add", role: .create, key: "a", on: .right,
        input: ScreenField(name: "title", label: "Title")
      ) { onEffect("add “\($0)” \($1.token?.number ?? 0)") }
      if isSyncOffered {
        actions.add("sync", "Sync", role: .sync, key: "y", isEnabled: false) { _ in
          onEffect("sync")
        }
      }
      actions.add("save", "Save", role: .save, key: "s", on: .left, confirm: question()) {
        onEffect("save \($0.stays)")
      }
    }
  }

  private func effects(_ calls: ActionCall...) -> [String] {
    var effects: [String] = []
    let screen = DeclaringScreen(onEffect: { effects.append($0) })
    for call in calls { screen.act(call) }
    return effects
  }

  @Test("A description has the contents, the actions in order, and the bar")
  func description() {
    let expected = Screen(
      id: "sample/1", name: "sample", title: "Sample", subject: "Milk",
      bar: ScreenBar(left: "save", right: "add"), body: .form([]),
      message: ScreenMessage(.info, "Loaded."),
      actions: [
        ScreenAction(
          name: "open", title: "Open", role: .open, key: "o", isPrimary: true, scope: .item,
          confirm: "Open it?"),
        ScreenAction(
          name: "label", title: "Label", role: .toggle, key: "t", scope: .item,
          confirm: "Label it?", isForMany: true, confirmMany: "Label {count}?",
          input: [ScreenField(name: "labels", label: "Labels")]),
        ScreenAction(
          name: "add", title: "Add", role: .create, key: "a",
          input: [ScreenField(name: "title", label: "Title")]),
        ScreenAction(name: "sync", title: "Sync", role: .sync, key: "y", isEnabled: false),
        ScreenAction(name: "save", title: "Save", role: .save, key: "s", confirm: "Save it?"),
      ])
    #expect(DeclaringScreen(question: { "Save it?" }).describe() == expected)
  }

  @Test("The id of a screen is its name by default, and a bar without actions is hidden")
  func defaults() {
    struct Empty: DescribableScreen {
      var contents: Screen { Screen(name: "empty", title: "", body: .form([])) }
      func declareActions(in actions: inout ActionDeclarations) {}
    }
    #expect(
      Empty().describe()
        == Screen(name: "empty", title: "", bar: .hidden, body: .form([]), actions: []))
  }

  @Test("A call runs the effect of its action with the item, the input and the token")
  func calls() {
    let token = OperationToken(number: 7)
    #expect(effects(ActionCall(action: "open", items: ["t1"], token: token)) == ["open t1 7"])
    #expect(
      effects(ActionCall(action: "add", input: ["title": "Milk", "x": "y"], token: token))
        == ["add “Milk” 7"])
    #expect(effects(ActionCall(action: "add")) == ["add “” 0"], "the call has no input")
    #expect(effects(ActionCall(action: "save", stays: true)) == ["save true"])
  }

  @Test("A call names one item or several, with the same input for all")
  func items() {
    let input = ["labels": "bug"]
    #expect(
      effects(
        ActionCall(action: "label", items: ["a"], input: input),
        ActionCall(action: "label", items: ["a", "b"], input: input))
        == ["label a bug", "label a+b bug"])
    #expect(!DeclaringScreen().act(ActionCall(action: "label")), "no item")
  }

  @Test("Without groups no action is for many items, and none asks about their number")
  func withoutGroups() {
    let action = DeclaringScreen(hasGroups: false).describe().actions[1]
    #expect(!action.isForMany)
    #expect(action.confirmMany == nil)
  }

  @Test("A call without an effect is reported")
  func missing() {
    #expect(effects(ActionCall(action: "delete"), ActionCall(action: "open")) == [])
    var screen = DeclaringScreen()
    #expect(screen.act(ActionCall(action: "sync")))
    #expect(!screen.act(ActionCall(action: "delete")), "no such action")
    #expect(!screen.act(ActionCall(action: "open")), "no item")
    screen.isSyncOffered = false
    #expect(!screen.act(ActionCall(action: "sync")), "not declared at this moment")
  }

  @Test("A confirmation question is computed for a description only")
  func questions() {
    var count = 0
    let screen = DeclaringScreen(question: {
      count += 1
      return nil
    })
    screen.act(ActionCall(action: "save"))
    #expect(count == 0)
    _ = screen.describe()
    #expect(count == 1)
  }
}
