import ScreenModel
import TestSupport
import Testing
import TodoModel

@testable import TodoWorkflows

@Suite("The rules for every screen")
struct ScreenRulesTests {
  private static var screens: [any DescribableScreen] {
    [
      WelcomeScreen.sample, RegisterScreen.sample, LoadingScreen.sample, TodoListScreen.sample,
      TodoEditScreen.sample, ConflictScreen.sample, FailureScreen.sample, ListsScreen.sample,
      DraftsScreen.sample, RemovedScreen.sample, AgendaScreen.sample,
    ]
  }

  /// The same screens in other states than the initial one.
  private static var others: [any DescribableScreen] {
    var removed = TodoEditScreen.sample
    removed.form.markRemoved()
    let withSource = TodoListScreen.sample(
      status: ListStatus(pending: 0, conflicts: 0, failed: 0), source: "github:octo/tasks",
      hasAgenda: true)
    let sides = ConflictSides(
      SourceConflict(
        id: TodoID("t1"), version: 1,
        merge: Merge(
          base: nil, mine: TodoContent(title: "a", note: "", isDone: false),
          theirs: TodoContent(title: "b", note: "", isDone: true))))
    var conflict = ConflictScreen.sample
    conflict.comparison = Comparison(sides, in: .local)
    return [removed, withSource, conflict]
  }

  /// Returns the broken rules of a screen, in words.
  private static func problems(of screen: Screen) -> [String] {
    let actions = screen.actions
    var problems: [String] = []
    func unique(_ what: String, _ values: [String]) {
      for value in Set(values) where values.count(where: { $0 == value }) > 1 {
        problems.append("the \(what) \(value) is there twice")
      }
    }
    unique("name", actions.map(\.name))
    unique("role", actions.compactMap(\.role?.rawValue))
    unique("key", actions.compactMap(\.key).map { String($0) })
    unique("primary action", actions.filter(\.isPrimary).map(\.scope.rawValue))
    for action in actions {
      if action.key == nil { problems.append("\(action.name) has no key") }
      // No editor has a key for an action that first asks for input for an item.
      if action.role == nil, action.input.isEmpty { problems.append("\(action.name) has no role") }
      if action.scope == .item, !screen.isList { problems.append("\(action.name) has no list") }
    }
    for end in [screen.bar.left, screen.bar.right].compactMap(\.self)
    where !actions.contains(where: { $0.name == end }) {
      problems.append("the bar names \(end), which is not an action")
    }
    return problems
  }

  @Test("Each typed screen of the project is tested here")
  func all() throws {
    let files = FileTree.files(
      below: ProjectFolder().path + "/Sources/TodoWorkflows", ending: ".swift")
    let texts = try files.map { try #require(FileTree.text(of: $0)) }
    let declared = texts.map { $0.ranges(of: ": DescribableScreen {").count }.reduce(0, +)
    #expect(declared == Self.screens.count)
  }

  @Test(
    "Roles and keys are used once on a screen, and the bar names actions",
    arguments: (screens + others).map { $0.describe() })
  func rules(screen: Screen) {
    #expect(Self.problems(of: screen) == [])
  }

  @Test("Each described action has an effect")
  func effects() {
    for screen in Self.screens + Self.others {
      for action in screen.describe().actions {
        let isForItem = action.scope == .item
        #expect(screen.act(ActionCall(action: action.name, items: isForItem ? ["t1"] : [])))
        #expect(screen.act(ActionCall(action: action.name)) != isForItem)
      }
      #expect(!screen.act(ActionCall(action: "unknown")))
    }
  }

  @Test("Broken rules are found")
  func planted() {
    var screen = FailureScreen.sample.describe()
    screen.actions.append(screen.actions[1])
    screen.bar.left = "away"
    #expect(
      Set(Self.problems(of: screen)) == [
        "the name back is there twice", "the role back is there twice",
        "the key b is there twice", "the bar names away, which is not an action",
      ])
    screen = FailureScreen.sample.describe()
    for index in screen.actions.indices {
      screen.actions[index].isPrimary = true
      (screen.actions[index].role, screen.actions[index].key) = (nil, nil)
    }
    #expect(
      Set(Self.problems(of: screen)) == [
        "the primary action screen is there twice", "retry has no key", "retry has no role",
        "back has no key", "back has no role",
      ])
  }

  @Test("The key of an action never changes")
  func keys() {
    let keys = (Self.screens + Self.others).flatMap { screen in
      screen.describe().actions.map { "\($0.name) \($0.key.map { String($0) } ?? "")" }
    }
    // Users have learnt these keys: only add to this list.
    #expect(
      Set(keys) == [
        "login l", "openRegister r", "register r", "back b", "cancel c", "open o", "toggle x",
        "remove d", "add a", "reload r", "filter /", "undo u", "redo U", "logout L", "save s",
        "saveAsNew s", "discard d", "keepMine m", "takeTheirs t", "saveMerged s", "retry r",
        "sync y", "lists b", "later b", "removed R", "restore r", "forget d",
        "due D", "label l", "priority p", "agenda A", "close b",
        "moveUp K", "moveDown J",
      ])
  }

  @Test("A screen has a subject, and keeps its id while the subject is the same")
  func identities() {
    let screens = Self.screens.map { $0.describe() }
    #expect(
      screens.map(\.id) == [
        "welcome", "register", "loading", "todoList/ann", "todoEdit/ann/local/t1",
        "conflict/ann/local/t1", "failure",
        "lists/ann", "drafts/t1", "removed/ann", "agenda/ann",
      ])
    #expect(screens.compactMap(\.subject) == ["Milk", "Soy milk", "Buy milk"])
    let list = TodoListScreen.sample(key: TodoListKey(profile: "bob", source: ""), filter: "milk")
    #expect(list.describe().id == "todoList/bob")
    var edit = TodoEditScreen.sample
    edit.form.apply(FieldChanges(texts: ["title": "Oat milk"]), basedOn: nil)
    #expect(edit.describe().subject == "Milk", "unsaved text does not change the subject")
  }

  @Test("The logout action does not have the role back")
  func logout() {
    let actions = TodoListScreen.sample.describe().actions
    #expect(actions.first { $0.name == "logout" }?.role == .logout)
    #expect(!actions.contains { $0.role == .back })
  }

  @Test("Back asks only if it would drop text")
  func confirmations() {
    func question(_ screen: any DescribableScreen) -> String? {
      screen.describe().actions.first { $0.role == .back }?.confirm
    }
    var edit = TodoEditScreen.sample
    #expect(question(edit) == nil)
    edit.form.apply(FieldChanges(texts: ["note": "x"]), basedOn: nil)
    #expect(question(edit) == "Discard what you typed?")
    var register = RegisterScreen.sample
    #expect(question(register) == nil)
    register.password = Secret("x")
    #expect(question(register) == "Leave without registering?")
    register = .sample
    register.username = "a"
    #expect(question(register) == "Leave without registering?")
    #expect(question(FailureScreen.sample) == nil)
  }
}
