/// An event and its effect on a workflow's state.
///
/// ```swift
/// enum Action: WorkflowAction {
///   typealias WorkflowType = Login
///   case nameChanged(String)
///   case submit
///
///   func apply(toState state: inout Login.State) -> Login.Output? {
///     switch self {
///     case .nameChanged(let name):
///       state.name = name
///       return nil
///     case .submit:
///       return .loggedIn(name: state.name)
///     }
///   }
/// }
/// ```
///
/// Actions that `apply` sends to a sink are applied after this action, in the order in which they
/// were sent.
public protocol WorkflowAction<WorkflowType> {
  /// The workflow whose state the action changes.
  associatedtype WorkflowType: Workflow

  /// Changes the state, and returns an output for the parent, or `nil`.
  func apply(toState state: inout WorkflowType.State) -> WorkflowType.Output?

  /// Applies the action with the current workflow value; called by the runtime. Calls
  /// `apply(toState:)` by default.
  func apply(
    toState state: inout WorkflowType.State, context: ApplyContext<WorkflowType>
  ) -> WorkflowType.Output?
}

extension WorkflowAction {
  /// Calls `apply(toState:)`.
  @inlinable
  public func apply(
    toState state: inout WorkflowType.State, context: ApplyContext<WorkflowType>
  ) -> WorkflowType.Output? {
    apply(toState: &state)
  }
}

/// The input of an action besides the state: the current workflow value of its node.
///
/// It is a copy, so it stays valid and unchanged when it is stored. An action that reads the
/// workflow value conforms to ``ContextualAction``.
///
/// ```swift
/// let context = ApplyContext(workflow: Stepper(step: 3))
/// let step = context[workflowValue: \.step]  // 3
/// ```
public struct ApplyContext<WorkflowType: Workflow> {
  /// The workflow's current value.
  public let workflow: WorkflowType

  /// Creates a context, for tests of actions.
  @inlinable
  public init(workflow: WorkflowType) {
    self.workflow = workflow
  }

  /// A property of the workflow.
  @inlinable
  public subscript<Value>(workflowValue keyPath: KeyPath<WorkflowType, Value>) -> Value {
    workflow[keyPath: keyPath]
  }
}

/// An action that needs the current values of its workflow as well as the state.
///
/// ```swift
/// struct AddStep: ContextualAction {
///   typealias WorkflowType = Stepper
///   func apply(toState state: inout Int, workflow: Stepper) -> Never? {
///     state += workflow.step
///     return nil
///   }
/// }
/// ```
public protocol ContextualAction: WorkflowAction {
  /// Changes the state, and returns an output for the parent, or `nil`. `workflow` is the latest
  /// value from the parent.
  func apply(
    toState state: inout WorkflowType.State, workflow: WorkflowType
  ) -> WorkflowType.Output?
}

extension ContextualAction {
  /// Calls `apply(toState:workflow:)`.
  @inlinable
  public func apply(
    toState state: inout WorkflowType.State, context: ApplyContext<WorkflowType>
  ) -> WorkflowType.Output? {
    apply(toState: &state, workflow: context.workflow)
  }

  /// Ends the program, because this action needs its workflow. The runtime calls
  /// `apply(toState:context:)` instead.
  public func apply(toState state: inout WorkflowType.State) -> WorkflowType.Output? {
    programmerError(
      """
      \(Self.self) reads its workflow's values. Call apply(toState:workflow:), \
      or give its tester a workflow.
      """)
  }
}
