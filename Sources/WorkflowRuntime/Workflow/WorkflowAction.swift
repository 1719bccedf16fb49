/// Something that happened, and what it does to a workflow's state.
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
/// What `apply` sends to a sink is not applied at once but after this action, in order.
public protocol WorkflowAction<WorkflowType> {
  /// The workflow whose state the action changes.
  associatedtype WorkflowType: Workflow

  /// Changes the state; what it returns goes to the parent as the workflow's output.
  func apply(toState state: inout WorkflowType.State) -> WorkflowType.Output?

  /// What the runtime calls. The default forwards to `apply(toState:)`.
  func apply(
    toState state: inout WorkflowType.State, context: ApplyContext<WorkflowType>
  ) -> WorkflowType.Output?
}

extension WorkflowAction {
  /// Forwards to the method of the same name that this action has.
  @inlinable
  public func apply(
    toState state: inout WorkflowType.State, context: ApplyContext<WorkflowType>
  ) -> WorkflowType.Output? {
    apply(toState: &state)
  }
}

/// What an action may read beside the state: the workflow value its node has at this moment.
///
/// It is a copy, so keeping it is harmless: it goes on saying what was true then. An action that
/// needs it is a ``ContextualAction``.
///
/// ```swift
/// let context = ApplyContext(workflow: Stepper(step: 3))
/// let step = context[workflowValue: \.step]  // 3
/// ```
public struct ApplyContext<WorkflowType: Workflow> {
  /// The workflow's current value.
  public let workflow: WorkflowType

  /// What an action reads when a test applies it.
  @inlinable
  public init(workflow: WorkflowType) {
    self.workflow = workflow
  }

  /// A value of the workflow, by key path.
  @inlinable
  public subscript<Value>(workflowValue keyPath: KeyPath<WorkflowType, Value>) -> Value {
    workflow[keyPath: keyPath]
  }
}

/// An action that needs the current values of its workflow, and not only the state.
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
  /// Changes the state; `workflow` is what the parent said last.
  func apply(
    toState state: inout WorkflowType.State, workflow: WorkflowType
  ) -> WorkflowType.Output?
}

extension ContextualAction {
  /// Forwards to the method of the same name that this action has.
  @inlinable
  public func apply(
    toState state: inout WorkflowType.State, context: ApplyContext<WorkflowType>
  ) -> WorkflowType.Output? {
    apply(toState: &state, workflow: context.workflow)
  }

  /// Never called by the runtime: such an action cannot be applied without its workflow.
  public func apply(toState state: inout WorkflowType.State) -> WorkflowType.Output? {
    programmerError(
      """
      \(Self.self) reads its workflow's values. Call apply(toState:workflow:), \
      or give its tester a workflow.
      """)
  }
}
