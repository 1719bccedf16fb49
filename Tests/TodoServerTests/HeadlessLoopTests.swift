import Testing
import TodoModel
import TodoServer
import TodoStores
import WorkflowRuntime

@Suite struct HeadlessLoopTests {
  private func openLoop(notice: String? = nil) throws -> HeadlessLoop {
    try HeadlessLoop(
      LoopSetup(options: ServerOptions()) { (_) throws(TodoError) in
        var options = ServerOptions()
        options.store = .memory
        return try TodoServices.openIsolated(
          options, token: nil, transport: NoTransport(), environment: .live
        ).with(notice: notice)
      })
  }

  /// Runs the workers, and those that they start, to the end.
  private func runWorkers(of loop: inout HeadlessLoop) async {
    var effects = loop.settle()
    while !effects.isEmpty {
      // The next day starts at midnight, so this worker would not end.
      for case .start(let worker) in effects where worker.name != "DayWorker" {
        for output in await LoopDriver.outputs(of: worker) { loop.deliver(output) }
      }
      effects = loop.settle()
    }
  }

  @Test func outcomeIsAvailableOnceAfterItsWorkerHasEnded() async throws {
    var loop = try openLoop()
    let login = loop.begin(.logIn(name: "ann", password: nil))
    #expect(loop.removeOutcome(of: login) == nil)
    await runWorkers(of: &loop)
    #expect(loop.removeOutcome(of: login) == .loggedIn(name: "ann"))
    #expect(loop.removeOutcome(of: login) == nil)
  }

  @Test func refusedOperationHasItsOutcomeImmediately() throws {
    var loop = try openLoop()
    let load = loop.begin(.load(refresh: false))
    #expect(loop.removeOutcome(of: load) == .failed(.notLoggedIn))
  }

  @Test func outcomesBelongToTheirOperations() async throws {
    var loop = try openLoop()
    _ = loop.begin(.logIn(name: "ann", password: nil))
    await runWorkers(of: &loop)
    let add = loop.begin(.list(.add(try NewTodo(title: "a"))))
    let page = loop.begin(.list(.page(TodoQuery())))
    await runWorkers(of: &loop)
    guard case .page(let todos, _)? = loop.removeOutcome(of: page),
      case .changed(let added)? = loop.removeOutcome(of: add)
    else {
      Issue.record("unexpected outcomes")
      return
    }
    #expect(todos.elements.map(\.id) == [added.id])
  }

  @Test func noticeOfTheServicesIsAvailable() throws {
    #expect(try openLoop(notice: "The file was damaged.").notice == "The file was damaged.")
  }

  @Test func failureToOpenTheServicesIsThrown() {
    #expect(throws: TodoError.storage("No file.")) {
      _ = try HeadlessLoop(
        LoopSetup(options: ServerOptions()) { (_) throws(TodoError) in throw .storage("No file.") })
    }
  }
}
