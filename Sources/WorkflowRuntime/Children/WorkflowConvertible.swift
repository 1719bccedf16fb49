/// What a workflow can draw as its child: a workflow, or one whose output or rendering is mapped.
public protocol WorkflowConvertible<Output, Rendering> {
  /// What it tells its parent.
  associatedtype Output

  /// What it shows its parent.
  associatedtype Rendering

  /// Draws this as a child. The functions named `rendered(with:)` are what one calls.
  func renderAsChild<Parent: Workflow>(
    of context: RenderContext<Parent>, key: String, bubbling: ((Output) -> PendingAction?)?
  ) -> Rendering

  /// This without its type.
  func asAnyWorkflow() -> AnyWorkflow<Output, Rendering>

  /// The workflow at the bottom of all maps; its type is the child's identity.
  var baseWorkflow: any Workflow { get }
}

extension WorkflowConvertible {
  /// Draws this as a child whose outputs are turned into actions of the parent.
  ///
  /// ```swift
  /// let screen = Editor(text: state.text).rendered(with: context) { Action.edited($0) }
  /// ```
  ///
  /// A child is known again in the next pass by its workflow type and `key`. When it is not drawn in
  /// a pass of its parent, its node and its state are gone. Of two children of one type in one pass
  /// each needs a key of its own.
  @inlinable
  public func rendered<Parent: Workflow, Action: WorkflowAction>(
    with context: RenderContext<Parent>, key: String = "",
    outputMap: @escaping (Output) -> Action
  ) -> Rendering where Action.WorkflowType == Parent {
    renderAsChild(of: context, key: key, bubbling: { PendingAction(outputMap($0)) })
  }

  /// Draws this as a child whose outputs are actions of the parent already.
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

  /// Draws this as a child that has no output.
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
  /// Keeps a child that shows nothing, such as one that only watches something.
  ///
  /// ```swift
  /// Watcher(path: state.path).mapOutput { Action.changed($0) }.running(with: context)
  /// ```
  @inlinable
  public func running<Parent: Workflow>(with context: RenderContext<Parent>, key: String = "")
  where Output: WorkflowAction, Output.WorkflowType == Parent {
    rendered(with: context, key: key)
  }

  /// Keeps a child that shows nothing and says nothing.
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
  /// Turns each output into another value, most often an action of the parent.
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

  /// Turns the rendering into another value.
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
  /// Gives a workflow without output the output type that its neighbours have.
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

/// Any value from a value that cannot be.
@usableFromInline
func fromNever<Value>(_ never: Never) -> Value {}
