import ScreenModel
import Testing
import TodoModel
import WorkflowTesting

@testable import TodoWorkflows

@Suite("Actions of the screens on the list")
struct TodoScreenActionTests {
  private let token = Sample.token

  @Test("The list passes on the user's actions")
  func list() {
    TodoListWorkflow.Action.tester(withState: ())
      .send(action: .init(output: .reload))
      .verifyOutput { output in
        guard case .reload = output else { return mismatch(output) }
      }
  }

  @Test("A failure ends with retry or back")
  func failure() {
    FailureWorkflow.Action.tester(withState: ())
      .send(action: .retryTapped)
      .verifyOutput { #expect($0 == .retry) }
      .send(action: .backTapped)
      .verifyOutput { #expect($0 == .back) }
  }

  @Test("Loading shows progress, and passes on its end")
  func loading() {
    let progress = LoadProgress(pagesDone: 1, pageCount: 2)
    LoadingWorkflow.Action.tester(withState: .init())
      .send(action: .worker(.progressed(progress)))
      .verifyOutput { output in
        guard case .progressed(progress) = output else { return mismatch(output) }
      }
      .assert(state: .init(progress: progress))
      .send(action: .worker(.loaded(TodoRows())))
      .verifyOutput { output in
        guard case .loaded = output else { return mismatch(output) }
      }
      .send(action: .worker(.failed(Sample.error, rows: nil)))
      .verifyOutput { output in
        guard case .failed(Sample.error, rows: nil, _) = output else { return mismatch(output) }
      }
      .send(action: .cancelTapped)
      .verifyOutput { output in
        guard case .cancelled = output else { return mismatch(output) }
      }
  }
}
