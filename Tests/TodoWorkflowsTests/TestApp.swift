import ScreenModel
import Testing
import TodoModel
import WorkflowRuntime
import WorkflowTesting

@testable import TodoWorkflows

/// The whole app with the test as its I/O loop: the test types, invokes actions, and delivers the
/// results of workers.
final class TestApp {
  let store: TodoStoreSpy
  let test: WorkflowTestHost<RootWorkflow>
  private(set) var progress: [LoadProgress] = []
  private var ends: [OperationToken: TodoOutcome] = [:]

  init(
    store: TodoStoreSpy = TodoStoreSpy(), sources: [TodoSource] = [.local],
    sync: SyncServices? = nil
  ) {
    self.store = store
    test = WorkflowTestHost(
      workflow: RootWorkflow(services: .faked(store: store, sources: sources, sync: sync)))
  }

  /// Returns an app in which ann is logged in and sees these todos.
  static func atList(_ titles: [String]) throws -> TestApp {
    let app = TestApp(store: TodoStoreSpy(titles))
    try app.logIn()
    app.load(.loaded(TodoRows(app.store.rows())))
    return app
  }

  /// Logs ann in on the screen, which starts the load.
  func logIn() throws {
    try change(["name": "ann"])
    try act("login")
    answerLogin(1, name: "ann")
  }

  // MARK: Screens

  var screens: [Screen] { test.host.rendering.backStack.describe() }
  /// The names of the running workers, except those that watch for changes and wait for the next
  /// day.
  var running: [String] { test.running.filter { !["WatchWorker", "DayWorker"].contains($0) } }
  var names: [String] { screens.map(\.name) }
  var front: Screen { screens[screens.count - 1] }
  var message: String? { front.message?.text }

  /// The front screen's items as text.
  var items: [String] {
    guard case .list(let list) = screens.first(where: { $0.name == "todoList" })?.body else {
      return []
    }
    return list.items.all.map { "\($0.isChecked == true ? "x " : "")\($0.title)" }
  }

  /// The ID of the selected item.
  var selected: String? {
    guard case .list(let list) = screens.first(where: { $0.name == "todoList" })?.body else {
      return nil
    }
    return list.select?.id
  }

  func field(_ name: String) throws -> ScreenField {
    guard case .form(let form) = front.body else { throw Missing("a form") }
    guard let field = form.fields.first(where: { $0.name == name }) else { throw Missing(name) }
    return field
  }

  func isEnabled(_ action: String) -> Bool? {
    front.actions.first { $0.name == action }?.isEnabled
  }

  struct Missing: Error {
    var what: String
    init(_ what: String) { self.what = what }
  }

  // MARK: User actions

  /// Types into fields. Throws if the front screen has no such field.
  func change(_ values: [String: String], base: String? = nil) throws {
    try ScreenOffer.checkFields(values, in: front)
    let screen = try #require(test.host.rendering.backStack.items.last)
    try ScreenOffer.checkEdits(of: screen, base: base)
    screen.change(values, base: base)
  }

  /// Opens a form that is no longer in front, as after a restart.
  ///
  /// - Returns: `false` if the form does not belong to the screen.
  func reopen(
    _ form: String, _ values: [String: String], base: String, token: UInt64? = nil
  ) throws -> Bool {
    let list = test.host.rendering.backStack.items.last
    let effect = try list?.reopening(
      form, values, base: base, token.map { OperationToken(number: $0) })
    effect?()
    return effect != nil
  }

  /// Returns the part of a screen's ID that names a todo.
  func todoText(_ id: TodoID) -> String { EditBase(list: .local, id: id, version: 1).todoText }

  /// Returns the base of an edit of a version.
  func base(_ id: TodoID, _ version: Int64) -> String {
    EditBase(list: .local, id: id, version: version).text
  }

  /// The base of the form in front.
  var base: String? { if case .form(let form) = front.body { form.base } else { nil } }

  /// Invokes an action. Throws if the front screen does not offer it.
  func act(
    _ action: String, item: TodoID? = nil, items: [TodoID] = [], input: [String: String] = [:],
    stays: Bool = false, token: UInt64? = nil
  ) throws {
    let items = (items + (item.map { [$0] } ?? [])).map(\.text)
    try ScreenOffer.checkAction(action, items: items, in: front)
    test.host.rendering.backStack.items.last?.act(
      ActionCall(
        action: action, items: items, input: input, stays: stays,
        token: token.map { OperationToken(number: $0) }))
  }

  /// Leaves the front screen, as an action on the screen below does.
  func leave() { test.host.rendering.backStack.items.last?.leave() }

  func id(_ title: String) throws -> TodoID {
    let todo = store.all().first { $0.content.title == title }
    guard let todo else { throw Missing(title) }
    return todo.id
  }

  // MARK: Operations

  /// Begins an operation. Returns the outcome if the operation ends immediately, otherwise `nil`.
  @discardableResult
  func begin(_ operation: TodoOperation, _ token: UInt64) -> TodoOutcome? {
    let token = OperationToken(number: token)
    let outcome = test.host.rendering.operations.begin(operation, token)
    if let outcome { record(token, outcome) }
    return outcome
  }

  @discardableResult
  func perform(_ operation: ListOperation, _ token: UInt64) -> TodoOutcome? {
    begin(.list(operation), token)
  }

  func load(refresh: Bool = false, _ token: UInt64) { begin(.load(refresh: refresh), token) }

  func cancel(_ token: UInt64) {
    test.host.rendering.operations.cancel(OperationToken(number: token))
  }

  func isWaiting(_ token: UInt64) -> Bool {
    test.host.rendering.operations.isWaiting(OperationToken(number: token))
  }

  // MARK: Results of workers

  func answerLogin(
    _ number: Int, name: String, password: Secret? = nil, token: UInt64? = nil,
    _ failure: TodoError? = nil
  ) {
    let attempt = WelcomeWorkflow.LoginAttempt(
      number: number, name: name, password: password,
      token: token.map { OperationToken(number: $0) })
    test.deliver(.loginEnded(attempt, failure), from: WelcomeWorkflow.LoginWorker.self)
  }

  func answerRegister(
    _ number: Int, name: String, password: String = "password", token: UInt64? = nil,
    _ failure: TodoError? = nil
  ) {
    let attempt = RegisterWorkflow.Attempt(
      number: number, username: name, password: Secret(password),
      token: token.map { OperationToken(number: $0) })
    test.deliver(.ended(attempt, failure), from: RegisterWorkflow.RegisterWorker.self)
  }

  func load(_ event: LoadWorker.Event) { test.deliver(event, from: LoadWorker.self) }

  /// Delivers a result of the running operation.
  func answer(_ result: Result<ListResult, TodoError>) {
    test.deliver(result, from: OperationWorker.self)
  }

  /// Performs an operation on the store, and delivers the result.
  func carryOut(_ operation: ListOperation) async {
    answer(await stored(operation))
  }

  /// Performs an operation on the store, and returns the result without delivering it.
  func stored(_ operation: ListOperation) async -> Result<ListResult, TodoError> {
    let entry = QueuedOperation(number: 0, operation: operation, origin: .request, token: nil)
    return await OperationWorker(entry: entry, list: .local, store: store).run()
  }

  // MARK: Outcomes

  /// Returns the outcome of an operation; `nil` if it has not ended.
  func end(_ token: UInt64) -> TodoOutcome? {
    for output in test.host.drainOutputs() {
      switch output {
      case .ended(let new): for end in new { record(end.token, end.outcome) }
      case .progressed(_, let step): progress.append(step)
      }
    }
    return ends[OperationToken(number: token)]
  }

  private func record(_ token: OperationToken, _ outcome: TodoOutcome) {
    #expect(ends[token] == nil, "\(token) is answered twice")
    ends[token] = outcome
  }
}
