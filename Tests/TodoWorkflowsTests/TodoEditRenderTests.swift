import ScreenModel
import Testing
import TodoModel
import WorkflowTesting

@testable import TodoWorkflows

@Suite("Renderings of the edit screen")
struct TodoEditRenderTests {
  private var tester: RenderTester<TodoEditWorkflow> {
    TodoEditWorkflow(form: TodoForm(Sample.todo("Milk"), in: .local), isSaving: false, labels: [])
      .renderTester()
  }

  @Test("Save and discard are outputs")
  func outputs() {
    tester
      .render { $0.act(ActionCall(action: "save", token: Sample.token)) }
      .verifyOutput { output in
        guard case .save(stays: false, Sample.token) = output else { return mismatch(output) }
      }
    tester.render { $0.act(ActionCall(action: "discard")) }
      .verifyOutput { output in
        guard case .discard = output else { return mismatch(output) }
      }
  }
}
