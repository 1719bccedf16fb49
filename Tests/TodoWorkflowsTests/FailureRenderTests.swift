import ScreenModel
import Testing
import TodoModel
import WorkflowTesting

@testable import TodoWorkflows

@Suite("Renderings of a failure")
struct FailureRenderTests {
  private func output(of action: String) -> FailureWorkflow.Output? {
    FailureWorkflow(title: "Not loaded", error: Sample.error).renderTester()
      .render { screen in
        let shown = screen.describe()
        #expect(shown.title == "Not loaded")
        #expect(shown.message?.text == Sample.error.message)
        screen.act(ActionCall(action: action))
      }
      .outputs.first
  }

  @Test("The screen offers a retry and a way back")
  func actions() {
    #expect(output(of: "retry") == .retry)
    #expect(output(of: "back") == .back)
    #expect(output(of: "unknown") == nil)
  }

  @Test("Leaving the screen is the action back")
  func leave() {
    FailureWorkflow(title: "Not loaded", error: Sample.error).renderTester()
      .render { $0.leave() }
      .assert(output: .back)
  }
}
