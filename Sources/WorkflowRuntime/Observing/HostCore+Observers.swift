extension HostCore {
  @usableFromInline
  func sessionDidBegin<W: Workflow>(_ node: TypedNode<W>) {
    let session = node.session
    for observer in observers {
      observer.sessionDidBegin(session)
      observer.workflowDidMakeInitialState(
        node.workflow, initialState: node.state, session: session)
    }
  }

  func sessionDidEnd(_ node: Node) {
    for observer in observers { observer.sessionDidEnd(node.session) }
  }

  @usableFromInline
  func willRender<W: Workflow>(_ node: TypedNode<W>) -> (W.Rendering) -> Void {
    let session = node.session
    let completions = observers.compactMap {
      $0.workflowWillRender(node.workflow, state: node.state, session: session)
    }
    return { rendering in
      for completion in completions.reversed() { completion(rendering) }
    }
  }

  @usableFromInline
  func workflowDidChange<W: Workflow>(_ node: TypedNode<W>, from previous: W) {
    for observer in observers {
      observer.workflowDidChange(
        from: previous, to: node.workflow, state: node.state, session: node.session)
    }
  }

  @usableFromInline
  func didReceive<Action: WorkflowAction>(
    _ action: Action, at node: TypedNode<Action.WorkflowType>
  ) {
    for observer in observers {
      observer.workflowDidReceiveAction(action, workflow: node.workflow, session: node.session)
    }
  }

  @usableFromInline
  func willApply<Action: WorkflowAction>(
    _ action: Action, to node: TypedNode<Action.WorkflowType>
  ) -> (Action.WorkflowType.State, Action.WorkflowType.Output?) -> Void {
    let session = node.session
    let completions = observers.compactMap {
      $0.workflowWillApplyAction(
        action, workflow: node.workflow, state: node.state, session: session)
    }
    return { state, output in
      for completion in completions.reversed() { completion(state, output) }
    }
  }

  /// Reports an action that was sent to a sink of a removed node.
  @usableFromInline
  func lateActionWasDropped(_ action: Any) {
    checkOwner()
    actionWasDropped(action)
  }

  @usableFromInline
  func actionWasDropped(_ action: Any) {
    for observer in observers { observer.actionWasDropped(action) }
  }
}
