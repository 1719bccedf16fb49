/// A type-erased action, or an action made from a closure.
///
/// ```swift
/// let reset = AnyWorkflowAction<Stepper> { state in
///   state = 0
///   return nil
/// }
/// ```
public struct AnyWorkflowAction<WorkflowType: Workflow>: WorkflowAction {
  /// The wrapped action or closure.
  public let base: Any

  /// The source location of the closure; `nil` for a wrapped action.
  public let origin: Origin?

  private let applyBase:
    (inout WorkflowType.State, ApplyContext<WorkflowType>) -> WorkflowType.Output?

  /// The source location that identifies a closure action, which has no name.
  public struct Origin: Hashable, Sendable {
    /// The file, as in `#fileID`.
    public let fileID: String

    /// The line number, starting with one.
    public let line: UInt
  }

  /// Erases the type of an action. Erasing an erased action returns it unchanged.
  public init<Action: WorkflowAction>(_ action: Action) where Action.WorkflowType == WorkflowType {
    if let erased = action as? AnyWorkflowAction<WorkflowType> {
      self = erased
      return
    }
    base = action
    origin = nil
    applyBase = { action.apply(toState: &$0, context: $1) }
  }

  /// Creates an action from a closure.
  public init(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ apply: @escaping (inout WorkflowType.State) -> WorkflowType.Output?
  ) {
    base = apply
    origin = Origin(fileID: "\(fileID)", line: line)
    applyBase = { state, _ in apply(&state) }
  }

  /// Creates an action from a closure that reads the workflow's values.
  ///
  /// ```swift
  /// let add = AnyWorkflowAction<Stepper>(reading: { state, workflow in
  ///   state += workflow.step
  ///   return nil
  /// })
  /// ```
  public init(
    fileID: StaticString = #fileID, line: UInt = #line,
    reading apply: @escaping (inout WorkflowType.State, WorkflowType) -> WorkflowType.Output?
  ) {
    base = apply
    origin = Origin(fileID: "\(fileID)", line: line)
    applyBase = { state, context in apply(&state, context.workflow) }
  }

  /// Creates an action that changes nothing and sends `output` to the parent.
  ///
  /// ```swift
  /// let back = AnyWorkflowAction<Page>(sendingOutput: .back)
  /// ```
  public init(
    sendingOutput output: WorkflowType.Output, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(fileID: fileID, line: line) { _ in output }
  }

  /// An action that does nothing.
  public static var noAction: AnyWorkflowAction<WorkflowType> {
    AnyWorkflowAction { _ in nil }
  }

  /// Whether the action was created from a closure.
  public var isClosureBased: Bool { origin != nil }

  /// Applies the wrapped action or closure. Ends the program if the action or closure reads the
  /// workflow's values, because only `apply(toState:context:)` receives these values.
  public func apply(toState state: inout WorkflowType.State) -> WorkflowType.Output? {
    guard let action = base as? any WorkflowAction<WorkflowType> else {
      guard let closure = base as? (inout WorkflowType.State) -> WorkflowType.Output? else {
        programmerError("\(Self.self) reads its workflow's values: give it a workflow.")
      }
      return closure(&state)
    }
    return action.apply(toState: &state)
  }

  /// Applies the wrapped action or closure.
  public func apply(
    toState state: inout WorkflowType.State, context: ApplyContext<WorkflowType>
  ) -> WorkflowType.Output? {
    applyBase(&state, context)
  }
}
