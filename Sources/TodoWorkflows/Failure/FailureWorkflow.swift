import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Input and output

/// Says what went wrong, and offers to try again or to go on without.
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
  private enum Action { static let (retry, back) = ("retry", "back") }

  func describe() -> Screen {
    Screen(
      name: "failure", title: title, bar: ScreenBar(left: Action.back, right: Action.retry),
      body: .form([]), message: ScreenMessage(.error, error.message),
      actions: [
        ScreenAction(
          name: Action.retry, title: "Try again", role: .retry, key: "r", isPrimary: true),
        ScreenAction(name: Action.back, title: "Back", role: .back, key: "b"),
      ])
  }

  func leave() { onBackTapped() }

  func act(_ call: ActionCall) {
    switch call.action {
    case Action.retry: onRetryTapped()
    case Action.back: onBackTapped()
    default: break
    }
  }
}
