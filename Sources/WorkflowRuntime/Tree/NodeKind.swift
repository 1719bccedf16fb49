/// The properties of a workflow type; created once per type and host.
@usableFromInline
final class NodeKind {
  /// A comparison of the values that two pointers refer to.
  @usableFromInline typealias Equality = (UnsafeRawPointer, UnsafeRawPointer) -> Bool

  @usableFromInline let typeID: ObjectIdentifier
  let workflowType: any Workflow.Type

  /// The comparison of two workflow values.
  @usableFromInline let workflowEquality: LazyEquality
  /// The comparison of two states.
  @usableFromInline let stateEquality: LazyEquality
  @usableFromInline let stateIsVoid: Bool
  let rendersVoid: Bool

  /// A closure that renders a node of this type. The closure is compiled where the type is known,
  /// so it need not look up type metadata at run time.
  let render: (Node) -> Void
  /// A closure that releases the values of a node of this type, compiled like `render`.
  let release: (Node) -> Void

  /// An unused render context, which the next render of a node without children will use; `nil` if
  /// there is no unused context.
  @exclusivity(unchecked) @usableFromInline var spareContext: AnyObject?

  @usableFromInline
  init<W: Workflow>(
    _ type: W.Type, render: @escaping (Node) -> Void, release: @escaping (Node) -> Void
  ) {
    typeID = ObjectIdentifier(type)
    workflowType = type
    workflowEquality = LazyEquality(of: W.self)
    stateEquality = LazyEquality(of: W.State.self)
    stateIsVoid = W.State.self == Void.self
    rendersVoid = W.Rendering.self == Void.self
    self.render = render
    self.release = release
  }

  private(set) lazy var shortName = "\(workflowType)"

  /// The name with the module and the enclosing types.
  private(set) lazy var fullName = String(reflecting: workflowType)

  /// The mangled name, which identifies the type in snapshots.
  private(set) lazy var nameInFiles = workflowType.nameInFiles
}

/// The comparison of two values of a type, looked up on first use. The lookup searches every
/// conformance in the program: four lookups take an eighth of a short program's startup time.
@usableFromInline
final class LazyEquality {
  private let lookUp: () -> NodeKind.Equality?
  @exclusivity(unchecked) @usableFromInline var isFound = false
  @exclusivity(unchecked) @usableFromInline var found: NodeKind.Equality?

  init<Value>(of type: Value.Type) {
    lookUp = {
      guard let equatable = type as? any Equatable.Type else { return nil }
      return Self.pointerEquality(equatable)
    }
  }

  /// The comparison; `nil` if the type is not `Equatable`.
  @inlinable var value: NodeKind.Equality? {
    if !isFound { find() }
    return found
  }

  @usableFromInline func find() {
    found = lookUp()
    isFound = true
  }

  private static func pointerEquality<Value: Equatable>(_ type: Value.Type) -> NodeKind.Equality {
    {
      $0.assumingMemoryBound(to: Value.self).pointee
        == $1.assumingMemoryBound(to: Value.self).pointee
    }
  }
}
