extension HostCore {
  @inlinable
  func send<Action: WorkflowAction>(_ action: Action, to node: TypedNode<Action.WorkflowType>) {
    guard beginTurn() else {
      return enqueue(PendingAction(received: action), Action.self, for: node)
    }
    if hasObservers { didReceive(action, at: node) }
    finishTurn(node, node.apply(action))
  }

  /// Starts a turn for an external call, unless another turn is in progress.
  ///
  /// - Returns: `true` if the turn was started, so that the caller may apply its action now. If
  ///   `false`, the caller must enqueue the action.
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

  /// Finishes a turn whose first action was already applied.
  ///
  /// - Parameter bubbled: The parent's action that the output of the first action was mapped to, if
  ///   any. This action is applied before all queued actions.
  @usableFromInline
  func finishTurn(_ node: Node, _ bubbled: PendingAction?) {
    if let bubbled { bubble(bubbled, from: node) }
    finishTurn()
  }

  func finishTurn() {
    settle(drawing: batchDepth == 0)
  }

  /// Performs a change that is not an action: in its own turn, or queued if a turn is in progress.
  func perform(at node: Node, _ change: @escaping () -> Void) {
    let pending = PendingAction { node in
      if node.isAlive { change() }
      return nil
    }
    guard beginTurn() else { return enqueue(pending, nil, for: node) }
    change()
    finishTurn()
  }

  /// Applies an action to the child's parent. If the action has an output, the next ancestor's
  /// action for this output is applied, and so on up the tree. A loop is used instead of recursion,
  /// because a tall tree must not need a large stack.
  private func bubble(_ first: PendingAction, from child: Node) {
    var child = child
    var pending: PendingAction? = first
    while let action = pending, !mustEnd(), let parent = child.parent {
      pending = action.apply(parent)
      child = parent
    }
  }

  func applyAndBubble(_ action: PendingAction, at node: Node) {
    if let bubbled = action.apply(node) { bubble(bubbled, from: node) }
  }

  /// Ends a turn: applies the queued actions, renders and calls the handlers, until nothing is left
  /// to do.
  ///
  /// With `drawing: false`, as in a batch, only applies the queued actions.
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
        if mustEnd() { break }
        let drewRoot = renderPass()
        commit()
        if drewRoot { publish() }
      }
      phase = .committing
      if hasOutputs {
        if mustEnd() { break }
        hasOutputs = false
        publishOutputs()
      }
      if publishWorkerEffects != nil { publishWaitingWorkerEffects() }
    } while (!queue.isEmpty || !rootsOfPass.isEmpty) && !mustEnd()
    queuedActionCount = 0
    // Retained until the last line, because this object may be released together with its holder.
    let holder = holderOfTurn.take()
    if endsAfterTurn { end() } else { phase = .idle }
    withExtendedLifetime(holder) {}
  }

  private func drainQueue() {
    var position = 0
    while position < queue.count, !mustEnd() {
      let queued = queue[position]
      position += 1
      applyAndBubble(queued.action, at: queued.node)
    }
    if position == queue.count { queue.removeAll() } else { queue.removeFirst(position) }
  }

  /// Returns whether the host must end, because `end()` was called, or because only this turn still
  /// retains the host. An ending host renders nothing. It drops queued actions, because their nodes
  /// are removed.
  private func mustEnd() -> Bool {
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

  /// Ends the removed side effects, then starts the new ones.
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

  /// Performs the first render. Call `finishFirstTurn` after the host has been initialized.
  func beginFirstTurn(_ root: Node) {
    phase = .rendering
    root.kind.render(root)
    restoring = nil
  }

  /// Begins a batch that never ends: actions are applied and nothing is rendered.
  func beginEndlessBatch() {
    batchDepth += 1
    finishFirstTurn()
  }

  func finishFirstTurn() {
    commit()
    settle(drawing: batchDepth == 0)
  }

  /// Ends all workflows. Remaining sinks have no effect from now on.
  func end() {
    guard phase != .ended else { return }
    phase = .ended
    endsAfterTurn = false
    // The last reference may be released in any thread, and then no other thread uses the host.
    owner.adoptCurrentThread()
    holder = nil
    root?.tearDown()
    root = nil
    commit()
    publishWaitingWorkerEffects()
    // Queued actions are dropped because their nodes are removed; observers are notified.
    while !queue.isEmpty { drainQueue() }
    rootsOfPass = []
    publish = {}
    publishOutputs = {}
  }

  /// Ends all workflows: immediately, or when the current action, render or callback has returned.
  func endNowOrAfterTurn() {
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

/// An action, or another change, that arrived while the host was busy.
struct QueuedAction {
  var node: Node
  var action: PendingAction
  /// The type of the action, for an error message; `nil` for a change that is not an action.
  var type: Any.Type?
}
