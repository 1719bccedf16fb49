/// What the runtime has to know about a workflow type: made once a type and host.
@usableFromInline
final class NodeKind {
  /// Compares the values behind two pointers.
  @usableFromInline typealias Equality = (UnsafeRawPointer, UnsafeRawPointer) -> Bool

  @usableFromInline let typeID: ObjectIdentifier
  let workflowType: any Workflow.Type

  /// How two workflows, and two states, are compared.
  @usableFromInline let workflowEquality: FoundEquality
  @usableFromInline let stateEquality: FoundEquality
  @usableFromInline let stateIsVoid: Bool
  let rendersVoid: Bool

  /// Draws a node of this type, and lets go of what one holds, in code compiled where the type is
  /// known: there it takes no look at metadata.
  let render: (Node) -> Void
  let release: (Node) -> Void

  /// A render context that nobody uses, for the next node without children.
  @exclusivity(unchecked) @usableFromInline var spareContext: AnyObject?

  @usableFromInline
  init<W: Workflow>(
    _ type: W.Type, render: @escaping (Node) -> Void, release: @escaping (Node) -> Void
  ) {
    typeID = ObjectIdentifier(type)
    workflowType = type
    workflowEquality = FoundEquality(of: W.self)
    stateEquality = FoundEquality(of: W.State.self)
    stateIsVoid = W.State.self == Void.self
    rendersVoid = W.Rendering.self == Void.self
    self.render = render
    self.release = release
  }

  private(set) lazy var shortName = "\(workflowType)"

  /// With the module and the types around it.
  private(set) lazy var fullName = String(reflecting: workflowType)

  /// What the type is called in a file.
  private(set) lazy var nameInFiles = workflowType.nameInFiles
}

/// How two values of a type are compared, looked up when it is asked for: the look-up goes through
/// every conformance of the program, and four of them are an eighth of a short program's start.
@usableFromInline
final class FoundEquality {
  private let look: () -> NodeKind.Equality?
  @exclusivity(unchecked) @usableFromInline var isFound = false
  @exclusivity(unchecked) @usableFromInline var found: NodeKind.Equality?

  init<Value>(of type: Value.Type) {
    look = {
      guard let equatable = type as? any Equatable.Type else { return nil }
      return Self.pointerEquality(equatable)
    }
  }

  /// `nil` when the type is not `Equatable`.
  @inlinable var value: NodeKind.Equality? {
    if !isFound { find() }
    return found
  }

  @usableFromInline func find() {
    found = look()
    isFound = true
  }

  private static func pointerEquality<Value: Equatable>(_ type: Value.Type) -> NodeKind.Equality {
    {
      $0.assumingMemoryBound(to: Value.self).pointee
        == $1.assumingMemoryBound(to: Value.self).pointee
    }
  }
}
