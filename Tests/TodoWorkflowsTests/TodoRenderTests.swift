import ScreenModel
import Testing
import TodoModel
import WorkflowRuntime
import WorkflowTesting

@testable import TodoWorkflows

@Suite("Renderings of the user's todos")
struct TodoRenderTests {
  private let file = TodoStoreSpy()
  private let services: TodoServices
  private var workflow: TodoWorkflow {
    TodoWorkflow(name: "ann", services: services, today: .sample)
  }
  private var worker: LoadWorker { LoadWorker(list: .local, services: services) }

  init() { services = .faked(store: file) }

  private func loaded(_ step: TodoWorkflow.Step = .list) -> TodoWorkflow.State {
    var state = TodoWorkflow.State(of: .local)
    _ = state.load.end(.success(LoadSummary(total: 0, isComplete: true, source: "local")))
    state.step = step
    return state
  }

  private func expectingList(_ state: TodoWorkflow.State) -> RenderTester<TodoWorkflow> {
    workflow.renderTester(initialState: state)
      .expectWorker(WatchWorker(file: file), producingOutputs: [])
      .expectWorkflow(type: QueueWorkflow.self, producingRendering: ())
      .expectWorkflow(type: TodoListWorkflow.self, producingRendering: .sample)
  }

  @Test("At first the load is in front of the list")
  func firstLoad() {
    expectingList(TodoWorkflow.State(of: .local))
      .expectWorkflow(
        type: LoadingWorkflow.self, key: "1", producingRendering: .sample,
        assertions: { #expect($0.list == .local) }
      )
      .render { #expect($0.items.map { $0.describe().name } == ["loading"]) }
      .assertNoAction()
  }

  @Test("A load behind the list shows the list")
  func loadBehind() {
    var state = loaded()
    state.startLoad(.pull, inFront: false)
    workflow.renderTester(initialState: state)
      .expectWorker(WatchWorker(file: file), producingOutputs: [])
      .expectWorkflow(type: QueueWorkflow.self, producingRendering: ())
      .expectWorkflow(
        type: TodoListWorkflow.self, producingRendering: .sample,
        assertions: { #expect($0.isLoading) }
      )
      .expectWorkflow(type: LoadingWorkflow.self, key: "2", producingRendering: .sample)
      .render { #expect($0.items.map { $0.describe().name } == ["todoList"]) }
  }

  @Test("The first operation of the queue runs")
  func queue() {
    var state = loaded()
    state.queue.add(.toggle(TodoID("t1")), from: .list, token: Sample.token)
    state.queue.add(.logOut, from: .request, token: OperationToken(number: 2))
    let first = state.queue.entries[0]
    workflow.renderTester(initialState: state)
      .expectWorker(WatchWorker(file: file), producingOutputs: [])
      .expectWorkflow(type: TodoListWorkflow.self, producingRendering: .sample)
      .expectWorkflow(
        type: QueueWorkflow.self, producingRendering: (),
        producingOutput: .ended(first, .failure(Sample.error)),
        assertions: { #expect($0.queue == state.queue) }
      )
      .render { rendering in
        let tokens = (0...3).map { OperationToken(number: $0) }
        #expect(
          tokens.filter(rendering.operations.isWaiting)
            == [Sample.token, OperationToken(number: 2)])
      }
      .verifyState { #expect($0.queue.entries.map(\.operation) == [.logOut]) }
      .verifyOutput { output in
        guard case .ended(let ends) = output else { return mismatch(output) }
        #expect(ends.map(\.token) == [Sample.token])
      }
  }

  @Test("An edit is on top of the list")
  func edit() {
    var form = TodoForm(Sample.todo(), in: .local)
    form.failure = Sample.error
    expectingList(loaded(.edit(form)))
      .expectWorkflow(
        type: TodoEditWorkflow.self, key: "t1", producingRendering: .sample,
        producingOutput: .discard(nil),
        assertions: { child in
          #expect(child.form == form)
          #expect(!child.isSaving)
        }
      )
      .render { #expect($0.items.map { $0.describe().name } == ["todoList", "todoEdit"]) }
      .assert(state: loaded())
  }

  @Test("A conflict is on top of the list")
  func conflict() {
    let sides = ConflictSides(TodoID("t1"), Sample.conflict())
    let comparison = Comparison(sides, in: .local)
    expectingList(loaded(.conflict(comparison)))
      .expectWorkflow(
        type: ConflictWorkflow.self, key: "t1", producingRendering: .sample,
        producingOutput: .decide(.keep(.theirs), stays: false, nil),
        assertions: { #expect($0.comparison == comparison) }
      )
      .render { #expect($0.items.map { $0.describe().name } == ["todoList", "conflict"]) }
      .verifyState { state in
        // A field that only one side has changed is merged.
        let content = TodoContent(title: "Soy milk", note: "mine", isDone: true)
        let edit = TodoEdit(unchecked: FieldChanges(content, fields: .all), expectedVersion: 2)
        #expect(state.queue.entries.map(\.operation) == [.settle(TodoID("t1"), version: 2, edit)])
      }
  }

  @Test("A failed load is on top of the list")
  func loadFailed() {
    expectingList(loaded(.loadFailed(Sample.error)))
      .expectWorkflow(
        type: FailureWorkflow.self, producingRendering: .sample, producingOutput: .retry,
        assertions: { #expect($0.error == Sample.error) }
      )
      .render { #expect($0.items.map { $0.describe().name } == ["todoList", "failure"]) }
      .verifyState { #expect($0.load.request.isInFlight) }
  }

  @Test("Requests are sent to sinks")
  func operations() {
    expectingList(loaded())
      .render { #expect($0.operations.begin(.logOut, Sample.token) == nil) }
      .verifyState { #expect($0.queue.entries.map(\.operation) == [.logOut]) }
  }

  @Test("Requests that need a logout are refused immediately, and nothing changes")
  func refused() {
    let login = TodoOutcome.failed(
      TodoError(.alreadyLoggedIn, "A user is logged in already. Log out first."))
    let operations: [(TodoOperation, TodoOutcome)] = [
      (.logIn(name: "bob", password: nil), login),
      (.register(username: "username", password: Secret("password")), login),
      (.invalid(Sample.error), .failed(Sample.error)),
    ]
    for (operation, outcome) in operations {
      expectingList(loaded())
        .render { #expect($0.operations.begin(operation, Sample.token) == outcome) }
        .assertNoAction()
    }
  }

  @Test("Loading runs the worker of its list, and shows its progress")
  func loading() {
    LoadingWorkflow(list: .local, services: services).renderTester()
      .expectWorker(worker, producingOutputs: [.progressed(LoadProgress(pagesDone: 3))])
      .render { $0.act(ActionCall(action: "unknown")) }
      .assertStateModifications { $0.progress.pagesDone = 3 }
    LoadingWorkflow(list: .local, services: services).renderTester()
      .expectWorker(worker)
      .render { $0.act(ActionCall(action: "cancel")) }
      .verifyOutput { output in
        guard case .cancelled = output else { return mismatch(output) }
      }
  }

  @Test("The list's screen sends each action with its item and token")
  func list() {
    func wish(_ call: ActionCall) -> TodoListWorkflow.Output? {
      TodoListWorkflow(key: .local, list: ListContents(), isLoading: false)
        .renderTester()
        .render { $0.act(call) }
        .outputs.first
    }
    let id = TodoID("t1")
    for name in ["open", "toggle", "remove"] {
      switch wish(ActionCall(action: name, items: ["t1"], token: Sample.token)) {
      case .open(id, Sample.token): #expect(name == "open")
      case .toggle([id], Sample.token): #expect(name == "toggle")
      case .remove([id], Sample.token): #expect(name == "remove")
      case let other: mismatch(other as Any)
      }
      #expect(wish(ActionCall(action: name)) == nil, "an item is missing")
    }
    guard case .add("x", nil) = wish(ActionCall(action: "add", input: ["title": "x"])),
      case .filter("y", nil) = wish(ActionCall(action: "filter", input: ["query": "y"])),
      case .filter("", nil) = wish(ActionCall(action: "filter")),
      case .reload = wish(ActionCall(action: "reload")),
      case .logOut(Sample.token) = wish(ActionCall(action: "logout", token: Sample.token))
    else { return mismatch("another wish") }
  }

  @Test("Each decision in a comparison is reported")
  func conflictDecisions() throws {
    func decided(_ action: String, merged: String = "Any\n\nboth") -> Resolution? {
      var comparison = Comparison(ConflictSides(TodoID("t1"), Sample.conflict()), in: .local)
      comparison.apply(merged: merged, basedOn: nil)
      let output = ConflictWorkflow(comparison: comparison, isSaving: false)
        .renderTester(initialState: ())
        .render { $0.act(ActionCall(action: action)) }
        .outputs.first
      guard case .decide(let resolution, stays: false, nil) = output else { return nil }
      return resolution
    }
    #expect(decided("keepMine") == .keep(.mine))
    #expect(decided("takeTheirs") == .keep(.theirs))
    #expect(decided("saveMerged") == .merged(try TodoEdit(title: "Any", note: "both")))
    #expect(decided("saveMerged", merged: "\nnote") == nil)
  }
}
