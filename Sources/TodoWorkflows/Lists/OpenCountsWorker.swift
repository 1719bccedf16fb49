import TodoModel
import WorkflowRuntime

/// A worker that counts the open todos of a list.
struct OpenCountsWorker: Worker {
  typealias Output = Result<OpenCounts, TodoError>

  var list: TodoListKey
  var today: CivilDay
  /// The number of times that the list was read or changed. If it grows, the todos are counted
  /// again.
  var readCount: Int
  var reads: any AgendaReads

  func run() async -> Output { count() }

  func immediateResult() -> Output? { count() }

  private func count() -> Output {
    Result { () throws(TodoError) in try reads.openCounts(of: list, on: today) }
  }

  func isEquivalent(to otherWorker: OpenCountsWorker) -> Bool {
    list == otherWorker.list && today == otherWorker.today && readCount == otherWorker.readCount
  }
}

extension TodoWorkflow {
  struct OpenCountsAction: WorkflowAction {
    typealias WorkflowType = TodoWorkflow

    var result: OpenCountsWorker.Output

    func apply(toState state: inout State) -> Output? {
      state.openCounts = try? result.get()
      return nil
    }
  }
}
