import WorkflowRuntime

/// The result of a render test.
public struct RenderTesterResult<WorkflowType: Workflow> {
  let initialState: WorkflowType.State

  /// The state after all actions.
  public let state: WorkflowType.State

  /// The actions that were applied, in order.
  public let actions: [Any]

  /// The outputs of the actions, in order.
  public let outputs: [WorkflowType.Output]

  // MARK: State

  /// Passes the state to a closure.
  @discardableResult
  public func verifyState(_ assertions: (WorkflowType.State) throws -> Void) rethrows -> Self {
    try assertions(state)
    return self
  }

  /// Expects the state to equal the given one.
  @discardableResult
  public func assert(
    state expected: WorkflowType.State, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Self where WorkflowType.State: Equatable {
    expectEqual(state, expected, "state", at: CallSite(fileID, filePath, line, column))
    return self
  }

  /// Expects the state to equal the initial state with these modifications.
  ///
  /// ```swift
  /// result.assertStateModifications { $0.title = "new" }
  /// ```
  @discardableResult
  public func assertStateModifications(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    _ modifications: (inout WorkflowType.State) throws -> Void
  ) rethrows -> Self where WorkflowType.State: Equatable {
    var expected = initialState
    try modifications(&expected)
    return assert(state: expected, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  // MARK: Actions

  /// Expects exactly one action, which equals the given one.
  @discardableResult
  public func assert<Action: WorkflowAction & Equatable>(
    action expected: Action, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) -> Self where Action.WorkflowType == WorkflowType {
    verifyAction(fileID: fileID, filePath: filePath, line: line, column: column) {
      (action: Action) in
      expectEqual(action, expected, "action", at: CallSite(fileID, filePath, line, column))
    }
  }

  /// Expects exactly one action, of type `Action`, and passes it to a closure.
  ///
  /// ```swift
  /// result.verifyAction { (action: Page.Action) in #expect(action == .edited("new")) }
  /// ```
  @discardableResult
  public func verifyAction<Action: WorkflowAction>(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    _ assertions: (Action) throws -> Void
  ) rethrows -> Self where Action.WorkflowType == WorkflowType {
    guard let action = only(actions, "action", at: CallSite(fileID, filePath, line, column)) else {
      return self
    }
    guard let typed = action as? Action else {
      fail(
        "Expected an action of type \(Action.self), but \(shown(action)) came.",
        at: CallSite(fileID, filePath, line, column))
      return self
    }
    try assertions(typed)
    return self
  }

  /// Expects that no action was applied.
  @discardableResult
  public func assertNoAction(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    if !actions.isEmpty {
      fail(
        "Expected no action, but \(shown(actions)) came.",
        at: CallSite(fileID, filePath, line, column))
    }
    return self
  }

  // MARK: Outputs

  /// Expects exactly one output, which equals the given one.
  @discardableResult
  public func assert(
    output expected: WorkflowType.Output, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Self where WorkflowType.Output: Equatable {
    verifyOutput(fileID: fileID, filePath: filePath, line: line, column: column) {
      expectEqual($0, expected, "output", at: CallSite(fileID, filePath, line, column))
    }
  }

  /// Expects exactly one output, and passes it to a closure.
  @discardableResult
  public func verifyOutput(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    _ assertions: (WorkflowType.Output) throws -> Void
  ) rethrows -> Self {
    if let output = only(outputs, "output", at: CallSite(fileID, filePath, line, column)) {
      try assertions(output)
    }
    return self
  }

  /// Expects no output.
  @discardableResult
  public func assertNoOutput(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    if !outputs.isEmpty {
      fail(
        "Expected no output, but \(shown(outputs)) came.",
        at: CallSite(fileID, filePath, line, column))
    }
    return self
  }
}

/// Reports a failure if two values differ.
func expectEqual<Value: Equatable>(
  _ actual: Value, _ expected: Value, _ what: String, at site: CallSite
) {
  if actual != expected {
    fail("Expected \(what) \(shown(expected)), but it is \(shown(actual)).", at: site)
  }
}

/// Returns the only value; reports a failure and returns `nil` if there are none or several.
func only<Value>(_ values: [Value], _ what: String, at site: CallSite) -> Value? {
  guard let first = values.first else {
    fail("Expected one \(what), but none came.", at: site)
    return nil
  }
  guard values.count == 1 else {
    fail("Expected one \(what), but \(values.count) came: \(shown(values)).", at: site)
    return nil
  }
  return first
}
