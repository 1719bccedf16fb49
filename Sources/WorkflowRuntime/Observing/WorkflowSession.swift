/// The identity of a node during its lifetime.
public struct WorkflowSession: Hashable, Sendable {
  /// Unique within the host: a node that is removed and rendered again gets a new one.
  public let id: Int

  /// The session of the parent; `nil` for the root.
  public let parentID: Int?

  /// The key under which the parent renders it.
  public let key: String

  /// The name of the workflow's type; with its module and enclosing types if another type in the
  /// tree has the same short name.
  public let workflowName: String

  /// The workflow's type.
  public let workflowType: Any.Type

  /// Compares ids and types, but not names: a name may become longer when a type of the same name
  /// appears.
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

  /// The name of the workflow's type; in full if another type has the same short name.
  final var name: String { core.name(of: kind) }
}
