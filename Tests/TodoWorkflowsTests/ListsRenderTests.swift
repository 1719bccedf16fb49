import ScreenModel
import Testing
import TodoModel
import WorkflowRuntime
import WorkflowTesting

@testable import TodoWorkflows

@Suite("Renderings of several lists")
struct ListsRenderTests {
  private let sources = [TodoSource.local, .faked()]

  private func tester(
    open: String? = nil, output: TodoWorkflow.Output? = nil
  ) -> RenderTester<ListsWorkflow> {
    let workflow = ListsWorkflow(
      directory: ListDirectory(name: "ann", services: .faked(sources: sources)),
      today: .sample)
    var state = workflow.makeInitialState()
    state.open = open
    var tester = workflow.renderTester(initialState: state)
    for source in sources {
      tester = tester.expectWorkflow(
        type: TodoWorkflow.self, key: source.name,
        producingRendering: .sample([FailureScreen.sample], .answering(.loggedOut)),
        producingOutput: source.remote == nil ? output : nil,
        assertions: { #expect($0.source.name == source.name && !$0.isLeaving) })
    }
    return tester
  }

  @Test("Every list is rendered, and the open one is on top")
  func items() {
    tester().render { #expect($0.items.map { $0.describe().name } == ["lists"]) }
    tester(open: "github:octo/tasks")
      .render { #expect($0.items.map { $0.describe().name } == ["lists", "failure"]) }
      .assertNoOutput()
  }

  @Test("An operation without a list needs one first")
  func noList() {
    tester().render { rendering in
      guard case .failed(let error) = rendering.operations.begin(.load(refresh: true), Sample.token)
      else { return mismatch(rendering) }
      #expect(error.kind == .validation)
    }
    .assertNoAction()
    tester(open: "local").render { rendering in
      #expect(rendering.operations.begin(.load(refresh: true), Sample.token) == .loggedOut)
    }
  }

  @Test("A list that is closed is not open any more")
  func closed() {
    tester(open: "local", output: .closed)
      .render { _ in }
      .assertStateModifications { $0.open = nil }
  }
}
