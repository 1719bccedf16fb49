/// The untyped part of a host: the action queue, the phases of a turn and the render pass.
///
/// A turn is everything that one external call causes: its action and the outputs that bubble up,
/// the actions queued meanwhile, one render pass, then effects and callbacks. If callbacks send
/// more actions, the turn repeats these steps.
///
/// The phase prevents overlapping access. Therefore Swift's exclusivity checks are turned off for
/// the properties used in every render: the checks would double the cost of a render.
@usableFromInline
final class HostCore {
  /// The maximum depth of a tree.
  static let treeDepthMax: Int32 = 20_000

  /// The maximum number of actions queued in one turn. A turn that exceeds it counts as endless.
  static let queuedActionsOfTurnMax = 500_000

  /// The maximum number of renders in a turn of more than `roundsOfTurnMax` rounds. A turn that
  /// exceeds it counts as endless. In a turn of fewer rounds, renders are not limited, because a
  /// single round may render a whole tree.
  static let rendersOfTurnMax: UInt = 500_000

  /// The number of rounds in a turn after which `rendersOfTurnMax` applies. A round is one render
  /// pass and the callbacks after it.
  static let roundsOfTurnMax = 1_000

  /// The phase of the host. The host can call user code in every phase. In `idle`, the body of a
  /// batch is the only user code that it calls.
  enum Phase {
    /// No call is in progress.
    case idle

    /// Actions are changing states.
    case applying

    /// The tree is being rendered.
    case rendering

    /// Side effects start and end, and callbacks are called. The tree is consistent.
    case committing

    /// The tree is removed and cannot be used again.
    case ended
  }

  @exclusivity(unchecked) var phase = Phase.idle
  @exclusivity(unchecked) var batchDepth = 0
  @exclusivity(unchecked) var queue: [QueuedAction] = []
  @exclusivity(unchecked) var queuedActionCount = 0
  @exclusivity(unchecked) var owner = Owner()

  /// The `WorkflowHost` or `StubbedRender` that owns this object; `nil` after the host has ended.
  @exclusivity(unchecked) unowned(unsafe) var holder: AnyObject?

  /// A strong reference to `holder`; `nil` between turns. It keeps the holder in memory until the
  /// end of the turn, because a callback may release the last other reference.
  @exclusivity(unchecked) var holderOfTurn: AnyObject?

  /// Whether `end()` was called during the current turn.
  @exclusivity(unchecked) var endsAfterTurn = false

  /// The nodes where the next pass begins: the root, or nodes whose rendering is `Void`.
  @exclusivity(unchecked) var rootsOfPass: [Node] = []

  /// The number of nested renders.
  @exclusivity(unchecked) @usableFromInline var renderDepth = 0
  /// The number of nested renders at which the stack is checked next.
  @exclusivity(unchecked) @usableFromInline var nextStackCheckDepth = StackRoom.levelsBetweenChecks

  /// The bounds of the stack on which renders run; `nil` until a render has checked a stack.
  @exclusivity(unchecked) var stack: StackRoom?
  @exclusivity(unchecked) @usableFromInline var renderNumber: UInt = 0
  @exclusivity(unchecked) private var sessionCount = 0
  /// The node kinds created so far. A linear search suffices: a program has some tens of workflow
  /// types, and most nodes have the same kind as the previous node.
  @exclusivity(unchecked) private var kinds: [NodeKind] = []

  /// The running workers.
  @exclusivity(unchecked) var workers: [WorkerID: WorkerSlot] = [:]
  /// The number of workers that were requested so far, which is also the number in the latest
  /// worker's id.
  @exclusivity(unchecked) var workerCount = 0
  /// The removed workers whose stop has not been reported to the host's owner yet.
  @exclusivity(unchecked) var workersToStop: [WorkerID] = []
  /// The new workers whose start has not been reported to the host's owner yet, in the order of
  /// their ids.
  @exclusivity(unchecked) var workersToStart: [WorkerTask] = []
  /// The lifetimes of removed side effects, which end after the render pass.
  @exclusivity(unchecked) var lifetimesToEnd: [Lifetime] = []
  /// The new side effects, which start after the lifetimes in `lifetimesToEnd` have ended.
  @exclusivity(unchecked) var sideEffectsToStart: [(lifetime: Lifetime, body: (Lifetime) -> Void)] =
    []

  /// A cache of the kind that was used last, because siblings usually have the same kind.
  @exclusivity(unchecked) @usableFromInline private(set) var lastKind: NodeKind?

  /// The short names that are not unique among the first `namedKindCount` kinds.
  private var ambiguousNames: Set<String> = []
  /// The number of kinds for which `ambiguousNames` was computed.
  private var namedKindCount = 0

  let observers: [any WorkflowObserver]
  @usableFromInline let hasObservers: Bool

  /// The saved states, used by the nodes of the first render; `nil` afterwards.
  @exclusivity(unchecked) var restoring: RestoringStates?

  @usableFromInline
  var hasSavedStates: Bool { restoring != nil }

  /// The stub that a render tester uses instead of children, workers and side effects; `nil` in a
  /// host.
  @usableFromInline package var stage: (any RenderStub)? {
    didSet { isStaged = stage != nil }
  }
  @exclusivity(unchecked) @usableFromInline private(set) var isStaged = false

  /// The closure that is called after a pass that rendered the root.
  @exclusivity(unchecked) var publish: () -> Void = {}

  /// The closure that is called after the pass if the root has new outputs, or if an output handler
  /// was set while outputs were pending.
  @exclusivity(unchecked) var publishOutputs: () -> Void = {}
  @exclusivity(unchecked) var hasOutputs = false
  @exclusivity(unchecked) var publishWorkerEffects: (([WorkerEffect]) -> Void)?

  /// The root node, which the host retains; `nil` after the host has ended.
  @exclusivity(unchecked) unowned(unsafe) var root: Node?

  @usableFromInline
  init(observers: [any WorkflowObserver], restoring snapshot: TreeSnapshot? = nil) {
    self.observers = observers
    restoring = snapshot.map { RestoringStates($0) }
    hasObservers = !observers.isEmpty
  }

  // MARK: Numbers and kinds

  func nextSessionID() -> Int {
    sessionCount += 1
    restoring?.nodeDidGet(sessionID: sessionCount)
    return sessionCount
  }

  @inlinable
  func initialState<W: Workflow>(of workflow: W, parent: Node?, key: String) -> W.State {
    hasSavedStates
      ? restoredState(of: workflow, parent: parent, key: key) ?? workflow.makeInitialState()
      : workflow.makeInitialState()
  }

  @inlinable
  func nextRenderNumber() -> UInt {
    renderNumber += 1
    return renderNumber
  }

  @inlinable
  func kind<W: Workflow>(of type: W.Type) -> NodeKind {
    if let lastKind, lastKind.typeID == ObjectIdentifier(type) { return lastKind }
    let kind =
      knownKind(ObjectIdentifier(type))
      ?? NodeKind(
        type,
        render: { _ = unsafeDowncast($0, to: TypedNode<W>.self).render() },
        release: { unsafeDowncast($0, to: TypedNode<W>.self).release() })
    register(kind)
    return kind
  }

  /// Returns the short name of a type, or its full name if another type has the same short name.
  func name(of kind: NodeKind) -> String {
    if namedKindCount != kinds.count {
      namedKindCount = kinds.count
      var counts: [String: Int] = [:]
      for kind in kinds { counts[kind.shortName, default: 0] += 1 }
      ambiguousNames = Set(counts.filter { $0.value > 1 }.keys)
    }
    return ambiguousNames.contains(kind.shortName) ? kind.fullName : kind.shortName
  }

  @usableFromInline
  func knownKind(_ id: ObjectIdentifier) -> NodeKind? { kinds.first { $0.typeID == id } }

  @usableFromInline
  func register(_ kind: NodeKind) {
    lastKind = kind
    if knownKind(kind.typeID) == nil { kinds.append(kind) }
  }
}
