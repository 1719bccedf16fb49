import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Input and output

/// Shows a person's todos, and says what the person wants done with them.
struct TodoListWorkflow: Workflow {
  var name: String
  var list: ListContents
  var isLoading: Bool
  var status: ListStatus?
  /// Which list it is, where there are several.
  var source: String?

  enum Output {
    case open(TodoID, OperationToken?)
    case reopen(TypedText, OperationToken?)
    case toggle(TodoID, OperationToken?)
    case remove(TodoID, OperationToken?)
    case add(title: String, OperationToken?)
    case filter(String, OperationToken?)
    case show(ListWindow, OperationToken?)
    case reload
    case sync
    case close
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

    /// A list only passes on what its user wants.
    var output: Output

    func apply(toState state: inout Void) -> Output? { output }
  }
}

// MARK: Rendering

extension TodoListWorkflow {
  func render(state: Void, context: RenderContext<TodoListWorkflow>) -> TodoListScreen {
    let sink = context.makeSink(of: Action.self)
    return TodoListScreen(
      name: name, rows: list.rows, filter: list.filter, selected: list.selected,
      message: list.message, isLoading: isLoading, status: status, source: source,
      onOutput: { sink.send(Action(output: $0)) })
  }
}
