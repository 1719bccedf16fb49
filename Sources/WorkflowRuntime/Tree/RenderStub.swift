/// A replacement for the children, workers and side effects of a workflow in a render tester.
@usableFromInline
package protocol RenderStub: AnyObject {
  func renderChild<Child: Workflow>(
    _ workflow: Child, key: String, bubbling: ((Child.Output) -> PendingAction?)?
  ) -> Child.Rendering

  func awaitResult<Work: Sendable>(
    for worker: Work, key: String, isEquivalent: @escaping (Work, Work) -> Bool,
    bubbling: @escaping (any Sendable) -> PendingAction?)

  func runSideEffect(key: AnyHashable, _ body: @escaping (Lifetime) -> Void)
}

/// A workflow rendered with a `RenderStub`: a real node without real children, workers and side
/// effects.
///
/// Actions are applied as in a host, but the changed state is not rendered automatically.
package final class StubbedRender<W: Workflow> {
  private let core: HostCore
  private let node: TypedNode<W>

  /// The outputs of the applied actions.
  package private(set) var outputs: [W.Output] = []

  package init(
    workflow: W, state: W.State, stage: any RenderStub, observers: [any WorkflowObserver]
  ) {
    core = HostCore(observers: observers)
    core.stage = stage
    node = TypedNode(workflow: workflow, state: state, core: core, parent: nil, key: "")
    core.root = node
    core.holder = self
    node.values.pointee.bubbling = { [unowned self] output in
      outputs.append(output)
      return nil
    }
  }

  deinit {
    core.end()
  }

  package var state: W.State { node.state }

  /// Renders, whether or not the state has changed.
  package func render() -> W.Rendering {
    core.beginFirstTurn(node)
    core.beginEndlessBatch()
    return node.currentRendering()
  }

  /// Applies the action that an output of a child or a worker was mapped to.
  package func apply(_ action: PendingAction) {
    core.perform(at: node) { [core, node] in core.applyAndBubble(action, at: node) }
  }

  /// Applies an action as if it came from a sink.
  package func send<Action: WorkflowAction>(_ action: Action) where Action.WorkflowType == W {
    node.receive(action)
  }
}
