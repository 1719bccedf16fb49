/// A receiver of all events in a host, for logs, traces and tests.
///
/// Each method does nothing by default. Several observers are called in order, and the closures
/// they return in reverse order. Actions that an observer sends are applied afterwards, in the same
/// turn. An observer that sends one for every rendering ends the program after 500,000 of them,
/// because that turn would never end.
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
/// In a pass, `willRender` of a parent is called before that of its children, and its closure after
/// theirs.
public protocol WorkflowObserver {
  /// A node was created.
  func sessionDidBegin(_ session: WorkflowSession)

  /// A node was removed. Called for parents before their children.
  func sessionDidEnd(_ session: WorkflowSession)

  /// A node has its first state. Called for parents before their children.
  func workflowDidMakeInitialState<W: Workflow>(
    _ workflow: W, initialState: W.State, session: WorkflowSession)

  /// A node is about to be rendered; the closure is called with the rendering.
  func workflowWillRender<W: Workflow>(
    _ workflow: W, state: W.State, session: WorkflowSession
  ) -> ((W.Rendering) -> Void)?

  /// A node received a new workflow value from its parent.
  func workflowDidChange<W: Workflow>(
    from previous: W, to workflow: W, state: W.State, session: WorkflowSession)

  /// An action arrived from a sink or a worker. Not called for actions that result from outputs.
  func workflowDidReceiveAction<Action: WorkflowAction>(
    _ action: Action, workflow: Action.WorkflowType, session: WorkflowSession)

  /// An action is about to be applied, to the node that received it or to an ancestor; the closure
  /// is called with the new state and the output.
  func workflowWillApplyAction<Action: WorkflowAction>(
    _ action: Action, workflow: Action.WorkflowType, state: Action.WorkflowType.State,
    session: WorkflowSession
  ) -> ((Action.WorkflowType.State, Action.WorkflowType.Output?) -> Void)?

  /// An action was sent to a node that is removed.
  func actionWasDropped(_ action: Any)

  /// A worker is requested; the session is that of the requesting node.
  func workerDidStart(_ id: WorkerID, name: String, _ session: WorkflowSession)

  /// A worker is no longer requested but has not ended.
  func workerDidStop(_ id: WorkerID, _ session: WorkflowSession)

  /// A running worker delivered an output.
  func workerDidOutput(_ output: WorkerOutput, _ session: WorkflowSession)

  /// An output was delivered after its worker was replaced or removed, or had ended.
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
