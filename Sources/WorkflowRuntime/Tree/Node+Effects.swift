extension Node {
  /// Returns the object that contains the node's workers and side effects. Creates the object if
  /// the node has none yet.
  final func effectsMadeIfNeeded(render: UInt) -> NodeEffects {
    if let effects { return effects }
    let made = NodeEffects(render: render)
    effects = made
    return made
  }

  @usableFromInline
  final func claimWorker(_ typeID: ObjectIdentifier, _ key: String) -> WorkerSlot? {
    guard let effects else { return nil }
    switch effects.claimWorker(typeID, key) {
    case .found(let slot): return slot
    case .missing: return nil
    case .duplicate(let slot): slot.isDuplicated()
    }
  }

  @usableFromInline
  final func addWorker(_ slot: WorkerSlot, render: UInt) {
    effectsMadeIfNeeded(render: render).add(slot)
  }

  final func claimSideEffect(key: AnyHashable, render: UInt, body: @escaping (Lifetime) -> Void) {
    let effects = effectsMadeIfNeeded(render: render)
    switch effects.claimSideEffect(key) {
    case .found: return
    case .missing:
      let slot = SideEffectSlot(key: key)
      effects.add(slot)
      core.sideEffectsToStart.append((slot.lifetime, body))
    case .duplicate(let slot): slot.isDuplicated(in: self)
    }
  }
}

extension WorkerSlot {
  func isDuplicated() -> Never {
    programmerError(
      """
      \(node.name) awaits two workers of type \(typeName) with the key "\(key)" in one pass. \
      Give each its own: awaitResult(for: worker, key: ...).
      """)
  }
}

extension SideEffectSlot {
  func isDuplicated(in node: Node) -> Never {
    programmerError(
      """
      \(node.name) runs two side effects with the key "\(key)" in one pass. \
      Give each its own: runSideEffect(key: ...).
      """)
  }
}
