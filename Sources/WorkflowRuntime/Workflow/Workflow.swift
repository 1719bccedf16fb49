/// A unit of an app: its state and how it is rendered.
///
/// A workflow is a value. Its stored properties are the input from its parent; its `State` is kept
/// between renders; its `Rendering` is its view model. The runtime keeps one node per workflow in a
/// tree and calls the three methods below.
///
/// ```swift
/// struct Counter: Workflow {
///   struct Rendering {
///     var count: Int
///     var onTap: () -> Void
///   }
///   enum Action: WorkflowAction {
///     case tap
///     typealias WorkflowType = Counter
///     func apply(toState state: inout Int) -> Never? {
///       state += 1
///       return nil
///     }
///   }
///   func makeInitialState() -> Int { 0 }
///   func render(state: Int, context: RenderContext<Counter>) -> Rendering {
///     let sink = context.makeSink(of: Action.self)
///     return Rendering(count: state, onTap: { sink.send(.tap) })
///   }
/// }
/// ```
///
/// ## When a node is rendered
///
/// A render pass over the tree renders a node only if
/// - its state has changed: an `Equatable` state is compared, a `Void` state never changes, and any
///   other state counts as changed by every action;
/// - or its parent was rendered and passed another workflow value: an `Equatable` workflow is
///   compared, and any other workflow counts as changed;
/// - or a descendant is rendered, unless the descendant, or a node between it and this node, has a
///   `Void` rendering, which contains nothing for its parent.
///
/// Every other node keeps its rendering. So `render` must depend only on its arguments, its
/// workflow's values and the renderings of its children.
public protocol Workflow<Output, Rendering>: WorkflowConvertible {
  /// The state kept between renders. `Void` for a workflow without state.
  associatedtype State

  /// The values sent to the parent. `Never` for a workflow without output.
  associatedtype Output = Never

  /// The value that a render returns to the parent.
  associatedtype Rendering

  /// Returns the state of a new node. Called once per node, before its first render.
  func makeInitialState() -> State

  /// Adapts the state of an existing node to a new workflow value, before the node is rendered.
  ///
  /// Does nothing by default. Not called for an `Equatable` workflow that equals the previous one.
  ///
  /// ```swift
  /// func workflowDidChange(from previousWorkflow: Stepper, state: inout Int) {
  ///   if step != previousWorkflow.step { state = 0 }
  /// }
  /// ```
  func workflowDidChange(from previousWorkflow: Self, state: inout State)

  /// Renders the state, and requests children, workers and side effects with the context.
  ///
  /// The context is valid only until this method returns.
  func render(state: State, context: RenderContext<Self>) -> Rendering
}

extension Workflow {
  /// Does nothing.
  @inlinable
  public func workflowDidChange(from previousWorkflow: Self, state: inout State) {}

  /// Renders the workflow as a child, for `rendered(with:)`. Call `rendered(with:)` instead of this
  /// method.
  @inlinable
  public func renderAsChild<Parent: Workflow>(
    of context: RenderContext<Parent>, key: String, bubbling: ((Output) -> PendingAction?)?
  ) -> Rendering {
    context.renderChild(self, key: key, bubbling: bubbling)
  }

  /// Returns this workflow with its type erased.
  public func asAnyWorkflow() -> AnyWorkflow<Output, Rendering> {
    AnyWorkflow(erasing: self)
  }

  /// The workflow itself.
  public var baseWorkflow: any Workflow { self }
}

extension Workflow where State == Void {
  /// Returns the empty state.
  @inlinable
  public func makeInitialState() {}
}
