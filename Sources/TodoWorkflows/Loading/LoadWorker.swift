import ScreenModel
import TodoModel
import WorkflowRuntime

/// A worker that syncs a list with its source, and then reads the rows from the store. In the first
/// load of a session, it also reads the rows before the sync, if the list was completely loaded
/// from this source in an earlier session. The user then does not wait for the network.
///
/// For the local source, it only reads the rows.
struct LoadWorker: StreamWorker {
  var list: TodoListKey
  var source = TodoSource.local
  var services: TodoServices
  var goal = SyncGoal.pull
  /// Whether this is the first load of the session, before which no rows are shown.
  var isFirst = false
  /// The window of rows to read.
  var window = ListWindow.whole

  enum Event: Sendable {
    /// The rows were read before the sync. `syncedAt` is the time of the last sync that has loaded
    /// all changes.
    case opened(TodoRows, syncedAt: Timestamp?)
    case progressed(LoadProgress)
    /// A todo was sent to the source.
    case sent
    case loaded(TodoRows, SyncReport = .local)
    case failed(TodoError, rows: TodoRows?, SyncReport = SyncReport())
  }

  func run(emit: @escaping @Sendable (Event) -> Void) async {
    var report = SyncReport.local
    var failure: TodoError?
    do throws(TodoError) {
      if let remote = source.remote, let sync = services.sync,
        let journal = services.store.journal
      {
        if isFirst { try await open(journal, remote, emit: emit) }
        let run = SyncRun(
          list: list, goal: goal, remote: remote, journal: journal, services: sync)
        report = try await run.run { progress in
          switch progress {
          case .page(let pages): emit(.progressed(pages))
          case .sent: emit(.sent)
          }
        }
        failure = report.error
      }
    } catch {
      failure = error
    }
    do throws(TodoError) {
      let rows = try await readRows()
      emit(failure.map { .failed($0, rows: rows, report) } ?? .loaded(rows, report))
    } catch {
      emit(.failed(failure ?? error, rows: nil, report))
    }
  }

  /// Emits the stored rows, if the list was completely loaded before.
  private func open(
    _ journal: any SyncJournal, _ remote: any TodoRemote, emit: (Event) -> Void
  ) async throws(TodoError) {
    let record = try journal.remote(of: list)
    guard record.isComplete, record.baseURL == remote.address.baseURL else { return }
    emit(.opened(try await readRows(), syncedAt: record.syncedAt))
  }

  private func readRows() async throws(TodoError) -> TodoRows {
    try await services.store.loaded(list).rows(
      TodoQuery(), window, in: list, on: services.days.today)
  }

  func isEquivalent(to otherWorker: LoadWorker) -> Bool { list == otherWorker.list }
}

extension SyncReport {
  /// The report of a sync for the local source, which has nothing to sync.
  static let local: SyncReport = {
    var report = SyncReport()
    report.isComplete = true
    return report
  }()
}
