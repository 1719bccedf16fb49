import TodoModel
import WorkflowRuntime

// MARK: Input and output

/// A workflow that runs the operations of a list: the oldest operation of the queue, and all slow
/// reads.
struct QueueWorkflow: Workflow {
  var queue: OperationQueue
  var list: TodoListKey
  var store: any TodoStore
  /// The drafts; `nil` for a store without drafts.
  var drafts: DraftServices?
  /// The maximum lengths of the fields' values.
  var limits = FieldLimits.none

  enum Output {
    /// An operation has ended with this result.
    case ended(QueuedOperation, Result<ListResult, TodoError>)
    /// A slow read has ended with this result.
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
