/// A type that can be rendered as a child: a workflow, or a workflow with mapped outputs or
/// rendering.
public protocol WorkflowConvertible<Output, Rendering> {
  /// A value that is sent to the parent.
  associatedtype Output

  /// The value that a render returns to the parent.
  associatedtype Rendering

  /// Renders this workflow as a child. Call one of the functions named `rendered(with:)` instead.
  func renderAsChild<Parent: Workflow>(
    of context: RenderContext<Parent>, key: String, bubbling: ((Output) -> PendingAction?)?
  ) -> Rendering

  /// Returns this workflow with its type erased.
  func asAnyWorkflow() -> AnyWorkflow<Output, Rendering>

  /// The workflow without any mapping. Its type identifies the child.
  var baseWorkflow: any Workflow { get }
}

extension WorkflowConvertible {
  /// Renders this workflow as a child, and maps its outputs to actions of the parent.
  ///
  /// ```swift
  /// let screen = Editor(text: state.text).rendered(with: context) { Action.edited($0) }
  /// ```
  ///
  /// The workflow type and `key` identify the child, so that the next pass finds its node. If a
  /// render of the parent does not include the child, its node is removed and its state is
  /// lost. Two children of one type need different keys.
  @inlinable
  public func rendered<Parent: Workflow, Action: WorkflowAction>(
    with context: RenderContext<Parent>, key: String = "",
    outputMap: @escaping (Output) -> Action
  ) -> Rendering where Action.WorkflowType == Parent {
    renderAsChild(of: context, key: key, bubbling: { PendingAction(outputMap($0)) })
  }

  /// Renders this workflow as a child whose outputs are actions of the parent.
  ///
  /// ```swift
  /// let screen = Editor(text: state.text)
  ///   .mapOutput { Action.edited($0) }
  ///   .rendered(with: context)
  /// ```
  @inlinable
  public func rendered<Parent: Workflow>(
    with context: RenderContext<Parent>, key: String = ""
  ) -> Rendering where Output: WorkflowAction, Output.WorkflowType == Parent {
    renderAsChild(of: context, key: key, bubbling: { PendingAction($0) })
  }

  /// Renders this workflow as a child without output.
  ///
  /// ```swift
  /// let rows = state.ids.map { Row(id: $0).rendered(with: context, key: "\($0)") }
  /// ```
  @inlinable
  public func rendered<Parent: Workflow>(
    with context: RenderContext<Parent>, key: String = ""
  ) -> Rendering where Output == Never {
    renderAsChild(of: context, key: key, bubbling: nil)
  }
}

extension WorkflowConvertible where Rendering == Void {
  /// Runs a child that has no rendering, such as one that only watches a file. Its outputs are
  /// actions of the parent.
  ///
  /// ```swift
  /// Watcher(path: state.path).mapOutput { Action.changed($0) }.running(with: context)
  /// ```
  @inlinable
  public func running<Parent: Workflow>(with context: RenderContext<Parent>, key: String = "")
  where Output: WorkflowAction, Output.WorkflowType == Parent {
    rendered(with: context, key: key)
  }

  /// Runs a child that has neither rendering nor output.
  ///
  /// ```swift
  /// Watcher(path: state.path).ignoringOutput().running(with: context)
  /// ```
  @inlinable
  public func running<Parent: Workflow>(with context: RenderContext<Parent>, key: String = "")
  where Output == Never {
    rendered(with: context, key: key)
  }
}

extension WorkflowConvertible {
  /// Maps each output to another value, usually an action of the parent.
  ///
  /// ```swift
  /// let saving = Editor(text: "").mapOutput { Action.edited($0) }
  /// ```
  @inlinable
  public func mapOutput<NewOutput>(
    _ transform: @escaping (Output) -> NewOutput
  ) -> OutputMappedWorkflow<Self, NewOutput> {
    OutputMappedWorkflow(base: self, transform: transform)
  }

  /// Maps the rendering to another value.
  ///
  /// ```swift
  /// let asScreen = Editor(text: "").mapRendering { Screen.editor($0) }
  /// ```
  @inlinable
  public func mapRendering<NewRendering>(
    _ transform: @escaping (Rendering) -> NewRendering
  ) -> RenderingMappedWorkflow<Self, NewRendering> {
    RenderingMappedWorkflow(base: self, transform: transform)
  }

  /// Handles each output by changing the parent's state.
  ///
  /// ```swift
  /// let screen = Editor(text: state.text)
  ///   .onOutput { state, text in
  ///     state.text = text
  ///     return nil
  ///   }
  ///   .rendered(with: context)
  /// ```
  @inlinable
  public func onOutput<Parent: Workflow>(
    _ apply: @escaping (inout Parent.State, Output) -> Parent.Output?
  ) -> OutputMappedWorkflow<Self, AnyWorkflowAction<Parent>> {
    mapOutput { output in AnyWorkflowAction { state in apply(&state, output) } }
  }

  /// Drops all outputs.
  ///
  /// ```swift
  /// let preview = Editor(text: "").ignoringOutput().rendered(with: context, key: "preview")
  /// ```
  @inlinable
  public func ignoringOutput() -> OutputIgnoredWorkflow<Self> {
    OutputIgnoredWorkflow(base: self)
  }
}

extension WorkflowConvertible where Output == Never {
  /// Changes the output type of a workflow without output, so that it can be stored in a list with
  /// workflows that have outputs.
  ///
  /// ```swift
  /// let pages = [
  ///   Welcome().mapOutput(to: String.self).asAnyWorkflow(),
  ///   Editor(text: "").mapRendering { Screen.editor($0) }.asAnyWorkflow(),
  /// ]
  /// ```
  @inlinable
  public func mapOutput<NewOutput>(
    to type: NewOutput.Type
  ) -> OutputMappedWorkflow<Self, NewOutput> {
    OutputMappedWorkflow(base: self, transform: fromNever)
  }
}

/// Converts from `Never` to any type. It is never called, because `Never` has no values.
@usableFromInline
func fromNever<Value>(_ never: Never) -> Value {}
