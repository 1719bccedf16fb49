import ScreenModel
import TodoModel
import WorkflowRuntime

/// A read of a page of todos that is slow, because many todos must be sorted or searched. The read
/// runs on another thread, on a snapshot of the list, while other operations run.
struct BackgroundRead: Sendable, Equatable {
  /// The number of the operation that requested the page.
  var number: Int
  var query: TodoQuery
  var reader: any TodoReader
  var token: OperationToken

  static func == (a: BackgroundRead, b: BackgroundRead) -> Bool { a.number == b.number }
}

/// A worker that runs a slow read of a page of todos. If its task is cancelled, the read stops.
struct BackgroundReadWorker: Worker {
  var read: BackgroundRead

  func run() async -> Result<TodoOutcome, TodoError> {
    await withTaskCancellationHandler {
      Result { () throws(TodoError) in try answer() }
    } onCancel: {
      read.reader.cancel()
    }
  }

  private func answer() throws(TodoError) -> TodoOutcome {
    switch try read.reader.answer(.todos(read.query)) {
    case .todos(let page): .page(page, read.query)
    case .rows, .position: throw .storage("The store answered another question.")
    }
  }

  func isEquivalent(to otherWorker: BackgroundReadWorker) -> Bool { read == otherWorker.read }
}
