import ScreenModel
import TodoModel
import WorkflowRuntime

/// Loads a list: page after page from the service into the store, then the rows from the store.
///
/// With the local source there is nothing to fetch, and only the rows are read.
struct LoadWorker: StreamWorker {
  var list: TodoListKey
  var services: TodoServices
  /// The rows that are wanted at the end.
  var window = ListWindow.whole

  enum Event: Sendable {
    case progressed(LoadProgress)
    case loaded(TodoRows)
    case failed(TodoError, rows: TodoRows?)
  }

  func run(emit: @escaping @Sendable (Event) -> Void) async {
    do throws(TodoError) {
      if let service = services.issues { try await fetch(from: service, emit: emit) }
      emit(.loaded(try readRows()))
    } catch {
      emit(.failed(error, rows: try? readRows()))
    }
  }

  private func fetch(
    from service: any IssueService, emit: @Sendable (Event) -> Void
  ) async throws(TodoError) {
    var link: PageLink?
    var numbers: Set<Int64> = []
    var progress = LoadProgress(pagesDone: 0)
    repeat {
      let page = try await service.issues(at: link)
      if Task.isCancelled { return }
      // While pages are fetched the list may shift, and an issue can come twice.
      let keptCount = numbers.count
      let fresh = page.issues.filter { numbers.insert($0.number).inserted }
      try services.store.keep(fresh, at: keptCount, in: list)
      progress.pagesDone += 1
      progress.pageCount = page.pageCount ?? progress.pageCount
      emit(.progressed(progress))
      link = page.next
    } while link != nil
    try services.store.finishLoad(keeping: numbers, in: list)
  }

  private func readRows() throws(TodoError) -> TodoRows {
    try services.store.rows(TodoQuery(), window, in: list)
  }

  func isEquivalent(to otherWorker: LoadWorker) -> Bool { list == otherWorker.list }
}
