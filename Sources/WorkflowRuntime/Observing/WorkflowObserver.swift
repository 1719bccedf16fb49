/// Is told what happens in a host: for logs, traces and tests.
///
/// Every method does nothing by default. Several observers are called in order, and the closures
/// they return in the reverse order. What an observer sends to a sink is applied afterwards, in the
/// same turn; one that sends for every rendering ends the program after 500,000 of them, because
/// that turn would never end.
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
/// In a pass a parent's `willRender` comes before its children's and its closure after theirs.
public protocol WorkflowObserver {
  /// A node was made.
  func sessionDidBegin(_ session: WorkflowSession)

  /// A node is gone. Parents before children.
  func sessionDidEnd(_ session: WorkflowSession)

  /// A node has its first state. Parents before children.
  func workflowDidMakeInitialState<W: Workflow>(
    _ workflow: W, initialState: W.State, session: WorkflowSession)

  /// A node is about to be drawn; the closure gets the rendering.
  func workflowWillRender<W: Workflow>(
    _ workflow: W, state: W.State, session: WorkflowSession
  ) -> ((W.Rendering) -> Void)?

  /// A node was given another value by its parent.
  func workflowDidChange<W: Workflow>(
    from previous: W, to workflow: W, state: W.State, session: WorkflowSession)

  /// An action came from outside: a sink or a worker. Not called for what outputs become.
  func workflowDidReceiveAction<Action: WorkflowAction>(
    _ action: Action, workflow: Action.WorkflowType, session: WorkflowSession)

  /// An action is about to be applied, to the node it came to or to one above; the closure gets
  /// the state after it, and the output.
  func workflowWillApplyAction<Action: WorkflowAction>(
    _ action: Action, workflow: Action.WorkflowType, state: Action.WorkflowType.State,
    session: WorkflowSession
  ) -> ((Action.WorkflowType.State, Action.WorkflowType.Output?) -> Void)?

  /// An action came to a node that is gone.
  func actionWasDropped(_ action: Any)

  /// A worker is wanted from now on; the session is that of the node that asked.
  func workerDidStart(_ id: WorkerID, name: String, _ session: WorkflowSession)

  /// A worker is no longer wanted before it has ended.
  func workerDidStop(_ id: WorkerID, _ session: WorkflowSession)

  /// A worker's answer came in time.
  func workerDidOutput(_ output: WorkerOutput, _ session: WorkflowSession)

  /// A worker's answer came after the worker was replaced or removed, or had ended.
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
