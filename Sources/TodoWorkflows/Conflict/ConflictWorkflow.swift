import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Input and output

/// A workflow that shows the sides of a conflict, and reports the user's edits and decision.
struct ConflictWorkflow: Workflow, Equatable {
  var comparison: Comparison
  var isSaving: Bool
  /// The maximum lengths of the fields' values.
  var limits = FieldLimits.none

  enum Output {
    /// The user has edited the merged text. The second value is the base of the form that the user
    /// saw.
    case changed(merged: String?, FormBase?)
    /// The user has decided how to resolve the conflict. If `stays` is `true`, the form for the
    /// todo opens afterwards.
    case decide(Resolution, stays: Bool, OperationToken?)
    /// The user has left the conflict unresolved.
    case leave(OperationToken?)
  }
}

// MARK: Actions

extension ConflictWorkflow {
  typealias State = Void

  struct Action: WorkflowAction {
    typealias WorkflowType = ConflictWorkflow

    var output: Output

    func apply(toState state: inout Void) -> Output? { output }
  }
}

// MARK: Rendering

extension ConflictWorkflow {
  func render(state: Void, context: RenderContext<ConflictWorkflow>) -> ConflictScreen {
    let sink = context.makeSink(of: Action.self)
    return ConflictScreen(
      comparison: comparison, isSaving: isSaving, limits: limits,
      onChanged: { sink.send(Action(output: .changed(merged: $0, $1))) },
      onDecided: { sink.send(Action(output: .decide($0, stays: $1, $2))) },
      onLeft: { sink.send(Action(output: .leave($0))) })
  }
}
