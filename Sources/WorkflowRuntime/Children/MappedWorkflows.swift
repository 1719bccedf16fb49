/// A workflow whose outputs are mapped to other values; created by `mapOutput` and `onOutput`.
public struct OutputMappedWorkflow<Base: WorkflowConvertible, Output>: WorkflowConvertible {
  @usableFromInline let base: Base
  @usableFromInline let transform: (Base.Output) -> Output

  @inlinable
  init(base: Base, transform: @escaping (Base.Output) -> Output) {
    self.base = base
    self.transform = transform
  }

  /// Renders the wrapped workflow as a child. Call `rendered(with:)` instead.
  @inlinable
  public func renderAsChild<Parent: Workflow>(
    of context: RenderContext<Parent>, key: String, bubbling: ((Output) -> PendingAction?)?
  ) -> Base.Rendering {
    guard let bubbling else { return base.renderAsChild(of: context, key: key, bubbling: nil) }
    let transform = transform
    return base.renderAsChild(of: context, key: key, bubbling: { bubbling(transform($0)) })
  }

  /// Returns this workflow with its type erased.
  public func asAnyWorkflow() -> AnyWorkflow<Output, Base.Rendering> { AnyWorkflow(erasing: self) }

  /// The wrapped workflow, without any mapping.
  public var baseWorkflow: any Workflow { base.baseWorkflow }
}

/// A workflow whose rendering is mapped to another value; created by `mapRendering`.
public struct RenderingMappedWorkflow<Base: WorkflowConvertible, Rendering>: WorkflowConvertible {
  @usableFromInline let base: Base
  @usableFromInline let transform: (Base.Rendering) -> Rendering

  @inlinable
  init(base: Base, transform: @escaping (Base.Rendering) -> Rendering) {
    self.base = base
    self.transform = transform
  }

  /// Renders the wrapped workflow as a child. Call `rendered(with:)` instead.
  @inlinable
  public func renderAsChild<Parent: Workflow>(
    of context: RenderContext<Parent>, key: String, bubbling: ((Base.Output) -> PendingAction?)?
  ) -> Rendering {
    transform(base.renderAsChild(of: context, key: key, bubbling: bubbling))
  }

  /// Returns this workflow with its type erased.
  public func asAnyWorkflow() -> AnyWorkflow<Base.Output, Rendering> { AnyWorkflow(erasing: self) }

  /// The wrapped workflow, without any mapping.
  public var baseWorkflow: any Workflow { base.baseWorkflow }
}

/// A workflow whose outputs are dropped; created by `ignoringOutput`.
public struct OutputIgnoredWorkflow<Base: WorkflowConvertible>: WorkflowConvertible {
  @usableFromInline let base: Base

  @inlinable
  init(base: Base) {
    self.base = base
  }

  /// Renders the wrapped workflow as a child. Call `rendered(with:)` instead.
  @inlinable
  public func renderAsChild<Parent: Workflow>(
    of context: RenderContext<Parent>, key: String, bubbling: ((Never) -> PendingAction?)?
  ) -> Base.Rendering {
    base.renderAsChild(of: context, key: key, bubbling: nil)
  }

  /// Returns this workflow with its type erased.
  public func asAnyWorkflow() -> AnyWorkflow<Never, Base.Rendering> { AnyWorkflow(erasing: self) }

  /// The wrapped workflow, without any mapping.
  public var baseWorkflow: any Workflow { base.baseWorkflow }
}
