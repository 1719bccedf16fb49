/// Names one node for as long as it lives.
public struct WorkflowSession: Hashable, Sendable {
  /// Unique in its host: a node that is removed and comes back has another.
  public let id: Int

  /// The session of the parent; `nil` for the root.
  public let parentID: Int?

  /// The key the parent gave.
  public let key: String

  /// The name of the workflow's type: with its module and the types around it, where the tree has
  /// another type of the same short name.
  public let workflowName: String

  /// The workflow's type.
  public let workflowType: Any.Type

  /// Compares ids and types; a name can grow longer in the course of time.
  public static func == (left: WorkflowSession, right: WorkflowSession) -> Bool {
    left.id == right.id && left.parentID == right.parentID && left.key == right.key
      && left.workflowType == right.workflowType
  }

  /// Feeds what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(ObjectIdentifier(workflowType))
  }
}

extension Node {
  final var session: WorkflowSession {
    WorkflowSession(
      id: sessionID, parentID: parentSessionID == 0 ? nil : parentSessionID, key: key,
      workflowName: name, workflowType: kind.workflowType)
  }

  /// The name of the workflow's type, in full where another has the same short one.
  final var name: String { core.name(of: kind) }
}
