import TodoModel
import WorkflowRuntime

/// A worker that updates the stored labels of a source, unless these labels were updated recently.
/// Its result is whether the labels were updated. After an error, the stored labels stay unchanged.
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
  /// An action that reads the rows again if the stored list of labels was updated.
  struct SourceLabelsAction: WorkflowAction {
    typealias WorkflowType = TodoWorkflow

    var hasChanged: Bool

    func apply(toState state: inout State) -> Output? {
      if hasChanged { state.readRows() }
      return nil
    }
  }

  /// Updates the stored list of the source's labels while a form that suggests labels is open.
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
