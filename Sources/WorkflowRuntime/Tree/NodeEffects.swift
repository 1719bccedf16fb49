/// The workers and the side effects of a node.
///
/// They are in a separate object, because most nodes have none.
@usableFromInline
final class NodeEffects {
  @exclusivity(unchecked) private(set) var workers: ContiguousArray<WorkerSlot> = []
  @exclusivity(unchecked) private var workerClaims: Reconciler<WorkerSlot>

  /// The active side effects. Access is checked for exclusivity, because their keys can be of any
  /// type, and comparing them runs user code.
  private(set) var sideEffects: ContiguousArray<SideEffectSlot> = []
  private var sideEffectClaims: Reconciler<SideEffectSlot>

  init(render: UInt) {
    workerClaims = Reconciler(render: render)
    sideEffectClaims = Reconciler(render: render)
  }

  @usableFromInline
  func beginRender(_ render: UInt) {
    workerClaims = Reconciler(render: render)
    sideEffectClaims = Reconciler(render: render)
  }

  func claimWorker(_ typeID: ObjectIdentifier, _ key: String) -> Reconciler<WorkerSlot>.Claim {
    workerClaims.claim(typeID, key, in: workers)
  }

  func add(_ worker: WorkerSlot) {
    workerClaims.add(worker, to: &workers)
  }

  func claimSideEffect(_ key: AnyHashable) -> Reconciler<SideEffectSlot>.Claim {
    sideEffectClaims.claim(ObjectIdentifier(SideEffectSlot.self), key, in: sideEffects)
  }

  func add(_ sideEffect: SideEffectSlot) {
    sideEffectClaims.add(sideEffect, to: &sideEffects)
  }

  /// Ends the render: removes workers and side effects that were not requested.
  @usableFromInline
  func finishRender(of node: Node) {
    if !workerClaims.isUnchanged(count: workers.count) {
      for worker in workerClaims.finish(&workers) { node.core.stop(worker) }
      workerClaims.duplicate(in: workers)?.isDuplicated()
    }
    if !sideEffectClaims.isUnchanged(count: sideEffects.count) {
      for effect in sideEffectClaims.finish(&sideEffects) { node.core.end(effect.lifetime) }
      sideEffectClaims.duplicate(in: sideEffects)?.isDuplicated(in: node)
    }
  }

  func end(in core: HostCore) {
    for worker in workers { core.stop(worker) }
    for sideEffect in sideEffects { core.end(sideEffect.lifetime) }
  }
}

/// A running side effect of a node.
final class SideEffectSlot: Reconcilable {
  let typeID = ObjectIdentifier(SideEffectSlot.self)
  let key: AnyHashable
  @exclusivity(unchecked) var lastRequestingRender: UInt = 0
  let lifetime = Lifetime()

  init(key: AnyHashable) {
    self.key = key
  }
}

/// A worker of a node.
@usableFromInline
class WorkerSlot: Reconcilable {
  @usableFromInline let typeID: ObjectIdentifier
  @usableFromInline let key: String
  @exclusivity(unchecked) @usableFromInline final var lastRequestingRender: UInt = 0
  @usableFromInline unowned(unsafe) final let node: Node

  /// Whether the worker can have several outputs and reports its end.
  let isStream: Bool
  @exclusivity(unchecked) @usableFromInline final var id = WorkerID(number: 0)
  @exclusivity(unchecked) @usableFromInline final var isFinished = false

  /// The mapping from an output to an action, as requested by the latest render.
  @exclusivity(unchecked) @usableFromInline final var bubbling: (any Sendable) -> PendingAction?

  @usableFromInline
  init(
    typeID: ObjectIdentifier, key: String, node: Node, isStream: Bool,
    bubbling: @escaping (any Sendable) -> PendingAction?
  ) {
    self.typeID = typeID
    self.isStream = isStream
    self.key = key
    self.node = node
    self.bubbling = bubbling
  }

  var typeName: String { "" }
}

/// A worker of a node, with its type.
@usableFromInline
final class TypedWorkerSlot<Work>: WorkerSlot {
  @exclusivity(unchecked) @usableFromInline var worker: Work

  @usableFromInline
  init(
    worker: Work, key: String, node: Node, isStream: Bool,
    bubbling: @escaping (any Sendable) -> PendingAction?
  ) {
    self.worker = worker
    super.init(
      typeID: ObjectIdentifier(Work.self), key: key, node: node, isStream: isStream,
      bubbling: bubbling)
  }

  override var typeName: String { "\(Work.self)" }
}
