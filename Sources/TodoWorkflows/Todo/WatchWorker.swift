import TodoModel
import WorkflowRuntime

/// A worker that reports changes that other processes make to the store.
package struct WatchWorker: StreamWorker {
  var file: any SharedStoreFile

  package struct Changed: Sendable {
    package init() {}
  }

  package func run(emit: @escaping @Sendable (Changed) -> Void) async {
    await file.watchChanges { emit(Changed()) }
  }

  package func isEquivalent(to otherWorker: WatchWorker) -> Bool { true }
}

extension TodoWorkflow {
  /// An action that reads everything on the screens again, because another process has changed the
  /// store. Unsaved text stays unchanged.
  struct ChangedElsewhereAction: WorkflowAction {
    typealias WorkflowType = TodoWorkflow

    func apply(toState state: inout State) -> Output? {
      state.readAgain()
      return nil
    }
  }
}
