import TodoModel
import WorkflowRuntime

/// A worker that reads the labels that the items of a source can have, unless they were read
/// recently. Its result is whether the stored labels were replaced; after a failure, they stay.
struct SourceLabelsWorker: Worker {
  var list: TodoListKey
  var remote: any TodoRemote
  var journal: any SyncJournal
  var services: SyncServices

  func run() async -> Bool {
    let run = SyncRun(
      list: list, goal: .labels, remote: remote, journal: journal, services: services)
    do throws(TodoError) {
      return try await run.run { _ in }.hasReadLabels
    } catch {
      return false
    }
  }

  func isEquivalent(to otherWorker: SourceLabelsWorker) -> Bool { list == otherWorker.list }
}

extension TodoWorkflow {
  /// An action that reads the rows again if the stored labels of the source have changed.
  struct SourceLabelsAction: WorkflowAction {
    typealias WorkflowType = TodoWorkflow

    var hasChanged: Bool

    func apply(toState state: inout State) -> Output? {
      if hasChanged { state.readRows() }
      return nil
    }
  }

  /// Reads the labels of the source while a form suggests labels.
  func renderSourceLabels(_ state: State, _ context: RenderContext<TodoWorkflow>) {
    guard case .edit = state.step, let remote = source.remote,
      remote.capabilities.listsLabels, let sync = services.sync, sync.kind == .auto,
      let journal = services.store.journal
    else { return }
    let worker = SourceLabelsWorker(
      list: list, remote: remote, journal: journal, services: sync)
    context.awaitResult(for: worker) { SourceLabelsAction(hasChanged: $0) }
  }
}
