/// A workflow without its type: only what it says and what it shows.
///
/// Drawn as a child, it is the workflow inside, with that one's type as its identity and no node of
/// its own. Only as the root of a host does it have a node.
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

  /// Erases a workflow. Erasing an erased one gives the same again.
  public init(_ workflow: some WorkflowConvertible<Output, Rendering>) {
    self = workflow.asAnyWorkflow()
  }

  /// The workflow inside, below all maps.
  public var base: any Workflow { erased.baseWorkflow }

  /// The type of the workflow inside.
  public var workflowType: any Workflow.Type { type(of: base) }

  /// Draws what is inside, and passes its outputs on.
  public func render(state: Void, context: RenderContext<Self>) -> Rendering {
    erased.renderAsChild(
      of: context, key: "",
      bubbling: { PendingAction(AnyWorkflowAction<Self>(sendingOutput: $0)) })
  }

  /// Draws the workflow inside as a child. One calls `rendered(with:)`.
  public func renderAsChild<Parent: Workflow>(
    of context: RenderContext<Parent>, key: String, bubbling: ((Output) -> PendingAction?)?
  ) -> Rendering {
    erased.renderAsChild(of: context, key: key, bubbling: bubbling)
  }

  /// The same without its type.
  public func asAnyWorkflow() -> AnyWorkflow<Output, Rendering> { self }

  /// The workflow inside, below all maps.
  public var baseWorkflow: any Workflow { base }
}
