/// A sink that changes the state directly, for a workflow too small to need an action type.
///
/// ```swift
/// let sink = context.makeStateMutationSink()
/// return Field(text: state.text, onChange: { sink.send(\.text, value: $0) })
/// ```
///
/// Two state mutation sinks of one node are equal.
public struct StateMutationSink<WorkflowType: Workflow>: Equatable {
  let sink: Sink<AnyWorkflowAction<WorkflowType>>

  /// Changes the state with a closure.
  ///
  /// ```swift
  /// sink.send { $0.text.removeAll() }
  /// ```
  public func send(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ update: @escaping (inout WorkflowType.State) -> Void
  ) {
    sink.send(
      AnyWorkflowAction(fileID: fileID, line: line) { state in
        update(&state)
        return nil
      })
  }

  /// Sets one property of the state.
  public func send<Value>(
    _ keyPath: WritableKeyPath<WorkflowType.State, Value>, value: Value,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    send(fileID: fileID, line: line) { $0[keyPath: keyPath] = value }
  }
}
