import JSONRPC
import ScreenModel
import TodoModel
import TodoWire
import TodoWorkflows

/// What a request is answered with, before it is written.
enum ProtocolAnswer {
  case outcome(TodoOutcome)
  case initialized(InitializeResult)
  case nothing

  /// Writes the response.
  ///
  /// - Parameters:
  ///   - screens: what the user sees when this is written.
  ///   - revision: which rendering that is.
  ///   - rendering: how this front-end is shown screens.
  func write(
    _ id: RequestID, _ screens: [Screen], _ revision: Int64, _ rendering: RenderingWire,
    to writer: inout JSONWriter
  ) {
    switch self {
    case .initialized(let result): writer.response(id: id) { result.write(to: &$0) }
    case .nothing: writer.response(id: id) { NoResult().write(to: &$0) }
    case .outcome(.failed(let error)): writer.response(id: id, error: RPCError(error))
    case .outcome(.refused(let refusal)):
      writer.response(id: id, error: RPCError(refusal, revision: revision))
    case .outcome(.cancelled): writer.response(id: id, error: .requestCancelled())
    case .outcome(.rendering):
      writer.response(id: id) {
        rendering.writeWhole(screens, revision: revision, to: &$0)
      }
    case .outcome(let outcome):
      writer.response(id: id) { outcome.writeResult(screens, revision, to: &$0) }
    }
  }
}

extension TodoOutcome {
  /// About how many bytes the response will have.
  var byteCountGuess: Int {
    switch self {
    case .page(let page, _):
      page.elements.reduce(256) { count, todo in
        count + todo.content.title.utf8.count + todo.content.note.utf8.count + 256
      }
    case .todo(let todo), .changed(let todo): todo.byteCountGuess
    case .restored(let restored): restored.todo?.byteCountGuess ?? 256
    case .failed(let error):
      error.conflict.map {
        512 + ($0.base?.byteCountGuess ?? 0) + $0.mine.byteCountGuess + $0.theirs.byteCountGuess
      } ?? 256
    case .conflicts(let page): page.conflicts.reduce(256) { $0 + $1.merge.byteCountGuess }
    case .synced(let report): 256 + 512 * report.failed.count
    case .planned(let plan): 256 + 128 * plan.count
    case .loggedIn, .registered, .loggedOut, .loaded, .lists, .listOpened, .removed, .shown, .acted,
      .refused, .cancelled, .document:
      256
    // What a screen weighs is not known before it is written. A few of them may go together.
    case .rendering: 64 << 10
    }
  }

  /// Writes the result of an operation that ended well.
  fileprivate func writeResult(
    _ screens: [Screen], _ revision: Int64, to writer: inout JSONWriter
  ) {
    switch self {
    case .page(let page, let query): TodoPageResult(page: page, query: query).write(to: &writer)
    case .todo(let todo): FoundTodo(todo: todo).write(to: &writer)
    case .loggedIn(let name): LoggedIn(name: name, revision: revision).write(to: &writer)
    case .registered(let name): Registered(username: name, revision: revision).write(to: &writer)
    case .loaded(let summary):
      Loaded(
        total: summary.total, isComplete: summary.isComplete, source: summary.source,
        revision: revision
      ).write(to: &writer)
    case .synced(let report): SyncResult(report: report, revision: revision).write(to: &writer)
    case .planned(let plan):
      SyncResult(report: SyncReport(), plan: plan, revision: revision).write(to: &writer)
    case .conflicts(let page): ConflictsResult(page: page).write(to: &writer)
    case .lists(let lists): ListsResult(lists: lists).write(to: &writer)
    case .listOpened(let source): OpenedList(source: source, revision: revision).write(to: &writer)
    case .changed(let todo): ChangedTodo(todo: todo, revision: revision).write(to: &writer)
    case .restored(let restored):
      RestoredResult(restored: restored, revision: revision).write(to: &writer)
    case .acted(let place):
      Acted(outcome: place.move(to: screens), revision: revision).write(to: &writer)
    // No method of this protocol asks for a document.
    case .loggedOut, .removed, .shown, .rendering, .failed, .refused, .cancelled, .document:
      Shown(revision: revision).write(to: &writer)
    }
  }
}

extension Todo {
  fileprivate var byteCountGuess: Int { 256 + content.byteCountGuess }
}

extension Merge {
  fileprivate var byteCountGuess: Int {
    // The proposal has about as much as both sides.
    256 + (base?.byteCountGuess ?? 0) + 2 * (mine.byteCountGuess + theirs.byteCountGuess)
  }
}

extension TodoContent {
  fileprivate var byteCountGuess: Int { title.utf8.count + note.utf8.count }
}
