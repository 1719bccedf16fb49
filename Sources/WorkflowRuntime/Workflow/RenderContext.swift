/// What a render asks for: children, workers, side effects, and sinks for its events.
///
/// Valid only until `render` returns; a call after that is a programmer's mistake and stops the
/// program, in debug and release. Keep a ``Sink``, not the context.
public final class RenderContext<WorkflowType: Workflow> {
  /// Taken away when the render is over.
  @exclusivity(unchecked) @usableFromInline unowned(unsafe) var validNode: TypedNode<WorkflowType>?
  @exclusivity(unchecked) @usableFromInline var children: Reconciler<Node>

  @inlinable
  init(node: TypedNode<WorkflowType>, render: UInt) {
    validNode = node
    children = Reconciler(render: render)
  }

  @inlinable
  func begin(_ node: TypedNode<WorkflowType>, render: UInt) {
    validNode = node
    children = Reconciler(render: render)
  }

  @inlinable
  var node: TypedNode<WorkflowType> {
    guard let validNode else { usedTooLate() }
    return validNode
  }

  @usableFromInline
  func usedTooLate() -> Never {
    programmerError(
      """
      The render context of \(WorkflowType.self) was used after its render returned. \
      Make a sink during render and keep that.
      """)
  }

  /// Ends the render: what was not asked for goes.
  @inlinable
  func finish(_ node: Node) {
    validNode = nil
    if !children.isUnchanged(count: node.children.count) { node.removeUnclaimed(&children) }
    node.effects?.finishRender(of: node)
  }

  // MARK: Sinks

  /// A sink for actions of one type.
  ///
  /// ```swift
  /// let sink = context.makeSink(of: Action.self)
  /// return Rendering(count: state, onTap: { sink.send(.tap) })
  /// ```
  @inlinable
  public func makeSink<Action: WorkflowAction>(of type: Action.Type = Action.self) -> Sink<Action>
  where Action.WorkflowType == WorkflowType {
    let node = node
    return Sink(origin: node, forward: { [node] in node.receive($0) })
  }

  /// A sink for events that are not actions: the closure says what each does to the state.
  ///
  /// ```swift
  /// let keys = context.makeSink(of: Key.self) { state, key in
  ///   state.pressed.append(key)
  ///   return nil
  /// }
  /// ```
  public func makeSink<Event>(
    of type: Event.Type,
    onEvent: @escaping (inout WorkflowType.State, Event) -> WorkflowType.Output?
  ) -> Sink<Event> {
    makeSink(of: AnyWorkflowAction<WorkflowType>.self).mapped(as: EventMapping<Event>.self) {
      event in
      AnyWorkflowAction { state in onEvent(&state, event) }
    }
  }

  /// A sink whose values go straight to the parent.
  ///
  /// ```swift
  /// let output = context.makeOutputSink()
  /// return Screen(onBack: { output.send(.back) })
  /// ```
  public func makeOutputSink() -> Sink<WorkflowType.Output> {
    makeSink(of: AnyWorkflowAction<WorkflowType>.self).mapped(as: OutputMapping.self) {
      AnyWorkflowAction(sendingOutput: $0)
    }
  }

  /// A sink that changes the state directly.
  ///
  /// ```swift
  /// let sink = context.makeStateMutationSink()
  /// return Field(text: state.text, onChange: { sink.send(\.text, value: $0) })
  /// ```
  public func makeStateMutationSink() -> StateMutationSink<WorkflowType> {
    StateMutationSink(sink: makeSink())
  }

  // MARK: Side effects

  /// Keeps something going while renders ask for it under this key.
  ///
  /// `body` runs once, after the first pass that asks, when what that pass ended has ended; and what
  /// it registers with `onEnded` runs after the first pass that does not ask.
  ///
  /// ```swift
  /// context.runSideEffect(key: "watch \(path)") { lifetime in
  ///   let watch = disk.watch(path) { sink.send(.changed) }
  ///   lifetime.onEnded { watch.close() }
  /// }
  /// ```
  public func runSideEffect(key: some Hashable, _ body: @escaping (Lifetime) -> Void) {
    let node = node
    if let stage = node.core.stage {
      stage.runSideEffect(key: AnyHashable(key), body)
    } else {
      node.claimSideEffect(key: AnyHashable(key), render: children.render, body: body)
    }
  }
}

/// Names what a sink of events does, and what an output sink does, so that the two differ.
private enum EventMapping<Event> {}
private enum OutputMapping {}
