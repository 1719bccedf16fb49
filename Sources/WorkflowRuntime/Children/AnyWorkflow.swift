/// A type-erased workflow: only its output and rendering types are known.
///
/// As a child, it has no node of its own: the node belongs to the wrapped workflow, whose type
/// identifies the child. As the root of a host, it has a node of its own.
///
/// ```swift
/// let step: AnyWorkflow<Never, Screen> =
///   isNew ? Welcome().asAnyWorkflow() : Summary().mapRendering(Screen.summary).asAnyWorkflow()
/// ```
public struct AnyWorkflow<Output, Rendering>: Workflow {
  private let erased: any WorkflowConvertible<Output, Rendering>

  init(erasing workflow: some WorkflowConvertible<Output, Rendering>) {
    erased = workflow
  }

  /// Erases the type of a workflow. Erasing an erased workflow returns it unchanged.
  public init(_ workflow: some WorkflowConvertible<Output, Rendering>) {
    self = workflow.asAnyWorkflow()
  }

  /// The wrapped workflow, without any mapping.
  public var base: any Workflow { erased.baseWorkflow }

  /// The type of the wrapped workflow.
  public var workflowType: any Workflow.Type { type(of: base) }

  /// Renders the wrapped workflow and passes its outputs on.
  public func render(state: Void, context: RenderContext<Self>) -> Rendering {
    erased.renderAsChild(
      of: context, key: "",
      bubbling: { PendingAction(AnyWorkflowAction<Self>(sendingOutput: $0)) })
  }

  /// Renders the wrapped workflow as a child. Call `rendered(with:)` instead.
  public func renderAsChild<Parent: Workflow>(
    of context: RenderContext<Parent>, key: String, bubbling: ((Output) -> PendingAction?)?
  ) -> Rendering {
    erased.renderAsChild(of: context, key: key, bubbling: bubbling)
  }

  /// Returns this workflow unchanged.
  public func asAnyWorkflow() -> AnyWorkflow<Output, Rendering> { self }

  /// The wrapped workflow, without any mapping.
  public var baseWorkflow: any Workflow { base }
}
