/// Keeps a tree of workflows alive and its rendering up to date.
///
/// Everything happens in the caller's thread, before the call returns.
///
/// ```swift
/// let host = WorkflowHost(workflow: Counter())
/// host.rendering.onTap()
/// print(host.rendering.count)  // 1
/// ```
///
/// The host starts no tasks. ``drainWorkerEffects()`` says which workers to start and stop, and
/// ``deliver(_:)`` takes their answers; ``WorkerRunner`` does both for a program that has no event
/// loop of its own.
public final class WorkflowHost<WorkflowType: Workflow> {
  /// How deep a tree can be. A workflow that renders itself without end is stopped here.
  public static var treeDepthMax: Int { Int(HostCore.treeDepthMax) }

  /// The latest rendering of the root. In a batch it is the one from before, until the batch ends.
  @inlinable
  public var rendering: WorkflowType.Rendering {
    core.checkOwner()
    return latestRendering
  }

  /// Grows by one with each new rendering of the root, starting with one.
  public var renderCount: Int {
    core.checkOwner()
    return latestRenderCount
  }

  /// Called with each new rendering after the first.
  ///
  /// ```swift
  /// host.onRendering = { [unowned screen] rendering in screen.show(rendering.count) }
  /// ```
  ///
  /// What it sends is applied after it returns, and drawn then.
  public var onRendering: ((WorkflowType.Rendering) -> Void)? {
    get { renderingHandler }
    set {
      core.checkOwner()
      renderingHandler = newValue
    }
  }

  /// Called with each output of the root, after the rendering that belongs to it.
  ///
  /// ```swift
  /// host.onOutput = { output in log.append(output) }
  /// ```
  ///
  /// While there is one, ``drainOutputs()`` gives nothing. What waits already is given at once, or, in
  /// a batch or a callback, when that is over.
  public var onOutput: ((WorkflowType.Output) -> Void)? {
    get { outputHandler }
    set {
      core.checkOwner()
      outputHandler = newValue
      core.hasOutputs = !outputs.isEmpty
      core.handlerDidChange()
    }
  }

  /// Called with what the edge has to do, after each turn in which there is something.
  ///
  /// ```swift
  /// host.onWorkerEffects = { effects in runner.perform(effects) }
  /// ```
  ///
  /// While there is one, ``drainWorkerEffects()`` gives nothing. What waits already is given at once,
  /// or, in a batch or a callback, when that is over. A host that goes has its workers stopped
  /// through it.
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

  /// Asks the root, in code that is compiled where its types are known.
  private let currentRendering: () -> WorkflowType.Rendering
  @exclusivity(unchecked) @usableFromInline private(set) var latestRendering: WorkflowType.Rendering
  @exclusivity(unchecked) private var latestRenderCount = 1
  @exclusivity(unchecked) private var renderingHandler: ((WorkflowType.Rendering) -> Void)?
  @exclusivity(unchecked) private var outputHandler: ((WorkflowType.Output) -> Void)?
  @exclusivity(unchecked) private var outputs: [WorkflowType.Output] = []

  /// Makes the tree and draws it.
  ///
  /// - Parameters:
  ///   - workflow: the root.
  ///   - observers: told of what happens, in this order.
  ///   - snapshot: states to begin with, where they fit; see ``StateSavingWorkflow``.
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

  /// Gives the root another value, and draws it.
  ///
  /// ```swift
  /// host.update(workflow: Stepper(step: 10))
  /// ```
  ///
  /// The root is drawn even if the value is equal to the last one; below it the ordinary rules hold.
  public func update(workflow: WorkflowType) {
    core.perform(at: root) { [root] in
      root.update(workflow)
      root.needsRender = false
      root.invalidate()
    }
  }

  /// Applies everything that `body` sends, in order, and draws once at the end.
  ///
  /// ```swift
  /// host.batch {
  ///   for event in waiting { sink.send(.received(event)) }
  /// }
  /// ```
  ///
  /// A batch in a batch joins it. What `body` throws is thrown on after drawing.
  public func batch<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try core.batch(body)
  }

  /// Draws now what is still to be drawn, also in the middle of a batch.
  public func renderIfNeeded() {
    core.renderIfNeeded()
  }

  /// The outputs of the root since they were taken last.
  ///
  /// ```swift
  /// if host.drainOutputs().contains(.quit) { isRunning = false }
  /// ```
  ///
  /// They are kept until somebody takes them: a host whose root has outputs needs one who does.
  /// While there is an ``onOutput``, it gets them, and this gives nothing.
  public func drainOutputs() -> [WorkflowType.Output] {
    core.checkOwner()
    return outputHandler == nil ? drainWaitingOutputs() : []
  }

  /// What the edge has to do about workers since it was asked last: stops, then starts.
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
  /// A worker that came and went in between is not mentioned. While there is an ``onWorkerEffects``,
  /// it gets them, and this gives nothing.
  public func drainWorkerEffects() -> [WorkerEffect] {
    core.drainWorkerEffects()
  }

  /// Brings a worker's answer back.
  ///
  /// ```swift
  /// for output in mailbox.drain() { host.deliver(output) }
  /// ```
  ///
  /// The answer of a worker that was replaced or is no longer wanted is dropped, and observers are
  /// told.
  public func deliver(_ output: WorkerOutput) {
    core.deliver(output)
  }

  /// Makes the calling thread the one that may use this host and its sinks.
  ///
  /// ```swift
  /// host.adoptCurrentThread()  // first thing in the new thread
  /// ```
  ///
  /// For a host that was made in one thread and is handed over to another for good. Everybody else
  /// who uses it afterwards, in another thread and outside of a task, makes a mistake that ends the
  /// program. Tasks need not call this; see <doc:WhoMayUseAHost>.
  public func adoptCurrentThread() {
    core.adoptCurrentThread()
  }

  /// Ends all workflows now, and says which workers to stop.
  ///
  /// ```swift
  /// for case .stop(let id) in host.end() { tasks.removeValue(forKey: id)?.cancel() }
  /// ```
  ///
  /// Side effects end, observers are told, and sinks do nothing from now on. The last rendering and
  /// what waits in ``drainOutputs()`` stay. Letting go of the host does the same, but a host without
  /// ``onWorkerEffects`` has then nobody to say it to.
  ///
  /// - Returns: the stops, if there is no ``onWorkerEffects`` to be called with them. Within an
  ///   action, a render or a callback, nothing: the host ends when that has returned, draws nothing
  ///   more, and ``drainWorkerEffects()`` has the stops then.
  @discardableResult
  public func end() -> [WorkerEffect] {
    core.endAtOnceOrAfterTurn()
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
