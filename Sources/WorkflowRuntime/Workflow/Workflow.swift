/// One piece of an app: what it holds, and how that is drawn.
///
/// A workflow is a value. Its stored properties are what its parent tells it; its `State` is what it
/// remembers; its `Rendering` is what it shows. The runtime keeps one node a workflow in a tree and
/// calls the three methods below.
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
/// ## When a node is drawn
///
/// A node is drawn in a pass only if
/// - its state changed: an `Equatable` state is compared, a `Void` state never changes, any other is
///   taken as changed by every action;
/// - or its parent was drawn and gave it another workflow value: an `Equatable` workflow is compared,
///   any other is taken as changed;
/// - or a node below it is drawn, up to and not beyond a node whose `Rendering` is `Void`, because
///   that one has nothing to show its parent.
///
/// Every other node keeps the rendering it has. So `render` has to be a function of its arguments,
/// its workflow's values and the renderings of its children, and of nothing else.
public protocol Workflow<Output, Rendering>: WorkflowConvertible {
  /// What the workflow remembers between renders. `Void` for one that remembers nothing.
  associatedtype State

  /// What the workflow tells its parent. `Never` for one that tells nothing.
  associatedtype Output = Never

  /// What the workflow shows its parent.
  associatedtype Rendering

  /// The state of a new node. Called once a node, before its first render.
  func makeInitialState() -> State

  /// Called when a node that exists already is given another workflow value, before it is drawn.
  ///
  /// Does nothing by default. An `Equatable` workflow that is given an equal value is not told.
  ///
  /// ```swift
  /// func workflowDidChange(from previousWorkflow: Stepper, state: inout Int) {
  ///   if step != previousWorkflow.step { state = 0 }
  /// }
  /// ```
  func workflowDidChange(from previousWorkflow: Self, state: inout State)

  /// Draws the state, and says with the context which children and workers there should be.
  ///
  /// The context is valid only until this method returns.
  func render(state: State, context: RenderContext<Self>) -> Rendering
}

extension Workflow {
  /// Does nothing.
  @inlinable
  public func workflowDidChange(from previousWorkflow: Self, state: inout State) {}

  /// Draws the workflow as a child. One calls `rendered(with:)`.
  @inlinable
  public func renderAsChild<Parent: Workflow>(
    of context: RenderContext<Parent>, key: String, bubbling: ((Output) -> PendingAction?)?
  ) -> Rendering {
    context.renderChild(self, key: key, bubbling: bubbling)
  }

  /// The workflow without its type.
  public func asAnyWorkflow() -> AnyWorkflow<Output, Rendering> {
    AnyWorkflow(erasing: self)
  }

  /// The workflow itself.
  public var baseWorkflow: any Workflow { self }
}

extension Workflow where State == Void {
  /// There is nothing to remember.
  @inlinable
  public func makeInitialState() {}
}
