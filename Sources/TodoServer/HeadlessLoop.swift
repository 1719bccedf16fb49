import ScreenModel
import TodoModel
import TodoWorkflows
import WorkflowRuntime

/// A loop without an adapter and screens. It runs operations, and returns their outcomes and the
/// workers to start.
///
/// Like `Loop`, it is synchronous and does no I/O.
///
///     let token = loop.begin(.list(.document(.changeToken)))
///     for effect in loop.settle() { startOrStop(effect) }
///     loop.deliver(output)
///     let outcome = loop.removeOutcome(of: token)
package struct HeadlessLoop {
  private let services: TodoServices
  private let host: WorkflowHost<RootWorkflow>
  private var outcomes: [OperationToken: TodoOutcome] = [:]
  private var tokenCount: UInt64 = 0

  /// Opens the store and the sources that the options name.
  ///
  /// - Throws: `TodoError` if the store or a source cannot be opened.
  package init(_ setup: LoopSetup) throws(TodoError) {
    services = try setup.openServices(setup.options)
    host = WorkflowHost(
      workflow: RootWorkflow(services: services, window: ListWindow(limit: 0)),
      observers: setup.observers)
  }

  /// A message for the user about opening the store, such as that a damaged file was renamed; `nil`
  /// if there is none.
  package var notice: String? { services.notice }

  /// The current day of the user.
  package var today: CivilDay { services.days.today }

  /// Begins an operation, and returns its token. The outcome is available immediately, or after a
  /// later `settle()`.
  package mutating func begin(_ operation: TodoOperation) -> OperationToken {
    tokenCount += 1
    let token = OperationToken(number: tokenCount)
    outcomes[token] = host.rendering.operations.begin(operation, token)
    return token
  }

  /// Removes and returns the outcome of an operation; `nil` while the operation is in flight.
  package mutating func removeOutcome(of token: OperationToken) -> TodoOutcome? {
    outcomes.removeValue(forKey: token)
  }

  package func deliver(_ output: WorkerOutput) { host.deliver(output) }

  /// Runs the workflows until they have nothing more to do.
  ///
  /// - Returns: The workers to start and to stop. The caller must do this in the order of the
  ///   array.
  package mutating func settle() -> [WorkerEffect] {
    var effects: [WorkerEffect] = []
    while let (outputs, workers) = host.advance() {
      for case .ended(let ends) in outputs {
        for end in ends { outcomes[end.token] = end.outcome }
      }
      effects += workers
    }
    return effects
  }

  /// Closes the store. No event may follow.
  package func close() { services.store.sharedFile?.close() }
}

extension WorkflowHost where WorkflowType == RootWorkflow {
  /// Removes and returns the outputs of the workflows, and the workers to start and to stop.
  ///
  /// If the output of a worker is available immediately, this method delivers the output to the
  /// workflows, and does not return the worker.
  ///
  /// - Returns: `nil` if the workflows have nothing more to do. Otherwise, call this method again.
  func advance() -> (outputs: [RootWorkflow.Output], workers: [WorkerEffect])? {
    let (outputs, workers) = (drainOutputs(), drainWorkerEffects())  // words: ok
    if outputs.isEmpty, workers.isEmpty { return nil }
    let waiting = workers.filter { effect in
      guard case .start(let task) = effect, let output = task.immediate() else { return true }
      deliver(output)
      return false
    }
    return (outputs, waiting)
  }
}
