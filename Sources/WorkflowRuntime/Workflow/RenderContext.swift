/// The interface with which a render requests children, workers and side effects, and creates
/// sinks.
///
/// The context is valid only until `render` returns. A later call is a programmer error, and ends
/// the program in debug and release builds. Retain a ``Sink``, not the context.
public final class RenderContext<WorkflowType: Workflow> {
  /// The node that is rendered; `nil` when the render has ended.
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

  /// Ends the render: removes children, workers and side effects that were not requested.
  @inlinable
  func finish(_ node: Node) {
    validNode = nil
    if !children.isUnchanged(count: node.children.count) { node.removeUnclaimed(&children) }
    node.effects?.finishRender(of: node)
  }

  // MARK: Sinks

  /// Returns a sink for actions of one type.
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

  /// Returns a sink for events that are not actions: the closure applies each event to the state.
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

  /// Returns a sink whose values are sent to the parent as outputs.
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

  /// Returns a sink that changes the state directly.
  ///
  /// ```swift
  /// let sink = context.makeStateMutationSink()
  /// return Field(text: state.text, onChange: { sink.send(\.text, value: $0) })
  /// ```
  public func makeStateMutationSink() -> StateMutationSink<WorkflowType> {
    StateMutationSink(sink: makeSink())
  }

  // MARK: Side effects

  /// Runs a side effect while renders request it under this key.
  ///
  /// `body` runs once: after the render pass in which the side effect is first requested, and after
  /// the side effects removed by this pass have ended. Closures registered with `onEnded` run after
  /// the first pass that renders the workflow without this request, or that removes its node.
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

/// The type that `makeSink(of:onEvent:)` passes to `Sink.mapped(as:_:)`. It differs from
/// `OutputMapping`, so that an event sink never equals an output sink.
private enum EventMapping<Event> {}
/// The type that `makeOutputSink()` passes to `Sink.mapped(as:_:)`.
private enum OutputMapping {}
