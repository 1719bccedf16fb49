/// A place in the tree, with the types of its workflow.
///
/// The methods are inlinable so that they are compiled for the concrete workflow, in its module.
@usableFromInline
final class TypedNode<W: Workflow>: Node {
  @exclusivity(unchecked) @usableFromInline var workflow: W
  @exclusivity(unchecked) @usableFromInline var state: W.State
  @exclusivity(unchecked) @usableFromInline var latest = Latest<W.Rendering>.none

  /// Kept from one render to the next where there are children; a leaf makes do without.
  @exclusivity(unchecked) @usableFromInline var context: RenderContext<W>?

  /// What the parent's latest render makes of an output; `nil` when it wants none.
  @exclusivity(unchecked) @usableFromInline var bubbling: ((W.Output) -> PendingAction?)?

  @inlinable
  convenience init(workflow: W, core: HostCore, parent: Node?, key: String) {
    let state = core.initialState(of: workflow, parent: parent, key: key)
    self.init(workflow: workflow, state: state, core: core, parent: parent, key: key)
  }

  @inlinable
  init(workflow: W, state: W.State, core: HostCore, parent: Node?, key: String) {
    self.workflow = workflow
    self.state = state
    super.init(core: core, kind: core.kind(of: W.self), parent: parent, key: key)
    if core.hasObservers { core.sessionDidBegin(self) }
  }

  /// The rendering, drawn anew only when something has changed.
  @inlinable
  func currentRendering() -> W.Rendering {
    if !needsRender, case .some(let rendering) = latest { return rendering }
    return core.renderDepth >= core.nextLookAtStack ? renderWithRoom() : render()
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
    latest = .some(fresh)
    return fresh
  }

  @inlinable
  func draw() -> W.Rendering {
    let context = beginContext()
    effects?.beginRender(context.children.render)
    let fresh = workflow.render(state: state, context: context)
    context.finish(self)
    return fresh
  }

  /// A context that nobody else holds: one that was kept stays invalid. It is the one of the last
  /// render where there are children, and one that is passed around where there are none.
  @inlinable
  func beginContext() -> RenderContext<W> {
    let render = core.nextRenderNumber()
    if context == nil, let spare = kind.spareContext {
      kind.spareContext = nil
      context = unsafeDowncast(spare, to: RenderContext<W>.self)
    }
    if isKnownUniquelyReferenced(&context), let context {
      context.begin(self, render: render)
      return context
    }
    let fresh = RenderContext(node: self, render: render)
    context = fresh
    return fresh
  }

  @inlinable
  func endContext() {
    guard children.isEmpty else { return }
    if isKnownUniquelyReferenced(&context) { kind.spareContext = context }
    context = nil
  }

  @inline(never)
  @inlinable
  func renderWithRoom() -> W.Rendering {
    var fresh: W.Rendering?
    core.renderWithRoom { fresh = render() }
    return fresh ?? render()
  }

  /// Gives the node the value that its parent's render has for it now.
  @inlinable
  func update(_ newWorkflow: W) {
    if let areEqual = kind.workflowsAreEqual,
      withUnsafePointer(
        to: workflow,
        { old in
          withUnsafePointer(to: newWorkflow) { areEqual(old, $0) }
        })
    {
      return
    }
    let previous = workflow
    workflow = newWorkflow
    newWorkflow.workflowDidChange(from: previous, state: &state)
    needsRender = true
    if core.hasObservers { core.workflowDidChange(self, from: previous) }
  }

  /// Applies an action; what it answers is the action of the parent, if the output became one.
  @inlinable
  func apply<Action: WorkflowAction>(_ action: Action) -> PendingAction?
  where Action.WorkflowType == W {
    let didApply = core.hasObservers ? core.willApply(action, to: self) : nil
    let context = ApplyContext(workflow: workflow)
    let output: W.Output?
    if let areEqual = kind.statesAreEqual {
      let old = state
      output = action.apply(toState: &state, context: context)
      let isUnchanged = withUnsafePointer(to: old) { old in
        withUnsafePointer(to: state) { areEqual(old, $0) }
      }
      if !isUnchanged { invalidate() }
    } else {
      output = action.apply(toState: &state, context: context)
      if !kind.stateIsVoid { invalidate() }
    }
    didApply?(state, output)
    guard let output, let bubbling else { return nil }
    return bubbling(output)
  }

  @inlinable
  func release() {
    latest = .none
    bubbling = nil
  }

  override var stateDescription: String { "\(state)" }

  override func savedState() -> [UInt8]? {
    (workflow as? any StateSavingWorkflow)?.savedState(erased: state)
  }
}

/// The latest rendering, if there is one.
///
/// Not an `Optional`, whose metadata takes the runtime twice as long to find.
@usableFromInline
@frozen
enum Latest<Rendering> {
  case none
  case some(Rendering)
}
