extension HostCore {
  @usableFromInline
  func nextWorkerID() -> WorkerID {
    workerCount += 1
    return WorkerID(number: workerCount)
  }

  @usableFromInline
  func start(_ slot: WorkerSlot, _ task: WorkerTask) {
    slot.id = task.id
    slot.isFinished = false
    workers[task.id] = slot
    workersToStart.append(task)
    for observer in observers { observer.workerDidStart(task.id, name: task.name, slot.session) }
  }

  @usableFromInline
  func stop(_ slot: WorkerSlot) {
    guard workers.removeValue(forKey: slot.id) != nil else { return }
    for observer in observers { observer.workerDidStop(slot.id, slot.session) }
    if let position = positionToStart(slot.id) {
      workersToStart.remove(at: position)
    } else {
      workersToStop.append(slot.id)
    }
  }

  func end(_ lifetime: Lifetime) {
    lifetimesToEnd.append(lifetime)
  }

  /// Returns and clears the pending worker effects. Returns none if a handler is set, because the
  /// handler receives the effects. Returns none during a render, because the requested workers are
  /// known only after the render pass.
  func drainWorkerEffects() -> [WorkerEffect] {
    checkOwner()
    return phase == .rendering || publishWorkerEffects != nil ? [] : drainWaitingWorkerEffects()
  }

  /// Returns and clears the pending worker effects, stops before starts. A stop never refers to a
  /// start in the same list, but to a worker whose start was reported earlier.
  private func drainWaitingWorkerEffects() -> [WorkerEffect] {
    if workersToStop.isEmpty && workersToStart.isEmpty { return [] }
    let effects =
      workersToStop.map { WorkerEffect.stop($0) } + workersToStart.map { WorkerEffect.start($0) }
    workersToStop = []
    workersToStart = []
    return effects
  }

  /// Calls the handler with the pending worker effects, if there are any.
  func publishWaitingWorkerEffects() {
    guard let publishWorkerEffects else { return }
    let effects = drainWaitingWorkerEffects()
    if !effects.isEmpty { publishWorkerEffects(effects) }
  }

  func deliver(_ output: WorkerOutput) {
    guard beginTurn() else {
      guard let root else { return outputWasDropped(output) }
      return enqueue(
        PendingAction { [self] _ in
          receive(output)
          return nil
        }, WorkerOutput.self, for: root)
    }
    receive(output)
    finishTurn()
  }

  /// Returns the position of a worker in `workersToStart`. Uses binary search: each new worker has
  /// a greater id than all before it, so the array is sorted by id.
  private func positionToStart(_ id: WorkerID) -> Int? {
    var low = 0
    var high = workersToStart.count
    while low < high {
      let middle = (low + high) / 2
      if workersToStart[middle].id.number < id.number { low = middle + 1 } else { high = middle }
    }
    return low < workersToStart.count && workersToStart[low].id == id ? low : nil
  }

  private func receive(_ output: WorkerOutput) {
    guard let slot = workers[output.workerID] else { return outputWasDropped(output) }
    let isEnd = slot.isStream && output.isLast && output.value is WorkerEnd
    let action = isEnd ? nil : slot.bubbling(output.value)
    if action == nil && !isEnd { return outputWasDropped(output) }
    for observer in observers { observer.workerDidOutput(output, slot.session) }
    if output.isLast {
      slot.isFinished = true
      workers[output.workerID] = nil
    }
    if let action { applyAndBubble(action, at: slot.node) }
  }

  private func outputWasDropped(_ output: WorkerOutput) {
    for observer in observers { observer.workerOutputWasDropped(output) }
  }
}

extension WorkerSlot {
  var session: WorkflowSession { node.session }
}
