/// The owner of a tree of workflows. It keeps the rendering of the tree up to date.
///
/// All work is done in the caller's thread, before the call returns.
///
/// ```swift
/// let host = WorkflowHost(workflow: Counter())
/// host.rendering.onTap()
/// print(host.rendering.count)  // 1
/// ```
///
/// The host starts no tasks. ``drainWorkerEffects()`` returns the workers to start and stop, and
/// ``deliver(_:)`` accepts their outputs. A program without an event loop can run the workers with
/// a ``WorkerRunner``.
public final class WorkflowHost<WorkflowType: Workflow> {
  /// The maximum depth of a tree. It stops a workflow that renders itself endlessly.
  public static var treeDepthMax: Int { Int(HostCore.treeDepthMax) }

  /// The latest rendering of the root. During a batch, this is the rendering from before the batch.
  @inlinable
  public var rendering: WorkflowType.Rendering {
    core.checkOwner()
    return latestRendering
  }

  /// The number of renderings of the root, including the first.
  public var renderCount: Int {
    core.checkOwner()
    return latestRenderCount
  }

  /// The handler that is called with each new rendering after the first.
  ///
  /// ```swift
  /// host.onRendering = { [unowned screen] rendering in screen.show(rendering.count) }
  /// ```
  ///
  /// Actions that the handler sends are applied and rendered after it returns.
  public var onRendering: ((WorkflowType.Rendering) -> Void)? {
    get { renderingHandler }
    set {
      core.checkOwner()
      renderingHandler = newValue
    }
  }

  /// The handler that is called with each output of the root. If the action that caused the output
  /// has also changed the rendering, ``onRendering`` is called first.
  ///
  /// ```swift
  /// host.onOutput = { output in log.append(output) }
  /// ```
  ///
  /// While a handler is set, ``drainOutputs()`` returns nothing. A new handler is called with the
  /// pending outputs: immediately, or at the end of the current batch or callback.
  public var onOutput: ((WorkflowType.Output) -> Void)? {
    get { outputHandler }
    set {
      core.checkOwner()
      outputHandler = newValue
      core.hasOutputs = !outputs.isEmpty
      core.handlerDidChange()
    }
  }

  /// The handler that is called with the workers to start and stop, after each turn that has any.
  ///
  /// ```swift
  /// host.onWorkerEffects = { effects in runner.perform(effects) }
  /// ```
  ///
  /// While a handler is set, ``drainWorkerEffects()`` returns nothing. A new handler is called with
  /// the pending effects: immediately, or at the end of the current batch or callback. When the
  /// host is deallocated, the handler is called with the stops of all workers.
  public var onWorkerEffects: (([WorkerEffect]) -> Void)? {
    get { core.publishWorkerEffects }
    set {
      core.checkOwner()
      core.publishWorkerEffects = newValue
      core.handlerDidChange()
    }
  }

  @usableFromInline let core: HostCore
  let root: TypedNode<WorkflowType>

  /// A closure that returns the root's rendering. The closure is compiled where the workflow type
  /// is known.
  private let currentRendering: () -> WorkflowType.Rendering
  @exclusivity(unchecked) @usableFromInline private(set) var latestRendering: WorkflowType.Rendering
  @exclusivity(unchecked) private var latestRenderCount = 1
  @exclusivity(unchecked) private var renderingHandler: ((WorkflowType.Rendering) -> Void)?
  @exclusivity(unchecked) private var outputHandler: ((WorkflowType.Output) -> Void)?
  @exclusivity(unchecked) private var outputs: [WorkflowType.Output] = []

  /// Creates the tree and renders it.
  ///
  /// - Parameters:
  ///   - workflow: the root.
  ///   - observers: the receivers of all events. For each event, they are notified in the order of
  ///     the array.
  ///   - snapshot: the saved states, which replace the initial states of their nodes; see
  ///     ``StateSavingWorkflow``.
  @inlinable
  public convenience init(
    workflow: WorkflowType, observers: [any WorkflowObserver] = [],
    restoring snapshot: TreeSnapshot? = nil
  ) {
    let core = HostCore(observers: observers, restoring: snapshot)
    let root = TypedNode(workflow: workflow, core: core, parent: nil, key: "")
    self.init(core, root, currentRendering: { root.currentRendering() })
  }

  @usableFromInline
  init(
    _ core: HostCore, _ root: TypedNode<WorkflowType>,
    currentRendering: @escaping () -> WorkflowType.Rendering
  ) {
    self.core = core
    self.root = root
    self.currentRendering = currentRendering
    core.root = root
    core.beginFirstTurn(root)
    latestRendering = currentRendering()
    core.holder = self
    root.values.pointee.bubbling = { [unowned self] output in
      outputs.append(output)
      core.hasOutputs = true
      return nil
    }
    core.publish = { [unowned self] in publish() }
    core.publishOutputs = { [unowned self] in publishOutputs() }
    core.finishFirstTurn()
  }

  deinit {
    core.end()
  }

  /// Replaces the root workflow and renders it.
  ///
  /// ```swift
  /// host.update(workflow: Stepper(step: 10))
  /// ```
  ///
  /// The root is rendered even if the value equals the previous one. Its descendants are rendered
  /// only if necessary, as in every other render pass.
  public func update(workflow: WorkflowType) {
    core.perform(at: root) { [root] in
      root.update(workflow)
      root.needsRender = false
      root.invalidate()
    }
  }

  /// Applies all actions that `body` sends, in order, and renders once at the end.
  ///
  /// ```swift
  /// host.batch {
  ///   for event in waiting { sink.send(.received(event)) }
  /// }
  /// ```
  ///
  /// A nested batch joins the outer one. An error thrown by `body` is rethrown after the render.
  public func batch<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try core.batch(body)
  }

  /// Renders pending changes now, even during a batch.
  public func renderIfNeeded() {
    core.renderIfNeeded()
  }

  /// Returns and clears the pending outputs of the root.
  ///
  /// ```swift
  /// if host.drainOutputs().contains(.quit) { isRunning = false }
  /// ```
  ///
  /// Outputs are retained until they are drained. If the root has outputs, call this method
  /// regularly or set ``onOutput``; while a handler is set, this method returns nothing.
  public func drainOutputs() -> [WorkflowType.Output] {
    core.checkOwner()
    return outputHandler == nil ? drainWaitingOutputs() : []
  }

  /// Returns and clears the pending worker effects: stops, then starts.
  ///
  /// ```swift
  /// for effect in host.drainWorkerEffects() {
  ///   switch effect {
  ///   case .start(let task): tasks[task.id] = Task { await task.run { mailbox.post($0) } }
  ///   case .stop(let id): tasks.removeValue(forKey: id)?.cancel()
  ///   }
  /// }
  /// ```
  ///
  /// A worker that was requested and dropped since the last call is not included. While
  /// ``onWorkerEffects`` is set, this method returns nothing.
  public func drainWorkerEffects() -> [WorkerEffect] {
    core.drainWorkerEffects()
  }

  /// Applies an output of a worker, as an action of the workflow that requested the worker.
  ///
  /// ```swift
  /// for output in mailbox.drain() { host.deliver(output) }
  /// ```
  ///
  /// If the worker was replaced or is no longer requested, its output is dropped, and observers are
  /// notified.
  public func deliver(_ output: WorkerOutput) {
    core.deliver(output)
  }

  /// Makes the calling thread the owner of this host and its sinks.
  ///
  /// ```swift
  /// host.adoptCurrentThread()  // first thing in the new thread
  /// ```
  ///
  /// Call this method after a host has been handed over to another thread permanently. Afterwards,
  /// a call from any other thread outside of a task is a programmer error that ends the program.
  /// Tasks need not call this method; see <doc:WhoMayUseAHost>.
  public func adoptCurrentThread() {
    core.adoptCurrentThread()
  }

  /// Ends all workflows and returns the workers to stop.
  ///
  /// ```swift
  /// for case .stop(let id) in host.end() { tasks.removeValue(forKey: id)?.cancel() }
  /// ```
  ///
  /// Side effects end, observers are notified, and sinks have no effect from now on. The last
  /// rendering and the outputs in ``drainOutputs()`` remain. Releasing the host has the same
  /// effects, but reports the stops only to ``onWorkerEffects``.
  ///
  /// - Returns: the stops of all workers. Empty if ``onWorkerEffects`` is set, because that handler
  ///   is called with the stops. Also empty within an action, a render or a callback. The host then
  ///   renders nothing more and ends after this code has returned; ``drainWorkerEffects()`` returns
  ///   the stops afterwards.
  @discardableResult
  public func end() -> [WorkerEffect] {
    core.endNowOrAfterTurn()
    return core.phase == .ended ? core.drainWorkerEffects() : []
  }

  private func publish() {
    latestRendering = currentRendering()
    latestRenderCount += 1
    renderingHandler?(latestRendering)
  }

  private func publishOutputs() {
    guard let outputHandler, !outputs.isEmpty else { return }
    for output in drainWaitingOutputs() { outputHandler(output) }
  }

  private func drainWaitingOutputs() -> [WorkflowType.Output] {
    let waiting = outputs
    outputs = []
    return waiting
  }
}
