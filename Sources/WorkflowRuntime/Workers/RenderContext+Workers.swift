extension RenderContext {
  /// Requests a worker whose output is an action.
  ///
  /// ```swift
  /// context.awaitResult(for: LoadingWorker())
  /// ```
  ///
  /// - Parameters:
  ///   - worker: the work. If an equivalent worker is already running under the key, that worker
  ///     continues and `worker` is not started.
  ///   - key: distinguishes workers of the same type.
  @inlinable
  public func awaitResult<Work: Worker>(for worker: Work, key: String = "")
  where Work.Output: WorkflowAction, Work.Output.WorkflowType == WorkflowType {
    awaitResult(for: worker, key: key, outputMap: { $0 })
  }

  /// Requests a worker and maps its output to an action.
  ///
  /// The `outputMap` of the latest render is used, even if an earlier render started the worker.
  ///
  /// ```swift
  /// context.awaitResult(for: LoadUser(id: state.id)) { result in Action.loaded(result) }
  /// ```
  @inlinable
  public func awaitResult<Work: Worker, Action: WorkflowAction>(
    for worker: Work, key: String = "", outputMap: @escaping (Work.Output) -> Action
  ) where Action.WorkflowType == WorkflowType {
    keep(
      worker, key: key, isStream: false, isEquivalent: { $0.isEquivalent(to: $1) },
      bubbling: { ($0 as? Work.Output).map { PendingAction(received: outputMap($0)) } },
      makeTask: { WorkerTask(id: $0, key: $1, worker: $2) })
  }

  /// Requests a worker with several outputs, each of them an action.
  ///
  /// ```swift
  /// context.awaitResult(for: Presses())
  /// ```
  @inlinable
  public func awaitResult<Work: StreamWorker>(for worker: Work, key: String = "")
  where Work.Output: WorkflowAction, Work.Output.WorkflowType == WorkflowType {
    awaitResult(for: worker, key: key, outputMap: { $0 })
  }

  /// Requests a worker with several outputs and maps each to an action.
  ///
  /// ```swift
  /// context.awaitResult(for: Ticks()) { Action.ticked($0) }
  /// ```
  @inlinable
  public func awaitResult<Work: StreamWorker, Action: WorkflowAction>(
    for worker: Work, key: String = "", outputMap: @escaping (Work.Output) -> Action
  ) where Action.WorkflowType == WorkflowType {
    keep(
      worker, key: key, isStream: true, isEquivalent: { $0.isEquivalent(to: $1) },
      bubbling: { ($0 as? Work.Output).map { PendingAction(received: outputMap($0)) } },
      makeTask: { WorkerTask(id: $0, key: $1, worker: $2) })
  }

  /// Keeps the running worker if it is equivalent to `worker`; otherwise starts `worker`.
  @inlinable
  func keep<Work: Sendable>(
    _ worker: Work, key: String, isStream: Bool, isEquivalent: @escaping (Work, Work) -> Bool,
    bubbling: @escaping (any Sendable) -> PendingAction?,
    makeTask: (WorkerID, String, Work) -> WorkerTask
  ) {
    let node = node
    let core = node.core
    if core.isStaged, let stage = core.stage {
      return stage.awaitResult(
        for: worker, key: key, isEquivalent: isEquivalent, bubbling: bubbling)
    }
    let slot: TypedWorkerSlot<Work>
    if let known = node.claimWorker(ObjectIdentifier(Work.self), key) {
      slot = unsafeDowncast(known, to: TypedWorkerSlot<Work>.self)
      slot.bubbling = bubbling
      if isEquivalent(worker, slot.worker) { return }
      slot.worker = worker
      core.stop(slot)
    } else {
      slot = TypedWorkerSlot(
        worker: worker, key: key, node: node, isStream: isStream, bubbling: bubbling)
      node.addWorker(slot, render: children.render)
    }
    core.start(slot, makeTask(core.nextWorkerID(), key, worker))
  }
}

extension WorkerTask {
  @usableFromInline
  init<Work: Worker>(id: WorkerID, key: String, worker: Work) {
    self.init(
      id: id, key: key, workerType: Work.self, isStream: false,
      immediate: { worker.immediateResult().map { WorkerOutput(workerID: id, value: $0) } },
      run: { emit in emit(WorkerOutput(workerID: id, value: await worker.run())) })
  }

  @usableFromInline
  init<Work: StreamWorker>(id: WorkerID, key: String, worker: Work) {
    self.init(
      id: id, key: key, workerType: Work.self, isStream: true,
      immediate: { nil },
      run: { emit in
        await worker.run { emit(WorkerOutput(workerID: id, value: $0, isLast: false)) }
        emit(WorkerOutput(workerID: id, value: WorkerEnd()))
      })
  }
}
