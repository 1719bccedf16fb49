/// Names one node for as long as it lives.
public struct WorkflowSession: Hashable, Sendable {
  /// Unique in its host: a node that is removed and comes back has another.
  public let id: Int

  /// The session of the parent; `nil` for the root.
  public let parentID: Int?

  /// The key the parent gave.
  public let key: String

  /// The name of the workflow's type.
  public let workflowName: String
}

extension Node {
  final var session: WorkflowSession {
    WorkflowSession(
      id: sessionID, parentID: parent?.sessionID, key: key, workflowName: kind.name)
  }
}
