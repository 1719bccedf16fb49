import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Input and output

/// A workflow that shows the form for a todo, and reports the user's edits and decisions.
struct TodoEditWorkflow: Workflow, Equatable {
  var form: TodoForm
  var isSaving: Bool
  /// The labels that are suggested to the user.
  var labels: [String]
  /// The maximum lengths of the fields' values.
  var limits = FieldLimits.none
  /// Whether the todo cannot be saved, because the user has only read access to the list.
  var isReadOnly = false

  enum Output {
    /// The user has edited fields. The second value is the base of the form that the user saw.
    /// It is `nil` if the front-end has sent no base.
    case changed(FieldChanges, FormBase?)
    /// The user has saved the text. If `stays` is `true`, the form stays open.
    case save(stays: Bool, OperationToken?)
    /// The user has saved the text of a removed todo as a new todo. If only the todo's item at the
    /// source was removed, the todo remains, and a new item is created for it.
    case saveAsNew(stays: Bool, OperationToken?)
    case discard(OperationToken?)
  }
}

// MARK: Actions

extension TodoEditWorkflow {
  typealias State = Void

  struct Action: WorkflowAction {
    typealias WorkflowType = TodoEditWorkflow

    var output: Output

    func apply(toState state: inout Void) -> Output? { output }
  }
}

// MARK: Rendering

extension TodoEditWorkflow {
  func render(state: Void, context: RenderContext<TodoEditWorkflow>) -> TodoEditScreen {
    let sink = context.makeSink(of: Action.self)
    return TodoEditScreen(
      form: form, isSaving: isSaving, labels: labels, limits: limits, isReadOnly: isReadOnly,
      onChanged: { sink.send(Action(output: .changed($0, $1))) },
      onSaveTapped: { sink.send(Action(output: .save(stays: $0, $1))) },
      onSaveAsNewTapped: { sink.send(Action(output: .saveAsNew(stays: $0, $1))) },
      onDiscardTapped: { sink.send(Action(output: .discard($0))) })
  }
}
