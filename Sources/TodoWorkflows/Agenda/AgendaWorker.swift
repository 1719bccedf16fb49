import ScreenModel
import TodoModel
import WorkflowRuntime

/// A worker that reads the window of the agenda that the user sees.
struct AgendaWorker: Worker {
  typealias Output = Result<AgendaRows, TodoError>

  var query: AgendaQuery
  /// The number of times that each list was read or changed. If a number grows, the agenda is read
  /// again.
  var readCounts: [Int]
  var reads: any AgendaReads

  func run() async -> Output { read() }

  func immediateResult() -> Output? { read() }

  private func read() -> Output {
    Result { () throws(TodoError) in AgendaRows(try reads.agenda(query), on: query.today) }
  }

  func isEquivalent(to otherWorker: AgendaWorker) -> Bool {
    query == otherWorker.query && readCounts == otherWorker.readCounts
  }
}
