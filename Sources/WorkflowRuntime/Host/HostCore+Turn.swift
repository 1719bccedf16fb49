extension HostCore {
  @inlinable
  func send<Action: WorkflowAction>(_ action: Action, to node: TypedNode<Action.WorkflowType>) {
    guard beginTurn() else { return enqueue(PendingAction(received: action), for: node) }
    if hasObservers { didReceive(action, at: node) }
    finishTurn(node, node.apply(action))
  }

  /// Whether the caller may apply its action now. If not, it is for the queue.
  @usableFromInline
  func beginTurn() -> Bool {
    checkOwner()
    guard phase == .idle else { return false }
    phase = .applying
    return true
  }

  @usableFromInline
  func enqueue(_ action: PendingAction, for node: Node) {
    queue.append((node, action))
  }

  /// Bubbles what the first action became, then does all that the turn still owes.
  @usableFromInline
  func finishTurn(_ node: Node, _ bubbled: PendingAction?) {
    if let bubbled { bubble(bubbled, from: node) }
    finishTurn()
  }

  func finishTurn() {
    settle(drawing: batchDepth == 0)
  }

  /// Does something that is not an action in a turn of its own, or queues it.
  func perform(at node: Node, _ change: @escaping () -> Void) {
    let pending = PendingAction { _ in
      change()
      return nil
    }
    guard beginTurn() else { return enqueue(pending, for: node) }
    change()
    finishTurn()
  }

  /// Up the tree in a loop: each hop applies the parent's action and may give the next one.
  private func bubble(_ first: PendingAction, from child: Node) {
    var child = child
    var pending: PendingAction? = first
    while let action = pending, let parent = child.parent {
      pending = action.apply(parent)
      child = parent
    }
  }

  func applyAndBubble(_ action: PendingAction, at node: Node) {
    if let bubbled = action.apply(node) { bubble(bubbled, from: node) }
  }

  /// Empties the queue, draws, tells the world, until nothing is left to do.
  ///
  /// In a batch it only empties the queue.
  func settle(drawing: Bool) {
    // A callback may let go of the host, and with it of this object.
    let alive = Unmanaged.passRetained(self)
    defer { alive.release() }
    var roundCount = 0
    repeat {
      roundCount += 1
      if roundCount > Self.roundsOfTurnMax { turnIsEndless() }
      phase = .applying
      drainQueue()
      guard drawing else { break }
      if !rootsOfPass.isEmpty {
        let drewRoot = renderPass()
        commit()
        if drewRoot { publish() }
      }
      if hasOutputs {
        hasOutputs = false
        publishOutputs()
      }
      publishWaitingWorkerEffects()
    } while !queue.isEmpty || !rootsOfPass.isEmpty
    phase = .idle
  }

  private func drainQueue() {
    var position = 0
    while position < queue.count {
      let (node, action) = queue[position]
      position += 1
      applyAndBubble(action, at: node)
    }
    if position > 0 { queue.removeAll() }
  }

  private func renderPass() -> Bool {
    phase = .rendering
    var roots = rootsOfPass
    rootsOfPass.removeAll(keepingCapacity: true)
    if roots.count > 1 { roots.sort { $0.depth < $1.depth } }
    var drewRoot = false
    for node in roots where node.isAlive && node.needsRender {
      node.kind.render(node)
      if node.parent == nil { drewRoot = true }
    }
    return drewRoot
  }

  /// What is over ends before what is new begins.
  private func commit() {
    phase = .committing
    while !lifetimesToEnd.isEmpty || !sideEffectsToStart.isEmpty {
      let ending = lifetimesToEnd
      lifetimesToEnd = []
      for lifetime in ending { lifetime.end() }
      let starting = sideEffectsToStart
      sideEffectsToStart = []
      for (lifetime, body) in starting where !lifetime.hasEnded { body(lifetime) }
    }
  }

  /// The first render. `finishFirstTurn` has to follow when the host is whole.
  func beginFirstTurn(_ root: Node) {
    phase = .rendering
    root.kind.render(root)
    restoring = nil
  }

  /// From now on actions are applied and nothing is drawn.
  func beginEndlessBatch() {
    batchDepth += 1
    finishFirstTurn()
  }

  func finishFirstTurn() {
    commit()
    settle(drawing: batchDepth == 0)
  }

  /// Ends everything. Sinks that are still around do nothing from now on.
  func end() {
    phase = .committing
    root?.tearDown()
    root = nil
    commit()
    publishWaitingWorkerEffects()
    queue = []
    rootsOfPass = []
    publish = {}
    publishOutputs = {}
  }

  private func turnIsEndless() -> Never {
    mistake(
      """
      \(Self.roundsOfTurnMax) rounds in one turn: every render or callback sent another action. \
      Send from an event, not from render.
      """)
  }
}
