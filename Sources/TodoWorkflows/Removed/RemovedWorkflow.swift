import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Input and output

/// A workflow that shows the removed todos of a list, and reports which one the user restores or
/// deletes.
struct RemovedWorkflow: Workflow, Equatable {
  var list: RemovedList
  /// The name of the list; `nil` if the user has only one list.
  var source: String?

  enum Output: Equatable {
    case restore(TodoID, OperationToken?)
    case forget(TodoID, OperationToken?)
    case show(ListWindow)
    case back
  }
}

// MARK: Actions

extension RemovedWorkflow {
  typealias State = Void

  struct Action: WorkflowAction {
    typealias WorkflowType = RemovedWorkflow

    var output: Output

    func apply(toState state: inout Void) -> Output? { output }
  }
}

// MARK: Rendering

extension RemovedWorkflow {
  func render(state: Void, context: RenderContext<RemovedWorkflow>) -> RemovedScreen {
    let sink = context.makeSink(of: Action.self)
    return RemovedScreen(
      list: list, source: source,
      onRestoreTapped: { sink.send(Action(output: .restore($0, $1))) },
      onForgetTapped: { sink.send(Action(output: .forget($0, $1))) },
      onWindowChanged: { sink.send(Action(output: .show($0))) },
      onBackTapped: { sink.send(Action(output: .back)) })
  }
}
