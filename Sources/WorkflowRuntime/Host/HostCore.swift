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

  /// How many rounds one turn can take before it is held to be without end.
  static let roundsOfTurnMax = 10_000

  enum Phase {
    case idle, applying, rendering, committing
  }

  @exclusivity(unchecked) var phase = Phase.idle
  @exclusivity(unchecked) var batchDepth = 0
  @exclusivity(unchecked) var queue: [(node: Node, action: PendingAction)] = []
  @exclusivity(unchecked) var owner = Owner()

  /// Where the next pass begins: the root, or nodes that show their parents nothing.
  @exclusivity(unchecked) var rootsOfPass: [Node] = []

  /// How many renders are under way, one in the other, and how many the stack is sure to hold.
  @exclusivity(unchecked) @usableFromInline var renderDepth = 0
  @exclusivity(unchecked) @usableFromInline var renderDepthMax = DeepStack.levelsOnCallerStackMax
  @exclusivity(unchecked) @usableFromInline var renderNumber: UInt = 0
  private var sessionCount = 0
  private var kinds: [ObjectIdentifier: NodeKind] = [:]

  /// The workers that run, and what the edge does not know yet.
  var workers: [WorkerID: WorkerSlot] = [:]
  var workerCount = 0
  var workersToStop: [WorkerID] = []
  var workersToStart: [WorkerTask] = []
  var lifetimesToEnd: [Lifetime] = []
  var sideEffectsToStart: [(lifetime: Lifetime, body: (Lifetime) -> Void)] = []

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
  var publish: () -> Void = {}

  /// Called when the root had outputs, after the pass.
  var publishOutputs: () -> Void = {}
  @exclusivity(unchecked) var hasOutputs = false
  var publishWorkerEffects: (([WorkerEffect]) -> Void)?

  /// Set while the host is there to hold it.
  unowned(unsafe) var root: Node?

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
    if let kind = knownKind(ObjectIdentifier(type)) { return kind }
    let kind = NodeKind(type) { node in
      _ = unsafeDowncast(node, to: TypedNode<W>.self).render()
    }
    learn(kind)
    return kind
  }

  @usableFromInline
  func knownKind(_ id: ObjectIdentifier) -> NodeKind? { kinds[id] }

  @usableFromInline
  func learn(_ kind: NodeKind) { kinds[kind.typeID] = kind }
}
