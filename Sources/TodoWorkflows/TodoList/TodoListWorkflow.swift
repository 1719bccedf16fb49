import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Input and output

/// A workflow that shows the todos of a list, and reports the user's actions.
struct TodoListWorkflow: Workflow {
  var key: TodoListKey
  var list: ListContents
  var isLoading: Bool
  var status: ListStatus?
  /// Whether changes can be undone.
  var hasHistory = true
  /// Whether several todos can be changed in one transaction.
  var hasGroups = true
  /// Whether removed todos can be restored.
  var hasRemoved = true
  /// Whether todos can be moved.
  var hasOrdering = true
  /// Whether the screen has an action that opens the agenda.
  var hasAgenda = false
  /// The name of the list's source on the wire, such as `local`; `nil` if the user has only one
  /// list.
  var source: String?
  /// The title of the list's source, for the title of the screen; `nil` if the user has only one
  /// list and this list has no filter.
  var place: String?
  /// Whether the screen has the action that adds a todo. It is `false` if the filter would hide a
  /// new todo.
  var isAddingOffered = true
  /// The kinds of details that the todos can have.
  var details: Set<SourceDetail> = []

  enum Output {
    case open(TodoID, OperationToken?)
    case reopen(FormText, OperationToken?)
    case toggle([TodoID], OperationToken?)
    case remove([TodoID], OperationToken?)
    /// Changes one field of the todos. The adjustment is `nil` if the user has entered nothing.
    case adjust([TodoID], FieldAdjustment?, OperationToken?)
    case move(TodoID, MoveDirection, OperationToken?)
    case add(title: String, OperationToken?)
    case filter(String, OperationToken?)
    case show(ListWindow, OperationToken?)
    case reload
    case sync
    case close
    case removed(OperationToken?)
    case agenda
    case undo(OperationToken?)
    case redo(OperationToken?)
    case logOut(OperationToken?)
  }
}

// MARK: State

extension TodoListWorkflow {
  typealias State = Void
}

extension TodoListWorkflow: Equatable {}

// MARK: Actions

extension TodoListWorkflow {
  struct Action: WorkflowAction {
    typealias WorkflowType = TodoListWorkflow

    /// The user's action, which becomes the output of the workflow.
    var output: Output

    func apply(toState state: inout Void) -> Output? { output }
  }
}

// MARK: Rendering

extension TodoListWorkflow {
  func render(state: Void, context: RenderContext<TodoListWorkflow>) -> TodoListScreen {
    let sink = context.makeSink(of: Action.self)
    return TodoListScreen(
      key: key, rows: list.rows, removedWithDraft: list.removedWithDraft,
      draftRowsAbove: list.draftRowsAbove, filter: list.filter, selection: list.selection,
      message: list.message, isLoading: isLoading, status: status,
      hasHistory: hasHistory, hasGroups: hasGroups, hasRemoved: hasRemoved,
      hasOrdering: hasOrdering,
      hasAgenda: hasAgenda, source: source, place: place, isAddingOffered: isAddingOffered,
      details: details,
      onOutput: { sink.send(Action(output: $0)) })
  }
}
