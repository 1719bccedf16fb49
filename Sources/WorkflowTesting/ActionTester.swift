import WorkflowRuntime

/// A tester that applies actions to a state, without a host.
///
/// ```swift
/// Login.Action.tester(withState: Login.State(name: ""))
///   .send(action: .nameChanged("Ada"))
///   .assert(state: Login.State(name: "Ada"))
///   .assertNoOutput()
/// ```
public struct ActionTester<Action: WorkflowAction> {
  /// The workflow whose actions are tested.
  public typealias WorkflowType = Action.WorkflowType

  /// The state after the actions so far.
  public let state: WorkflowType.State

  /// The output of the latest action; `nil` if it had none.
  public let output: WorkflowType.Output?

  private let workflow: WorkflowType?

  init(
    state: WorkflowType.State, output: WorkflowType.Output? = nil, workflow: WorkflowType?
  ) {
    self.state = state
    self.output = output
    self.workflow = workflow
  }

  /// Applies an action, and returns a tester with the resulting state and output.
  public func send(
    action: Action, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) -> ActionTester {
    var state = state
    let output: WorkflowType.Output?
    if let workflow {
      output = action.apply(toState: &state, context: ApplyContext(workflow: workflow))
    } else if action is any ContextualAction {
      fail(
        "\(Action.self) reads its workflow's values: use tester(withState:workflow:).",
        at: CallSite(fileID, filePath, line, column))
      output = nil
    } else {
      output = action.apply(toState: &state)
    }
    return ActionTester(state: state, output: output, workflow: workflow)
  }

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

  /// Expects an output of the latest action, and passes it to a closure.
  @discardableResult
  public func verifyOutput(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    _ assertions: (WorkflowType.Output) throws -> Void
  ) rethrows -> Self {
    if let output {
      try assertions(output)
    } else {
      fail("Expected an output, but none came.", at: CallSite(fileID, filePath, line, column))
    }
    return self
  }

  /// Expects the output of the latest action to equal the given one.
  @discardableResult
  public func assert(
    output expected: WorkflowType.Output, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Self where WorkflowType.Output: Equatable {
    verifyOutput(fileID: fileID, filePath: filePath, line: line, column: column) {
      expectEqual($0, expected, "output", at: CallSite(fileID, filePath, line, column))
    }
  }

  /// Expects the latest action to have no output.
  @discardableResult
  public func assertNoOutput(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    if let output {
      fail(
        "Expected no output, but \(shown(output)) came.",
        at: CallSite(fileID, filePath, line, column))
    }
    return self
  }
}

extension WorkflowAction {
  /// Creates a tester for actions of this type.
  ///
  /// ```swift
  /// AddStep.tester(withState: 1, workflow: Stepper(step: 3))
  ///   .send(action: AddStep())
  ///   .assert(state: 4)
  /// ```
  ///
  /// - Parameter workflow: the workflow, required for actions that read its values.
  public static func tester(
    withState state: WorkflowType.State, workflow: WorkflowType? = nil
  ) -> ActionTester<Self> {
    ActionTester(state: state, workflow: workflow)
  }
}
