extension HostCore {
  @inlinable
  func send<Action: WorkflowAction>(_ action: Action, to node: TypedNode<Action.WorkflowType>) {
    guard beginTurn() else {
      return enqueue(PendingAction(received: action), Action.self, for: node)
    }
    if hasObservers { didReceive(action, at: node) }
    finishTurn(node, node.apply(action))
  }

  /// Whether the caller may apply its action now. If not, it is for the queue.
  @usableFromInline
  func beginTurn() -> Bool {
    checkOwner()
    guard phase == .idle else { return false }
    phase = .applying
    holderOfTurn = holder
    return true
  }

  @usableFromInline
  func enqueue(_ action: PendingAction, _ type: Any.Type?, for node: Node) {
    queuedActionCount += 1
    queue.append(QueuedAction(node: node, action: action, type: type))
    if queuedActionCount > Self.queuedActionsOfTurnMax { turnIsEndless() }
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
    let pending = PendingAction { node in
      if node.isAlive { change() }
      return nil
    }
    guard beginTurn() else { return enqueue(pending, nil, for: node) }
    change()
    finishTurn()
  }

  /// Up the tree in a loop: each hop applies the parent's action and may give the next one.
  private func bubble(_ first: PendingAction, from child: Node) {
    var child = child
    var pending: PendingAction? = first
    while let action = pending, !isReleased(), let parent = child.parent {
      pending = action.apply(parent)
      child = parent
    }
  }

  func applyAndBubble(_ action: PendingAction, at node: Node) {
    if let bubbled = action.apply(node) { bubble(bubbled, from: node) }
  }

  /// Empties the queue, draws, tells the world, until nothing is left to do. It ends a turn.
  ///
  /// In a batch it only empties the queue.
  func settle(drawing: Bool) {
    var roundCount = 0
    let firstRender = renderNumber
    repeat {
      roundCount += 1
      if roundCount > Self.roundsOfTurnMax, renderNumber - firstRender > Self.rendersOfTurnMax {
        turnIsEndless()
      }
      phase = .applying
      if !queue.isEmpty { drainQueue() }
      guard drawing else { break }
      if !rootsOfPass.isEmpty {
        if isReleased() { break }
        let drewRoot = renderPass()
        commit()
        if drewRoot { publish() }
      }
      phase = .committing
      if hasOutputs {
        if isReleased() { break }
        hasOutputs = false
        publishOutputs()
      }
      if publishWorkerEffects != nil { publishWaitingWorkerEffects() }
    } while (!queue.isEmpty || !rootsOfPass.isEmpty) && !isReleased()
    queuedActionCount = 0
    // Held until the last line, because this object may go with its holder.
    let holder = holderOfTurn.take()
    if endsAfterTurn { end() } else { phase = .idle }
    withExtendedLifetime(holder) {}
  }

  private func drainQueue() {
    var position = 0
    while position < queue.count, !isReleased() {
      let queued = queue[position]
      position += 1
      applyAndBubble(queued.action, at: queued.node)
    }
    if position == queue.count { queue.removeAll() } else { queue.removeFirst(position) }
  }

  /// Whether the host was told to end, or nobody but this turn holds it any more. Then nothing is
  /// drawn, and queued actions find that their nodes are gone.
  private func isReleased() -> Bool {
    endsAfterTurn || isKnownUniquelyReferenced(&holderOfTurn)
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
    if phase != .ended { phase = .committing }
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
    guard phase != .ended else { return }
    phase = .ended
    endsAfterTurn = false
    // The last to let go may be in any thread, and is alone.
    owner.adoptCurrentThread()
    holder = nil
    root?.tearDown()
    root = nil
    commit()
    publishWaitingWorkerEffects()
    // They find that their nodes are gone, and observers are told.
    while !queue.isEmpty { drainQueue() }
    rootsOfPass = []
    publish = {}
    publishOutputs = {}
  }

  /// Ends everything now, or as soon as the action, render or callback has returned that calls this.
  func endAtOnceOrAfterTurn() {
    checkOwner()
    switch phase {
    case .ended: return
    case .applying, .rendering, .committing: endsAfterTurn = true
    case .idle: end()
    }
  }

  private func turnIsEndless() -> Never {
    let action = queue.last?.type.map { String(reflecting: $0) } ?? "an update"
    programmerError(
      """
      \(queuedActionCount) actions were queued in one turn, the last of them \(action) for \
      \(queue.last?.node.name ?? "the root"): an action, a render, an observer or a callback sends \
      another one each time it runs. Send from an event, or stop at some point.
      """)
  }
}

/// An action, or another change, that was sent while the host was busy.
struct QueuedAction {
  var node: Node
  var action: PendingAction
  /// The type of the action, for an error message; `nil` for another change.
  var type: Any.Type?
}
