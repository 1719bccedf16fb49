/// What the runtime has to know about a workflow type: made once a type and host.
@usableFromInline
final class NodeKind {
  /// Compares the values behind two pointers.
  @usableFromInline typealias Equality = (UnsafeRawPointer, UnsafeRawPointer) -> Bool

  @usableFromInline let typeID: ObjectIdentifier
  let workflowType: any Workflow.Type

  /// `nil` when the workflow is not `Equatable`.
  @usableFromInline let workflowsAreEqual: Equality?

  /// `nil` when the state is not `Equatable`.
  @usableFromInline let statesAreEqual: Equality?
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
    workflowsAreEqual = Self.equality(of: W.self)
    statesAreEqual = Self.equality(of: W.State.self)
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

  private static func equality<Value>(of type: Value.Type) -> Equality? {
    guard let equatable = type as? any Equatable.Type else { return nil }
    return pointerEquality(equatable)
  }

  private static func pointerEquality<Value: Equatable>(_ type: Value.Type) -> Equality {
    {
      $0.assumingMemoryBound(to: Value.self).pointee
        == $1.assumingMemoryBound(to: Value.self).pointee
    }
  }
}
