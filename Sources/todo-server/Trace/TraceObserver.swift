import WorkflowRuntime

/// An observer that traces actions, renderings and workers. Of an action, the trace contains only
/// the name, because its values may be secrets.
final class TraceObserver: WorkflowObserver {
  private let trace: TraceFile
  private var workers: [WorkerID: TraceFile.Span] = [:]

  init(_ trace: TraceFile) { self.trace = trace }

  func workflowWillRender<W: Workflow>(
    _ workflow: W, state: W.State, session: WorkflowSession
  ) -> ((W.Rendering) -> Void)? {
    let start = TraceFile.Instant.now
    return { [trace] _ in trace.span("render \(session.workflowName)", .render, from: start) }
  }

  func workflowWillApplyAction<Action: WorkflowAction>(
    _ action: Action, workflow: Action.WorkflowType, state: Action.WorkflowType.State,
    session: WorkflowSession
  ) -> ((Action.WorkflowType.State, Action.WorkflowType.Output?) -> Void)? {
    let start = TraceFile.Instant.now
    let name = "\(session.workflowName).\(Self.name(of: action))"
    return { [trace] _, _ in trace.span(name, .action, from: start) }
  }

  func workerDidStart(_ id: WorkerID, name: String, _ session: WorkflowSession) {
    // The key may contain text of the user.
    workers[id] = trace.begin(String(name.prefix { $0 != "(" }), .worker)
  }

  func workerDidStop(_ id: WorkerID, _ session: WorkflowSession) { end(id) }

  func workerDidOutput(_ output: WorkerOutput, _ session: WorkflowSession) {
    if output.isLast { end(output.workerID) }
  }

  private func end(_ id: WorkerID) {
    if let span = workers.removeValue(forKey: id) { trace.end(span) }
  }

  /// Returns the name of an action: the name of its type and, for an enum, the name of its case.
  private static func name(of action: some Any) -> String {
    let mirror = Mirror(reflecting: action)
    let type = "\(type(of: action))".prefix { $0 != "<" }
    guard mirror.displayStyle == .enum else { return String(type) }
    // A case without values is printed as its name.
    return "\(type).\(mirror.children.first?.label ?? "\(action)")"
  }
}
