import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Input and output

/// A workflow that shows an error, and lets the user retry or go back.
struct FailureWorkflow: Workflow {
  var title: String
  var error: TodoError

  enum Output {
    case retry
    case back
  }
}

// MARK: Actions

extension FailureWorkflow {
  typealias State = Void

  enum Action: WorkflowAction {
    typealias WorkflowType = FailureWorkflow

    case retryTapped
    case backTapped

    func apply(toState state: inout Void) -> Output? {
      switch self {
      case .retryTapped: .retry
      case .backTapped: .back
      }
    }
  }
}

// MARK: Rendering

extension FailureWorkflow {
  func render(state: Void, context: RenderContext<FailureWorkflow>) -> FailureScreen {
    let sink = context.makeSink(of: Action.self)
    return FailureScreen(
      title: title, error: error, onRetryTapped: { sink.send(.retryTapped) },
      onBackTapped: { sink.send(.backTapped) })
  }
}

struct FailureScreen {
  var title: String
  var error: TodoError
  var onRetryTapped: () -> Void
  var onBackTapped: () -> Void
}

extension FailureScreen: DescribableScreen {
  var contents: Screen {
    Screen(
      name: "failure", title: title, body: .form([]), message: ScreenMessage(.error, error.message))
  }

  func declareActions(in actions: inout ActionDeclarations) {
    actions.add("retry", "Try again", role: .retry, key: "r", isPrimary: true, on: .right) { _ in
      onRetryTapped()
    }
    actions.add("back", "Back", role: .back, key: "b", on: .left) { _ in onBackTapped() }
  }

  func leave() { onBackTapped() }
}
