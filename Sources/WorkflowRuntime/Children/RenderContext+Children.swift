extension RenderContext {
  /// Finds or creates the child's node, updates it, renders it if necessary, and returns its
  /// rendering.
  @inlinable
  func renderChild<Child: Workflow>(
    _ workflow: Child, key: String, bubbling: ((Child.Output) -> PendingAction?)?
  ) -> Child.Rendering {
    let parent = node
    if parent.core.isStaged, let stage = parent.core.stage {
      return stage.renderChild(workflow, key: key, bubbling: bubbling)
    }
    guard let known = parent.claimChild(ObjectIdentifier(Child.self), key, with: &children) else {
      return renderNewChild(workflow, key: key, of: parent, bubbling: bubbling)
    }
    let child = unsafeDowncast(known, to: TypedNode<Child>.self)
    child.values.pointee.bubbling = bubbling
    child.update(workflow)
    return child.currentRendering()
  }

  @inlinable
  func renderNewChild<Child: Workflow>(
    _ workflow: Child, key: String, of parent: Node,
    bubbling: ((Child.Output) -> PendingAction?)?
  ) -> Child.Rendering {
    let child = TypedNode(workflow: workflow, core: parent.core, parent: parent, key: key)
    parent.addChild(child, with: &children)
    child.values.pointee.bubbling = bubbling
    return child.currentRendering()
  }
}

extension Node {
  @usableFromInline
  final func claimChild(
    _ typeID: ObjectIdentifier, _ key: String, with reconciler: inout Reconciler<Node>
  ) -> Node? {
    if let next = reconciler.claimNext(typeID, key, in: children) { return next }
    if reconciler.hasNoPreviousElements(count: children.count) { return nil }
    switch reconciler.search(typeID, key, in: children) {
    case .found(let child): return child
    case .missing: return nil
    case .duplicate(let child): isDuplicated(child)
    }
  }

  @usableFromInline
  final func addChild(_ child: Node, with reconciler: inout Reconciler<Node>) {
    reconciler.add(child, to: &children)
  }

  @usableFromInline
  final func removeUnclaimed(_ reconciler: inout Reconciler<Node>) {
    let unclaimed = reconciler.finish(&children)
    if let child = reconciler.duplicate(in: children) { isDuplicated(child) }
    for child in unclaimed { child.tearDown() }
  }

  private func isDuplicated(_ child: Node) -> Never {
    programmerError(
      """
      \(name) renders two children of type \(child.name) with the key "\(child.key)" \
      in one pass. Give each its own: rendered(with: context, key: ...).
      """)
  }
}
