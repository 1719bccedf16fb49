/// A node of the tree, without the types of its workflow.
///
/// The code that does not need the workflow's types is in this class, so that it is compiled once.
/// Sinks retain the node, so the object may exist after the node was removed from the tree. Then
/// `isAlive` is false, the node's values are released, and actions sent to it are dropped.
@usableFromInline
class Node: SinkIdentity, Reconcilable {
  @usableFromInline let typeID: ObjectIdentifier
  @usableFromInline let key: String
  @exclusivity(unchecked) @usableFromInline final var lastRequestingRender: UInt = 0

  /// The core of the host. The core outlives all nodes in the tree, because the core removes
  /// all nodes before it is deallocated.
  @usableFromInline unowned(unsafe) final let core: HostCore
  @usableFromInline final let kind: NodeKind

  /// The parent, which outlives its children; `nil` for the root and for a removed node.
  @exclusivity(unchecked) @usableFromInline unowned(unsafe) final var parent: Node?
  @exclusivity(unchecked) @usableFromInline final var children: ContiguousArray<Node> = []
  @exclusivity(unchecked) @usableFromInline final var effects: NodeEffects?

  /// The core, if the node is removed and the host has observers; otherwise `nil`. The core
  /// notifies the observers of actions that are sent to the removed node.
  @exclusivity(unchecked) @usableFromInline final var listener: HostCore?

  final let sessionID: Int

  /// The session ID of the parent; zero for the root. It is stored, because observers are notified
  /// of the end of a session after the parent is removed.
  final let parentSessionID: Int
  final let depth: Int32
  @exclusivity(unchecked) @usableFromInline final var needsRender = true
  @exclusivity(unchecked) @usableFromInline final var isAlive = true

  /// Creates a node. The parameters are borrowed to avoid reference counting, because a host
  /// creates thousands of nodes.
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
      that renders itself endlessly does this: give the recursion an end.
      """)
  }

  /// The description of the state, for a debug snapshot.
  var stateDescription: String { "" }

  /// Returns the encoded state; `nil` if the workflow does not save it.
  func savedState() -> [UInt8]? { nil }

  /// Marks the node and its ancestors as changed, up to the nearest node whose rendering is `Void`.
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

  /// Removes a whole subtree: parents before children, in render order.
  ///
  /// A loop is used instead of recursion, because removing a tall tree must not need a large stack.
  final func tearDown() {
    leave()
    guard !children.isEmpty else { return tearDownWithoutChildren() }
    var waiting: ContiguousArray<Node> = [self]
    while let node = waiting.popLast() {
      let children = node.children
      node.children = []
      node.tearDownWithoutChildren()
      for child in children { child.leave() }
      // Immediately tear down the leading children that have no children: they are next in order.
      var position = 0
      while position < children.count, children[position].children.isEmpty {
        children[position].tearDownWithoutChildren()
        position += 1
      }
      if position < children.count { waiting.append(contentsOf: children[position...].reversed()) }
    }
  }

  /// Makes the node unreachable from its parent and from sinks.
  private final func leave() {
    isAlive = false
    parent = nil
    if core.hasObservers { listener = core }
  }

  private final func tearDownWithoutChildren() {
    if let effects {
      self.effects = nil
      effects.end(in: core)
    }
    if core.hasObservers { core.sessionDidEnd(self) }
    // States and renderings may contain sinks, which retain this object.
    kind.release(self)
  }
}
