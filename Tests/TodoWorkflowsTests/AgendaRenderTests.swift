import ScreenModel
import Testing
import TodoModel
import WorkflowRuntime
import WorkflowTesting

@testable import TodoWorkflows

@Suite("Renderings of the agenda")
struct AgendaRenderTests {
  private func tester(output: TodoWorkflow.Output? = nil) -> RenderTester<AgendaWorkflow> {
    AgendaWorkflow(
      directory: ListDirectory(name: "ann", services: .faked(sources: [.local])), today: .sample
    )
    .renderTester()
    .expectWorkflow(
      type: TodoWorkflow.self,
      producingRendering: .sample([FailureScreen.sample], .answering(.loggedOut)),
      producingOutput: output)
  }

  @Test("Before it is opened, only the list is shown")
  func closed() {
    tester().render { #expect($0.items.map { $0.describe().name } == ["failure"]) }
      .assertNoAction()
  }

  @Test("A wrong filter is reported until another one is set")
  func filter() {
    let workflow = AgendaWorkflow(
      directory: ListDirectory(name: "ann", services: .faked(sources: [.local])), today: .sample)
    var state = workflow.makeInitialState()
    func find(_ text: String) {
      _ = AgendaWorkflow.Action.filter(text, [.local], nil).apply(toState: &state)
    }
    find("milk ")
    state.window = ListWindow(offset: 7)
    find("is:late")
    #expect(state.filter == "milk" && state.failure?.kind == .validation)
    #expect(state.window?.offset == 7)
    find("milk")
    #expect(state.filter == "milk" && state.failure == nil && state.window?.offset == 0)
  }

  @Test("A todo of a list that can only be read says so, and can only be opened")
  func readOnly() throws {
    var screen = AgendaScreen.sample
    let (shared, own) = (TodoListKey(profile: "ann", source: "shared"), TodoListKey.local)
    var agenda = Agenda()
    agenda.rows = [shared, own].map {
      Agenda.Row(.today, .todo(TodoRow(Sample.todo(), hasPreview: false), in: $0))
    }
    screen.rows = AgendaRows(agenda, on: .sample)
    screen.readOnlyLists = [shared]
    let description = screen.describe()
    guard case .list(let list) = description.body else { return mismatch(description) }
    let items = list.items.all
    #expect(items.map(\.isReadOnly) == [true, false])
    #expect(items.map(\.badge) == ["read only", nil])
    func check(_ action: String, _ ids: [String]) throws {
      try ScreenOffer.checkAction(action, items: ids, in: description)
    }
    try check("open", [items[0].id])
    try check("toggle", [items[1].id])
    for action in ["toggle", "remove", "due", "label"] {
      #expect(throws: ScreenOffer.Refusal.self) { try check(action, [items[0].id]) }
    }
    #expect(throws: ScreenOffer.Refusal.self) { try check("toggle", items.map(\.id)) }
  }

  @Test("The action of a list opens it")
  func opened() {
    tester(output: .agendaWanted).render { _ in }
      .assertStateModifications { $0.isOpen = true }
  }
}
