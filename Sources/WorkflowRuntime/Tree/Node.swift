/// A place in the tree, without the types of its workflow.
///
/// Everything that does not need the workflow's types is here, in code that is compiled once.
@usableFromInline
class Node: Reconcilable {
  @usableFromInline let typeID: ObjectIdentifier
  @usableFromInline let key: String
  @exclusivity(unchecked) @usableFromInline final var claimedBy: UInt = 0

  /// The host outlives its nodes: it tears the tree down before it goes.
  @usableFromInline unowned(unsafe) final let core: HostCore
  @usableFromInline final let kind: NodeKind

  /// A parent outlives its children; `nil` for the root, and from the moment that the parent goes.
  @exclusivity(unchecked) @usableFromInline unowned(unsafe) final var parent: Node?
  @exclusivity(unchecked) @usableFromInline final var children: ContiguousArray<Node> = []
  @exclusivity(unchecked) @usableFromInline final var effects: NodeEffects?
  @exclusivity(unchecked) private final var sinkOrigin: SinkOrigin?

  final let sessionID: Int

  /// Zero for the root. Kept, because observers are told of an end when the parent is gone.
  final let parentSessionID: Int
  final let depth: Int32
  @exclusivity(unchecked) @usableFromInline final var needsRender = true
  @exclusivity(unchecked) @usableFromInline final var isAlive = true

  @usableFromInline
  init(core: HostCore, kind: NodeKind, parent: Node?, key: String) {
    self.core = core
    self.kind = kind
    self.parent = parent
    self.key = key
    typeID = kind.typeID
    if let parent {
      depth = parent.depth + 1
      parentSessionID = parent.sessionID
    } else {
      depth = 0
      parentSessionID = 0
    }
    sessionID = core.nextSessionID()
    if depth >= HostCore.treeDepthMax { isTooDeep() }
  }

  private final func isTooDeep() -> Never {
    mistake(
      """
      \(name) is at level \(depth), and a tree can have \(HostCore.treeDepthMax). A workflow \
      that renders itself without end does this: give the recursion an end.
      """)
  }

  /// The state in words, for a debug snapshot.
  var stateDescription: String { "" }

  /// The state in bytes, where the workflow saves it.
  func savedState() -> [UInt8]? { nil }

  /// The target of the node's sinks: one a node, made when the first sink is.
  @usableFromInline
  final func originOfSinks() -> SinkOrigin {
    if let sinkOrigin { return sinkOrigin }
    let made = SinkOrigin(node: self)
    sinkOrigin = made
    return made
  }

  /// Marks the node, and the path above it as far as its rendering is shown.
  @usableFromInline
  final func invalidate() {
    var node = self
    while !node.needsRender {
      node.needsRender = true
      guard let parent = node.parent, !node.kind.rendersVoid else {
        core.rootsOfPass.append(node)
        return
      }
      node = parent
    }
  }

  /// Takes a whole subtree out of service: parents before children, in the order they were drawn.
  ///
  /// A loop, because a tall tree must not need a tall stack to go away.
  final func tearDown() {
    leave()
    guard !children.isEmpty else { return tearDownAlone() }
    var waiting: ContiguousArray<Node> = [self]
    while let node = waiting.popLast() {
      let children = node.children
      node.children = []
      node.tearDownAlone()
      for child in children { child.leave() }
      // Those in front that have no children need not wait for their turn: it has come.
      var position = 0
      while position < children.count, children[position].children.isEmpty {
        children[position].tearDownAlone()
        position += 1
      }
      if position < children.count { waiting.append(contentsOf: children[position...].reversed()) }
    }
  }

  /// From here on nothing reaches the node from above or from outside.
  private final func leave() {
    isAlive = false
    parent = nil
  }

  private final func tearDownAlone() {
    sinkOrigin?.nodeDidEnd(core)
    if let effects {
      self.effects = nil
      effects.end(in: core)
    }
    if core.hasObservers { core.sessionDidEnd(self) }
    // Renderings and what is made of outputs may hold on to the tree.
    kind.release(self)
  }
}

/// What the sinks of a node hold, instead of the node: it outlives the node harmlessly.
@usableFromInline
final class SinkOrigin: SinkIdentity {
  /// Taken away before the node goes.
  @exclusivity(unchecked) @usableFromInline unowned(unsafe) var node: Node?

  /// Told of actions that come too late; there only when somebody listens.
  @exclusivity(unchecked) @usableFromInline var listener: HostCore?

  init(node: Node) {
    self.node = node
    super.init()
  }

  func nodeDidEnd(_ core: HostCore) {
    node = nil
    if core.hasObservers { listener = core }
  }

  @inlinable
  func send<Action: WorkflowAction>(_ action: Action) {
    guard let node else {
      listener?.lateActionWasDropped(action)
      return
    }
    node.core.send(action, to: unsafeDowncast(node, to: TypedNode<Action.WorkflowType>.self))
  }
}
