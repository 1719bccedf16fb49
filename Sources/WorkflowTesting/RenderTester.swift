import WorkflowRuntime

/// A tester that renders one workflow, with its children, workers and side effects replaced by
/// expectations.
///
/// The requests of the render must match the expectations exactly. The render runs twice, to check
/// that the requests and the rendering are the same each time, as far as they are `Equatable`.
///
/// ```swift
/// Login()
///   .renderTester(initialState: Login.State(name: "Ada", isBusy: true))
///   .expectWorker(LogIn(name: "Ada"), producingOutput: true)
///   .render { screen in #expect(screen.title == "Hello, Ada") }
///   .assert(output: .loggedIn(name: "Ada"))
/// ```
public struct RenderTester<WorkflowType: Workflow> {
  private let workflow: WorkflowType
  private let state: WorkflowType.State
  private var expectations: [Expectation] = []

  init(workflow: WorkflowType, state: WorkflowType.State) {
    self.workflow = workflow
    self.state = state
  }

  // MARK: Expectations

  /// Expects the render to request a child. The child has the given rendering, and the given output
  /// or none.
  ///
  /// ```swift
  /// tester.expectWorkflow(
  ///   type: Editor.self, key: "title", producingRendering: "field", producingOutput: "new"
  /// ) { editor in #expect(editor.text == "old") }
  /// ```
  ///
  /// `assertions` is called with the child's workflow value.
  public func expectWorkflow<Child: Workflow>(
    type: Child.Type, key: String = "", producingRendering rendering: Child.Rendering,
    producingOutput output: Child.Output? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    assertions: @escaping (Child) -> Void = { _ in }
  ) -> RenderTester {
    expecting(
      ExpectedChild<Child>(
        key: key, rendering: rendering, output: output, inspect: assertions,
        site: CallSite(fileID, filePath, line, column)))
  }

  /// Expects the render to request a child whose rendering is `Void`.
  public func expectWorkflow<Child: Workflow>(
    type: Child.Type, key: String = "", producingOutput output: Child.Output? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    assertions: @escaping (Child) -> Void = { _ in }
  ) -> RenderTester where Child.Rendering == Void {
    expectWorkflow(
      type: type, key: key, producingRendering: (), producingOutput: output,
      fileID: fileID, filePath: filePath, line: line, column: column, assertions: assertions)
  }

  /// Expects the render to request a worker equivalent to `worker`. The tester simulates the given
  /// output of the worker, or none.
  public func expectWorker<Work: Worker>(
    _ worker: Work, key: String = "", producingOutput output: Work.Output? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> RenderTester {
    let outputs = output.map { [$0 as any Sendable] } ?? []
    return expecting(
      ExpectedWorker(
        worker: worker, key: key, outputs: outputs, site: CallSite(fileID, filePath, line, column)))
  }

  /// Expects the render to request a stream worker equivalent to `worker`, with the given outputs.
  ///
  /// ```swift
  /// tester.expectWorker(Ticks(), producingOutputs: [1, 2])
  /// ```
  public func expectWorker<Work: StreamWorker>(
    _ worker: Work, key: String = "", producingOutputs outputs: [Work.Output] = [],
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> RenderTester {
    expecting(
      ExpectedWorker(
        worker: worker, key: key, outputs: outputs, site: CallSite(fileID, filePath, line, column)))
  }

  /// Expects the render to request a side effect. The closure of the side effect is not called.
  public func expectSideEffect(
    key: some Hashable, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) -> RenderTester {
    expecting(
      ExpectedSideEffect<WorkflowType>(
        key: AnyHashable(key), send: nil, site: CallSite(fileID, filePath, line, column)))
  }

  /// Expects the render to request a side effect, and sends an action instead of calling its
  /// closure.
  ///
  /// ```swift
  /// tester.expectSideEffect(key: "watch", producingAction: Page.Action.changed)
  /// ```
  public func expectSideEffect<Action: WorkflowAction>(
    key: some Hashable, producingAction action: Action,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> RenderTester where Action.WorkflowType == WorkflowType {
    expecting(
      ExpectedSideEffect<WorkflowType>(
        key: AnyHashable(key), send: { $0.send(action) },
        site: CallSite(fileID, filePath, line, column)))
  }

  private func expecting(_ expectation: Expectation) -> RenderTester {
    var tester = self
    tester.expectations.append(expectation)
    return tester
  }

  // MARK: Rendering

  /// Renders, and passes the rendering to `assertions`, which may use the sinks in the rendering.
  ///
  /// Afterwards, the outputs of expected children and workers and the actions of expected side
  /// effects are applied.
  @discardableResult
  public func render(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    assertions: (WorkflowType.Rendering) throws -> Void
  ) rethrows -> RenderTesterResult<WorkflowType> {
    let site = CallSite(fileID, filePath, line, column)
    let stage = Stage<WorkflowType>(expectations: expectations, site: site)
    let recorder = ActionRecorder()
    let staged = StubbedRender(
      workflow: workflow, state: state, stage: stage, observers: [recorder])
    let rendering = staged.render()
    stage.reportUnmetExpectations()
    let actions = stage.drainActions()
    checkIdempotence(rendering, staged, stage, site)
    try assertions(rendering)
    for apply in actions { apply(staged) }
    return RenderTesterResult(
      initialState: state, state: staged.state, actions: recorder.actions,
      outputs: staged.outputs)
  }

  /// Renders, and applies the outputs of expected children and workers and the actions of expected
  /// side effects.
  @discardableResult
  public func render(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> RenderTesterResult<WorkflowType> {
    render(fileID: fileID, filePath: filePath, line: line, column: column, assertions: { _ in })
  }

  private func checkIdempotence(
    _ first: WorkflowType.Rendering, _ staged: StubbedRender<WorkflowType>,
    _ stage: Stage<WorkflowType>, _ site: CallSite
  ) {
    stage.beginRepeating()
    let second = staged.render()
    stage.reportDifferences()
    // An unexpected child was rendered by a new host each time, so its renderings may differ.
    if stage.hasAnsweredEverything, areEqual(first, second) == false {
      fail(
        """
        \(WorkflowType.self) shows something else when it is rendered again with the same state: \
        first \(shown(first)), then \(shown(second)). A render must depend on its arguments only.
        """, at: site)
    }
  }
}

extension Workflow {
  /// Creates a tester that renders this workflow with a given state.
  public func renderTester(initialState: State) -> RenderTester<Self> {
    RenderTester(workflow: self, state: initialState)
  }

  /// Creates a tester that renders this workflow with its initial state.
  public func renderTester() -> RenderTester<Self> {
    RenderTester(workflow: self, state: makeInitialState())
  }
}

/// An observer that records the applied actions.
private final class ActionRecorder: WorkflowObserver {
  private(set) var actions: [Any] = []

  func workflowWillApplyAction<Action: WorkflowAction>(
    _ action: Action, workflow: Action.WorkflowType, state: Action.WorkflowType.State,
    session: WorkflowSession
  ) -> ((Action.WorkflowType.State, Action.WorkflowType.Output?) -> Void)? {
    actions.append((action as? AnyWorkflowAction<Action.WorkflowType>)?.base ?? action)
    return nil
  }
}
