import TodoModel
import WorkflowRuntime

/// Reports changes of the store by other processes.
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
  /// A change of the store by another process, after which everything on the screens is read again.
  /// Unsaved text stays.
  struct ChangedElsewhereAction: WorkflowAction {
    typealias WorkflowType = TodoWorkflow

    func apply(toState state: inout State) -> Output? {
      state.readAgain()
      return nil
    }
  }
}
