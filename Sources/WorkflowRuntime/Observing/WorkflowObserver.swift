/// A receiver of all events in a host, for logs, traces and tests.
///
/// Each method does nothing by default. Several observers are called in the order in which they
/// were passed to the host; the closures that their methods return are called in reverse order.
/// Actions that an observer sends are applied afterwards, in the same turn. If an observer sends an
/// action for every rendering, the turn never ends, so the program is ended after 500,000 actions.
///
/// ```swift
/// struct ActionLog: WorkflowObserver {
///   func workflowDidReceiveAction<Action: WorkflowAction>(
///     _ action: Action, workflow: Action.WorkflowType, session: WorkflowSession
///   ) {
///     print("\(session.workflowName)#\(session.id): \(action)")  // Counter#1: tap
///   }
/// }
/// let host = WorkflowHost(workflow: Counter(), observers: [ActionLog()])
/// ```
///
/// In a render pass, the call of `workflowWillRender` for a parent precedes the calls for its
/// children. The closure that it returned for the parent is called after the closures for the
/// children.
public protocol WorkflowObserver {
  /// Called after a node was created.
  func sessionDidBegin(_ session: WorkflowSession)

  /// Called after a node has been removed. The call for a parent precedes those for its children.
  func sessionDidEnd(_ session: WorkflowSession)

  /// Called when a node has its first state. The call for a parent precedes those for its children.
  func workflowDidMakeInitialState<W: Workflow>(
    _ workflow: W, initialState: W.State, session: WorkflowSession)

  /// Called before a node is rendered. The returned closure is called with the rendering.
  func workflowWillRender<W: Workflow>(
    _ workflow: W, state: W.State, session: WorkflowSession
  ) -> ((W.Rendering) -> Void)?

  /// Called after a node received a new workflow value, from its parent or, for the root, from
  /// `WorkflowHost.update(workflow:)`. Not called if an `Equatable` value equals the previous one.
  func workflowDidChange<W: Workflow>(
    from previous: W, to workflow: W, state: W.State, session: WorkflowSession)

  /// Called when an action arrives from a sink or a worker, but not for an action to which the
  /// output of a child was mapped.
  func workflowDidReceiveAction<Action: WorkflowAction>(
    _ action: Action, workflow: Action.WorkflowType, session: WorkflowSession)

  /// Called before an action is applied to a node. `session` is the session of this node: the node
  /// that received the action, or one of its ancestors. The returned closure is called with the new
  /// state and the output.
  func workflowWillApplyAction<Action: WorkflowAction>(
    _ action: Action, workflow: Action.WorkflowType, state: Action.WorkflowType.State,
    session: WorkflowSession
  ) -> ((Action.WorkflowType.State, Action.WorkflowType.Output?) -> Void)?

  /// Called when an action is dropped because its node is removed.
  func actionWasDropped(_ action: Any)

  /// Called when a worker is newly requested or replaces another one, before the worker runs.
  /// `session` is the session of the requesting node.
  func workerDidStart(_ id: WorkerID, name: String, _ session: WorkflowSession)

  /// Called when a worker that has not ended is no longer requested.
  func workerDidStop(_ id: WorkerID, _ session: WorkflowSession)

  /// Called when a running worker has delivered an output.
  func workerDidOutput(_ output: WorkerOutput, _ session: WorkflowSession)

  /// Called when an output is dropped because its worker was replaced or removed, or had ended.
  func workerOutputWasDropped(_ output: WorkerOutput)
}

extension WorkflowObserver {
  /// Does nothing.
  public func sessionDidBegin(_ session: WorkflowSession) {}
  /// Does nothing.
  public func sessionDidEnd(_ session: WorkflowSession) {}
  /// Does nothing.
  public func workflowDidMakeInitialState<W: Workflow>(
    _ workflow: W, initialState: W.State, session: WorkflowSession
  ) {}
  /// Does nothing.
  public func workflowWillRender<W: Workflow>(
    _ workflow: W, state: W.State, session: WorkflowSession
  ) -> ((W.Rendering) -> Void)? { nil }
  /// Does nothing.
  public func workflowDidChange<W: Workflow>(
    from previous: W, to workflow: W, state: W.State, session: WorkflowSession
  ) {}
  /// Does nothing.
  public func workflowDidReceiveAction<Action: WorkflowAction>(
    _ action: Action, workflow: Action.WorkflowType, session: WorkflowSession
  ) {}
  /// Does nothing.
  public func workflowWillApplyAction<Action: WorkflowAction>(
    _ action: Action, workflow: Action.WorkflowType, state: Action.WorkflowType.State,
    session: WorkflowSession
  ) -> ((Action.WorkflowType.State, Action.WorkflowType.Output?) -> Void)? { nil }
  /// Does nothing.
  public func actionWasDropped(_ action: Any) {}
  /// Does nothing.
  public func workerDidStart(_ id: WorkerID, name: String, _ session: WorkflowSession) {}
  /// Does nothing.
  public func workerDidStop(_ id: WorkerID, _ session: WorkflowSession) {}
  /// Does nothing.
  public func workerDidOutput(_ output: WorkerOutput, _ session: WorkflowSession) {}
  /// Does nothing.
  public func workerOutputWasDropped(_ output: WorkerOutput) {}
}
