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
    state.window.offset = 7
    find("is:late")
    #expect(state.filter == "milk" && state.failure?.kind == .validation)
    #expect(state.window.offset == 7)
    find("milk")
    #expect(state.filter == "milk" && state.failure == nil && state.window.offset == 0)
  }

  @Test("The action of a list opens it")
  func opened() {
    tester(output: .agendaWanted).render { _ in }
      .assertStateModifications { $0.isOpen = true }
  }
}
