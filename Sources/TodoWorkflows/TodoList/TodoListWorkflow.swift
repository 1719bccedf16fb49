import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Input and output

/// Shows a person's todos, and says what the person wants done with them.
struct TodoListWorkflow: Workflow {
  var name: String
  var rows: TodoRows
  var filter: String
  var message: ScreenMessage?
  var isLoading: Bool

  enum Output {
    case open(TodoID, OperationToken?)
    case toggle(TodoID, OperationToken?)
    case remove(TodoID, OperationToken?)
    case add(title: String, OperationToken?)
    case filter(String, OperationToken?)
    case reload
    case logOut(OperationToken?)
  }
}

// MARK: State

extension TodoListWorkflow {
  /// The rows as items, made once for each change of the rows.
  struct State: Equatable {
    var items: ListItems
  }

  func makeInitialState() -> State { State(items: ListItems(rows.all.map { ListItem($0) })) }

  func workflowDidChange(from previousWorkflow: TodoListWorkflow, state: inout State) {
    if rows != previousWorkflow.rows { state = makeInitialState() }
  }
}

extension TodoListWorkflow: Equatable {}

extension ListItem {
  fileprivate init(_ row: TodoRow) {
    let badge: String? =
      switch row.sync {
      case .local, .synced: nil
      case .pending: "pending"
      case .conflict: "conflict"
      }
    self.init(
      id: row.id.text, title: row.title, detail: row.number.map { "#\($0)" },
      isChecked: row.isDone, badge: badge)
  }
}

// MARK: Actions

extension TodoListWorkflow {
  struct Action: WorkflowAction {
    typealias WorkflowType = TodoListWorkflow

    /// A list only passes on what its user wants.
    var output: Output

    func apply(toState state: inout State) -> Output? { output }
  }
}

// MARK: Rendering

extension TodoListWorkflow {
  func render(state: State, context: RenderContext<TodoListWorkflow>) -> TodoListScreen {
    let sink = context.makeSink(of: Action.self)
    return TodoListScreen(
      name: name, items: state.items, filter: filter, message: message, isLoading: isLoading,
      onOutput: { sink.send(Action(output: $0)) })
  }
}
