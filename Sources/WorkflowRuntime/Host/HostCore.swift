/// The part of a host that needs no types: the queue of actions, the order of a turn, the pass.
///
/// A turn is everything that one call from outside sets going: the action and the outputs it
/// bubbles, whatever these put in the queue, one pass over what has changed, then effects and
/// callbacks; and again, while callbacks send more.
///
/// The phase sees to it that nothing is touched by two at a time, which is why the properties that
/// every render touches are not checked for exclusive access: that would cost as much as the rest.
@usableFromInline
final class HostCore {
  /// How deep a tree can be.
  static let treeDepthMax: Int32 = 20_000

  /// How many actions can wait in the course of one turn before it is held to be without end.
  static let queuedActionsOfTurnMax = 500_000

  /// The most nodes that one turn renders before it counts as endless, if it takes more than
  /// `roundsOfTurnMax` rounds. Each action may render a whole tree.
  static let rendersOfTurnMax: UInt = 500_000

  /// The number of rounds, each with one render pass, in which a turn may render any number of nodes.
  static let roundsOfTurnMax = 1_000

  /// The phase of the host. User code runs in all of them except `idle`.
  enum Phase {
    /// Nothing is under way.
    case idle

    /// Actions change states.
    case applying

    /// The tree is drawn.
    case rendering

    /// Side effects begin and end, and callbacks are told: the tree is whole.
    case committing

    /// The tree is gone for good.
    case ended
  }

  @exclusivity(unchecked) var phase = Phase.idle
  @exclusivity(unchecked) var batchDepth = 0
  @exclusivity(unchecked) var queue: [QueuedAction] = []
  @exclusivity(unchecked) var queuedActionCount = 0
  @exclusivity(unchecked) var owner = Owner()

  /// Who holds this object, until it goes or ends.
  @exclusivity(unchecked) unowned(unsafe) var holder: AnyObject?

  /// The same for the length of a turn: what the turn calls may let go of the host.
  @exclusivity(unchecked) var holderOfTurn: AnyObject?

  /// Set when the host was told to end in the middle of a turn.
  @exclusivity(unchecked) var endsAfterTurn = false

  /// Where the next pass begins: the root, or nodes that show their parents nothing.
  @exclusivity(unchecked) var rootsOfPass: [Node] = []

  /// How many renders are under way, one in the other, and from how many on the stack is looked at.
  @exclusivity(unchecked) @usableFromInline var renderDepth = 0
  @exclusivity(unchecked) @usableFromInline var nextLookAtStack = StackRoom.levelsBetweenChecks

  /// The stack that was looked at last.
  @exclusivity(unchecked) var stack: StackRoom?
  @exclusivity(unchecked) @usableFromInline var renderNumber: UInt = 0
  @exclusivity(unchecked) private var sessionCount = 0
  /// Searched one by one: a program has some tens of types, and most nodes are of the last kind.
  @exclusivity(unchecked) private var kinds: [NodeKind] = []

  /// The workers that run, and what the edge does not know yet.
  @exclusivity(unchecked) var workers: [WorkerID: WorkerSlot] = [:]
  @exclusivity(unchecked) var workerCount = 0
  @exclusivity(unchecked) var workersToStop: [WorkerID] = []
  @exclusivity(unchecked) var workersToStart: [WorkerTask] = []
  @exclusivity(unchecked) var lifetimesToEnd: [Lifetime] = []
  @exclusivity(unchecked) var sideEffectsToStart: [(lifetime: Lifetime, body: (Lifetime) -> Void)] =
    []

  /// Siblings are mostly of one kind.
  @exclusivity(unchecked) @usableFromInline private(set) var lastKind: NodeKind?

  /// The short names that several kinds have, and of how many kinds that is known.
  private var ambiguousNames: Set<String> = []
  private var namedKindCount = 0

  let observers: [any WorkflowObserver]
  @usableFromInline let hasObservers: Bool

  /// Saved states that nodes made in the first render begin with.
  @exclusivity(unchecked) var restoring: RestoringStates?

  @usableFromInline
  var hasSavedStates: Bool { restoring != nil }

  /// Stands in for children, workers and side effects in a render tester.
  @usableFromInline package var stage: (any RenderStage)? {
    didSet { isStaged = stage != nil }
  }
  @exclusivity(unchecked) @usableFromInline private(set) var isStaged = false

  /// Called after a pass that drew the root.
  @exclusivity(unchecked) var publish: () -> Void = {}

  /// Called when the root had outputs, or somebody to take them has come, after the pass.
  @exclusivity(unchecked) var publishOutputs: () -> Void = {}
  @exclusivity(unchecked) var hasOutputs = false
  @exclusivity(unchecked) var publishWorkerEffects: (([WorkerEffect]) -> Void)?

  /// Set while the host is there to hold it.
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
    learn(kind)
    return kind
  }

  /// The short name of a type, or the full one where there are two of that short name.
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
  func learn(_ kind: NodeKind) {
    lastKind = kind
    if knownKind(kind.typeID) == nil { kinds.append(kind) }
  }
}
