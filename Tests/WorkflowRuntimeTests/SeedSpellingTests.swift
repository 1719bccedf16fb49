import Testing
import WorkflowRuntime

/// Tests how a worker's output reaches the rendering. The code is written in the style of the
/// original Workflow tutorial.
@Suite struct SeedSpellingTests {
  struct Loading: Workflow {
    enum Output: Equatable { case loaded([String]) }
    typealias Rendering = String

    enum Action: WorkflowAction, Equatable {
      case finished([String])
      typealias WorkflowType = Loading
      func apply(toState state: inout Void) -> Loading.Output? {
        switch self {
        case .finished(let titles): return .loaded(titles)
        }
      }
    }

    struct LoadingWorker: Worker {
      typealias Output = Action
      func run() async -> Action { .finished(["a", "b"]) }
      func isEquivalent(to otherWorker: LoadingWorker) -> Bool { true }
    }

    func render(state: Void, context: RenderContext<Loading>) -> String {
      context.awaitResult(for: LoadingWorker())
      return "loading"
    }
  }

  struct Root: Workflow {
    enum State: Equatable {
      case loading
      case list([String])
    }
    enum Action: WorkflowAction {
      case show([String])
      typealias WorkflowType = Root
      func apply(toState state: inout Root.State) -> Never? {
        switch self {
        case .show(let titles): state = .list(titles)
        }
        return nil
      }
    }
    func makeInitialState() -> State { .loading }
    func render(state: State, context: RenderContext<Root>) -> [String] {
      switch state {
      case .loading:
        let screen = Loading()
          .mapOutput { output -> Action in
            switch output {
            case .loaded(let titles): return .show(titles)
            }
          }
          .rendered(with: context)
        return [screen]
      case .list(let titles): return titles
      }
    }
  }

  @Test func workerAnswerBecomesRendering() async throws {
    let host = WorkflowHost(workflow: Root())
    #expect(host.rendering == ["loading"])
    let effects = host.drainWorkerEffects()
    guard case .start(let task) = try #require(effects.first) else {
      Issue.record("the first effect is not a start")
      return
    }
    #expect(task.name == "LoadingWorker")
    let (outputs, continuation) = AsyncStream.makeStream(of: WorkerOutput.self)
    await task.run { continuation.yield($0) }
    continuation.finish()
    for await output in outputs { host.deliver(output) }
    #expect(host.rendering == ["a", "b"])
    #expect(host.renderCount == 2)
    #expect(host.drainWorkerEffects().isEmpty)
  }
}
