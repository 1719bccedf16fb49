/// A place in the tree, without the types of its workflow.
///
/// Everything that does not need the workflow's types is here, in code that is compiled once.
/// It is what its sinks hold, too, so an object can be here when its place in the tree is gone: then
/// it is not alive, has let go of its values, and what is sent to it is dropped.
@usableFromInline
class Node: SinkIdentity, Reconcilable {
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

  /// Told of actions that come too late; there only when somebody listens.
  @exclusivity(unchecked) @usableFromInline final var listener: HostCore?

  final let sessionID: Int

  /// Zero for the root. Kept, because observers are told of an end when the parent is gone.
  final let parentSessionID: Int
  final let depth: Int32
  @exclusivity(unchecked) @usableFromInline final var needsRender = true
  @exclusivity(unchecked) @usableFromInline final var isAlive = true

  /// Borrows what it does not keep: a host makes nodes by the thousand.
  @usableFromInline
  init(core: borrowing HostCore, kind: NodeKind, parent: borrowing Node?, key: String) {
    self.core = copy core
    self.kind = kind
    self.parent = copy parent
    self.key = key
    typeID = kind.typeID
    if let parent = copy parent {
      depth = parent.depth + 1
      parentSessionID = parent.sessionID
    } else {
      depth = 0
      parentSessionID = 0
    }
    sessionID = core.nextSessionID()
    super.init()
    if depth >= HostCore.treeDepthMax { isTooDeep() }
  }

  private final func isTooDeep() -> Never {
    programmerError(
      """
      \(name) is at level \(depth), and a tree can have \(HostCore.treeDepthMax). A workflow \
      that renders itself without end does this: give the recursion an end.
      """)
  }

  /// The state in words, for a debug snapshot.
  var stateDescription: String { "" }

  /// The state in bytes, where the workflow saves it.
  func savedState() -> [UInt8]? { nil }

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
    if core.hasObservers { listener = core }
  }

  private final func tearDownAlone() {
    if let effects {
      self.effects = nil
      effects.end(in: core)
    }
    if core.hasObservers { core.sessionDidEnd(self) }
    // States and renderings may hold sinks, and so this object.
    kind.release(self)
  }
}
