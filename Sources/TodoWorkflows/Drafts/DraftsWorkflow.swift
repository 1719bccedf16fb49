import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Input and output

/// A workflow that shows the drafts of a todo, and reports which one the user opens or discards.
struct DraftsWorkflow: Workflow, Equatable {
  var choice: DraftChoice

  enum Output: Equatable {
    case open(number: Int64, OperationToken?)
    case discard(number: Int64, OperationToken?)
    case back
  }
}

// MARK: Actions

extension DraftsWorkflow {
  typealias State = Void

  struct Action: WorkflowAction {
    typealias WorkflowType = DraftsWorkflow

    var output: Output

    func apply(toState state: inout Void) -> Output? { output }
  }
}

// MARK: Rendering

extension DraftsWorkflow {
  func render(state: Void, context: RenderContext<DraftsWorkflow>) -> DraftsScreen {
    let sink = context.makeSink(of: Action.self)
    return DraftsScreen(
      choice: choice,
      onOpenTapped: { sink.send(Action(output: .open(number: $0, $1))) },
      onDiscardTapped: { sink.send(Action(output: .discard(number: $0, $1))) },
      onBackTapped: { sink.send(Action(output: .back)) })
  }
}
