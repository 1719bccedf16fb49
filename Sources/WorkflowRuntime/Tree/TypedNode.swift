/// A node of the tree, with the types of its workflow.
///
/// The methods are inlinable so that they are specialized in the module of the workflow.
@usableFromInline
final class TypedNode<W: Workflow>: Node {
  /// The node's values whose types depend on `W`; freed when the node is removed from the tree.
  ///
  /// They are allocated separately, so that code that knows their types can release them. A
  /// `deinit` of the node would have to look up the metadata of these types each time.
  @usableFromInline let values: UnsafeMutablePointer<NodeValues<W>>

  var workflow: W { values.pointee.workflow }
  var state: W.State { values.pointee.state }

  @inlinable
  convenience init(
    workflow: W, core: borrowing HostCore, parent: borrowing Node?, key: String
  ) {
    let state = core.initialState(of: workflow, parent: copy parent, key: key)
    self.init(workflow: workflow, state: state, core: core, parent: parent, key: key)
  }

  @inlinable
  init(
    workflow: W, state: W.State, core: borrowing HostCore, parent: borrowing Node?, key: String
  ) {
    values = .allocate(capacity: 1)
    values.initialize(to: NodeValues(workflow: workflow, state: state))
    super.init(core: core, kind: core.kind(of: W.self), parent: parent, key: key)
    if core.hasObservers { core.sessionDidBegin(self) }
  }

  /// Returns the rendering. Renders the node only if something has changed.
  @inlinable
  func currentRendering() -> W.Rendering {
    if !needsRender, case .some(let rendering) = values.pointee.latest { return rendering }
    return core.renderDepth >= core.nextStackCheckDepth ? renderWithRoom() : render()
  }

  @inlinable
  func render() -> W.Rendering {
    core.hasObservers ? renderObserved() : renderUnobserved()
  }

  @inline(never)
  @usableFromInline
  func renderObserved() -> W.Rendering {
    let didRender = core.willRender(self)
    let fresh = renderUnobserved()
    didRender(fresh)
    return fresh
  }

  @inlinable
  func renderUnobserved() -> W.Rendering {
    needsRender = false
    core.renderDepth += 1
    let fresh = draw()
    endContext()
    core.renderDepth -= 1
    values.pointee.latest = .some(fresh)
    return fresh
  }

  @inlinable
  func draw() -> W.Rendering {
    let context = beginContext()
    effects?.beginRender(context.children.render)
    let fresh = values.pointee.workflow.render(state: values.pointee.state, context: context)
    context.finish(self)
    return fresh
  }

  /// Returns a context for the next render. A context that a workflow has retained is never reused,
  /// so that a call to it after its render remains a programmer error. A node with children has its
  /// own context; all nodes of one workflow type that have no children share a context.
  @inlinable
  func beginContext() -> RenderContext<W> {
    let render = core.nextRenderNumber()
    if values.pointee.context == nil, let spare = kind.spareContext.take() {
      values.pointee.context = unsafeDowncast(spare, to: RenderContext<W>.self)
    }
    if isKnownUniquelyReferenced(&values.pointee.context), let context = values.pointee.context {
      context.begin(self, render: render)
      return context
    }
    let fresh = RenderContext(node: self, render: render)
    values.pointee.context = fresh
    return fresh
  }

  @inlinable
  func endContext() {
    guard children.isEmpty else { return }
    if isKnownUniquelyReferenced(&values.pointee.context) {
      kind.spareContext = values.pointee.context.take()
    } else {
      values.pointee.context = nil
    }
  }

  @inline(never)
  @inlinable
  func renderWithRoom() -> W.Rendering {
    var fresh: W.Rendering?
    core.renderWithRoom { fresh = render() }
    return fresh ?? render()
  }

  /// Updates the node with the workflow value from its parent's render.
  @inlinable
  func update(_ newWorkflow: W) {
    if let areEqual = kind.workflowEquality.value,
      withUnsafePointer(
        to: values.pointee.workflow,
        { old in
          withUnsafePointer(to: newWorkflow) { areEqual(old, $0) }
        })
    {
      return
    }
    let previous = values.pointee.workflow
    values.pointee.workflow = newWorkflow
    newWorkflow.workflowDidChange(from: previous, state: &values.pointee.state)
    needsRender = true
    if core.hasObservers { core.workflowDidChange(self, from: previous) }
  }

  /// Applies an action.
  ///
  /// - Returns: the parent's action that the output was mapped to, if any.
  @inlinable
  func apply<Action: WorkflowAction>(_ action: Action) -> PendingAction?
  where Action.WorkflowType == W {
    let didApply = core.hasObservers ? core.willApply(action, to: self) : nil
    let context = ApplyContext(workflow: values.pointee.workflow)
    let output: W.Output?
    if let areEqual = kind.stateEquality.value {
      let old = values.pointee.state
      output = action.apply(toState: &values.pointee.state, context: context)
      let isUnchanged = withUnsafePointer(to: old) { old in
        withUnsafePointer(to: values.pointee.state) { areEqual(old, $0) }
      }
      if !isUnchanged { invalidate() }
    } else {
      output = action.apply(toState: &values.pointee.state, context: context)
      if !kind.stateIsVoid { invalidate() }
    }
    didApply?(values.pointee.state, output)
    guard let output, let bubbling = values.pointee.bubbling else { return nil }
    return bubbling(output)
  }

  /// Receives an action from a sink of the node.
  @inlinable
  func receive<Action: WorkflowAction>(_ action: Action) where Action.WorkflowType == W {
    guard isAlive else {
      listener?.lateActionWasDropped(action)
      return
    }
    core.send(action, to: self)
  }

  /// Releases the values, once, at the end of the session.
  @inlinable
  func release() {
    // The values are moved: deinitializing them in place would look up the type's metadata.
    let last = values.move()
    values.deallocate()
    withExtendedLifetime(last) {}
  }

  override var stateDescription: String { isAlive ? "\(state)" : "" }

  override func savedState() -> [UInt8]? {
    guard isAlive else { return nil }
    return (workflow as? any StateSavingWorkflow)?.savedState(erased: state)
  }
}

/// The typed part of a node: the values whose types depend on the workflow type `W`.
@usableFromInline
struct NodeValues<W: Workflow> {
  @usableFromInline var workflow: W
  @usableFromInline var state: W.State
  @usableFromInline var latest = Latest<W.Rendering>.none

  /// The context that is retained between renders; `nil` if the node has no children.
  @usableFromInline var context: RenderContext<W>?

  /// The mapping from an output to the parent's action, as requested by the parent's latest render;
  /// `nil` if outputs are ignored.
  @usableFromInline var bubbling: ((W.Output) -> PendingAction?)?

  @inlinable
  init(workflow: W, state: W.State) {
    self.workflow = workflow
    self.state = state
  }
}

/// The latest rendering, if any.
///
/// It is not an `Optional`, because the metadata of an `Optional` takes twice as long to look up.
@usableFromInline
@frozen
enum Latest<Rendering> {
  case none
  case some(Rendering)
}
