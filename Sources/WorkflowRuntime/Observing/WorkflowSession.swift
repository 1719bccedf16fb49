/// The identity of a node during its lifetime.
public struct WorkflowSession: Hashable, Sendable {
  /// The number of the session, unique within the host. A node that is removed and rendered again
  /// gets a new session.
  public let id: Int

  /// The id of the parent's session; `nil` for the root.
  public let parentID: Int?

  /// The key under which the parent renders the workflow.
  public let key: String

  /// The name of the workflow's type. It includes the module and the enclosing types if another
  /// type in the tree has the same short name.
  public let workflowName: String

  /// The workflow's type.
  public let workflowType: Any.Type

  /// Whether two sessions have the same ids, key and type. Names are not compared, because a name
  /// may become longer when another type with the same short name appears.
  public static func == (left: WorkflowSession, right: WorkflowSession) -> Bool {
    left.id == right.id && left.parentID == right.parentID && left.key == right.key
      && left.workflowType == right.workflowType
  }

  /// Hashes the id and the type.
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

  /// The name of the workflow's type; the full name if another type has the same short name.
  final var name: String { core.name(of: kind) }
}
