import TodoModel
import WorkflowRuntime

// MARK: Input and output

/// Carries out what a list was asked for: the oldest operation of its queue, and beside it the pages
/// that take long to read.
struct QueueWorkflow: Workflow {
  var queue: OperationQueue
  var list: TodoListKey
  var store: any TodoStore
  /// `nil` for a store without drafts.
  var drafts: DraftServices?
  /// The longest values of the list's todos.
  var limits = FieldLimits.none

  enum Output {
    /// The store has carried out the operation, or has not.
    case ended(QueuedOperation, Result<ListResult, TodoError>)
    /// A page has been read, or could not be.
    case read(BackgroundRead, Result<TodoOutcome, TodoError>)
  }
}

// MARK: Actions

extension QueueWorkflow {
  typealias State = Void

  struct Action: WorkflowAction {
    typealias WorkflowType = QueueWorkflow

    var output: Output

    func apply(toState state: inout Void) -> Output? { output }
  }
}

// MARK: Rendering

extension QueueWorkflow {
  func render(state: Void, context: RenderContext<QueueWorkflow>) {
    if let entry = queue.entries.first {
      let worker = OperationWorker(
        entry: entry, list: list, store: store, drafts: drafts, limits: limits)
      context.awaitResult(for: worker) { Action(output: .ended(entry, $0)) }
    }
    for read in queue.slowReads {
      context.awaitResult(for: BackgroundReadWorker(read: read), key: "\(read.number)") {
        Action(output: .read(read, $0))
      }
    }
  }
}
