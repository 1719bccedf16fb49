import ScreenModel
import Testing
import TodoModel
import WorkflowTesting

@testable import TodoWorkflows

@Suite("Actions of the user's todos")
struct TodoActionTests {
  private let token = Sample.token

  private var loaded: TodoWorkflow.State {
    var state = TodoWorkflow.State(of: .local)
    _ = state.load.end(.success(LoadSummary(total: 0, isComplete: true, source: "local")))
    return state
  }

  private func editing(_ failure: TodoError? = nil) -> TodoWorkflow.State {
    var state = loaded
    var form = TodoForm(Sample.todo(), in: .local)
    form.failure = failure
    state.step = .edit(form)
    return state
  }

  private func entry(
    _ operation: ListOperation, _ origin: QueuedOperation.Origin = .list
  ) -> QueuedOperation {
    QueuedOperation(number: 1, operation: operation, origin: origin, token: token)
  }

  private func tester(
    _ state: TodoWorkflow.State, running entry: QueuedOperation
  ) -> ActionTester<TodoWorkflow.QueueAction> {
    var state = state
    state.queue.add(entry.operation, from: entry.origin, token: entry.token)
    return TodoWorkflow.QueueAction.tester(withState: state)
  }

  private func outcome(_ output: TodoWorkflow.Output) -> TodoOutcome? {
    guard case .ended(let ends) = output, ends.count == 1, ends[0].token == token else {
      return nil
    }
    return ends[0].outcome
  }

  @Test("Each output of the list adds an operation to the queue")
  func listWishes() {
    let (id, other) = (TodoID("t1"), TodoID("t2"))
    let wishes: [(TodoListWorkflow.Output, ListOperation)] = [
      (.open(id, token), .open(id)), (.toggle([id], token), .toggle(id)),
      (.remove([id], token), .remove(id, expectedVersion: nil)),
      (.toggle([id, other], token), .changeAll([id, other], .toggle)),
      (.remove([id, other], token), .changeAll([id, other], .remove)),
      (.filter(" mi ", token), .rows(filter: "mi")), (.logOut(token), .logOut),
    ]
    var before = loaded
    before.list.notify(.info, "x")
    for (wish, operation) in wishes {
      TodoWorkflow.ListAction.tester(withState: before)
        .send(action: .init(output: wish)).assertNoOutput()
        .verifyState { state in
          #expect(state.queue.entries == [entry(operation)])
          #expect(state.list.message == nil)
        }
    }
  }

  @Test("A reload starts its own load, in front")
  func reload() {
    TodoWorkflow.ListAction.tester(withState: loaded)
      .send(action: .init(output: .reload)).assertNoOutput()
      .verifyState { state in
        #expect(state.load.request.isInFlight)
        #expect(state.load.isInFront)
        #expect(state.load.number == 2)
      }
  }

  @Test("A result of another operation than the first is dropped")
  func otherResult() {
    var other = entry(.logOut)
    other.number = 2
    tester(loaded, running: entry(.logOut))
      .send(action: .init(output: .ended(other, .success(.loggedOut)), sourceName: "local"))
      .assertNoOutput()
      .verifyState { #expect($0.queue.entries.count == 1) }
  }

  @Test("The token of the queue counts, not that of the worker")
  func cancelledToken() {
    var silent = entry(.toggle(TodoID("t1")))
    silent.token = nil
    let done = ListResult.edited(Sample.todo(isDone: true))
    tester(loaded, running: silent)
      .send(
        action: .init(
          output: .ended(entry(.toggle(TodoID("t1"))), .success(done)), sourceName: "local")
      )
      .assertNoOutput()
      .verifyState { #expect($0.queue.entries == []) }
  }

  @Test("Opening shows the form")
  func opened() {
    let open = entry(.open(TodoID("t1")))
    tester(loaded, running: open)
      .send(
        action: .init(output: .ended(open, .success(.opened(Sample.todo()))), sourceName: "local")
      )
      .verifyOutput { #expect(outcome($0) == .shown) }
      .verifyState { #expect($0.step == .edit(TodoForm(Sample.todo(), in: .local))) }
  }

  @Test("A save closes its form; another process's edit does not")
  func edited() {
    let edited = Sample.todo("Soy milk", version: 2)
    let steps: [(QueuedOperation.Origin, TodoWorkflow.Step, TodoOutcome)] = [
      (.editScreen, .list, .shown),
      (.request, .edit(TodoForm(edited, in: .local)), .changed(edited)),
      (.list, .edit(TodoForm(edited, in: .local)), .shown),
    ]
    for (origin, step, reported) in steps {
      let entry = entry(.edit(edited.id, TodoEdit(isDone: true)), origin)
      tester(editing(), running: entry)
        .send(action: .init(output: .ended(entry, .success(.edited(edited))), sourceName: "local"))
        .verifyOutput { #expect(outcome($0) == reported) }
        .verifyState { #expect($0.step == step) }
    }
  }

  @Test("A conflicting save opens the comparison and asks")
  func conflict() {
    let conflict = Sample.conflict()
    let entry = entry(.edit(TodoID("t1"), TodoEdit(isDone: true)), .editScreen)
    tester(editing(), running: entry)
      .send(
        action: .init(output: .ended(entry, .failure(.conflict(conflict))), sourceName: "local")
      )
      .verifyOutput { #expect(outcome($0) == .needsDecision) }
      .verifyState {
        let sides = ConflictSides(TodoID("t1"), conflict)
        #expect($0.step == .conflict(Comparison(sides, in: .local)))
      }
  }

  @Test("A failure is shown on the screen that it came from")
  func failures() {
    let edit = ListOperation.edit(TodoID("t1"), TodoEdit(isDone: true))
    let shown: [(QueuedOperation.Origin, TodoError?, String?)] = [
      (.editScreen, Sample.error, nil), (.list, nil, "No connection."), (.request, nil, nil),
    ]
    for (origin, failure, message) in shown {
      let entry = entry(edit, origin)
      tester(editing(), running: entry)
        .send(action: .init(output: .ended(entry, .failure(Sample.error)), sourceName: "local"))
        .verifyOutput { #expect(outcome($0) == .failed(Sample.error)) }
        .verifyState { state in
          var form = TodoForm(Sample.todo(), in: .local)
          form.failure = failure
          #expect(state.step == .edit(form))
          #expect(state.list.message?.text == message)
        }
    }
  }

  @Test("A save of an invalid text is refused, and the form stays open")
  func invalidText() {
    TodoWorkflow.EditAction.tester(withState: editing())
      .send(action: .init(output: .changed(FieldChanges(texts: ["title": ""]), nil)))
      .assertNoOutput()
      .send(action: .init(output: .save(stays: false, token)))
      .verifyOutput { output in
        guard case .failed(let error) = outcome(output) else { return mismatch(output) }
        #expect(error.kind == .validation)
      }
      .verifyState { state in
        guard case .edit(let open) = state.step else { return mismatch(state.step) }
        #expect(open.failure?.kind == .validation)
        #expect(state.queue.entries == [])
      }
  }

  @Test("Outputs of a closed form have no effect")
  func lateEditor() {
    TodoWorkflow.EditAction.tester(withState: loaded)
      .send(action: .init(output: .save(stays: false, nil))).assertNoOutput()
      .assert(state: loaded)
    TodoWorkflow.FailureAction.tester(withState: loaded)
      .send(action: .init(output: .retry)).assertNoOutput()
      .assert(state: loaded)
  }

  @Test("A script's operation is added to the same queue")
  func requests() {
    TodoWorkflow.RequestAction.tester(withState: loaded)
      .send(action: .perform(.ask(.todo(TodoID("t1"))), token)).assertNoOutput()
      .verifyState { #expect($0.queue.entries == [entry(.ask(.todo(TodoID("t1"))), .request)]) }
      .send(action: .cancel(token)).assertNoOutput()
      .verifyState { #expect($0.queue.entries.map(\.token) == [nil]) }
  }
}
