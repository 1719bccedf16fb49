import TodoModel
import WorkflowRuntime

/// Tells when another program has changed what the store keeps: somebody else's editor, on the
/// same file.
struct WatchWorker: StreamWorker {
  var store: any LocalTodoStore

  struct Changed: Sendable {}

  func run(emit: @escaping @Sendable (Changed) -> Void) async {
    await store.watchChanges { emit(Changed()) }
  }

  func isEquivalent(to otherWorker: WatchWorker) -> Bool { true }
}

extension TodoWorkflow {
  /// Something was changed elsewhere: what is shown is read anew. What was typed stays.
  struct ChangedElsewhereAction: WorkflowAction {
    typealias WorkflowType = TodoWorkflow

    func apply(toState state: inout State) -> Output? {
      state.readAgain()
      return nil
    }
  }
}
