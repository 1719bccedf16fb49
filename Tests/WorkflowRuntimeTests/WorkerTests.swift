import Synchronization
import Testing
import WorkflowRuntime
import WorkflowTesting

/// Tests which workers are started and stopped, and how their outputs are applied. The test itself
/// performs the worker effects.
@Suite struct WorkerTests {
  /// A workflow that requests a worker for each job in its state. It records each output with the
  /// number of the latest render.
  struct Office: Workflow {
    struct State: Equatable {
      var jobs: [String: Int] = ["": 1]
      var feed: Int?
      var answers: [String] = []
      var visit = 0
    }

    enum Action: WorkflowAction {
      case jobs([String: Int])
      case feed(Int?)
      case visit
      case answered(String)
      typealias WorkflowType = Office
      func apply(toState state: inout State) -> Never? {
        switch self {
        case .jobs(let jobs): state.jobs = jobs
        case .feed(let number): state.feed = number
        case .visit: state.visit += 1
        case .answered(let answer): state.answers.append(answer)
        }
        return nil
      }
    }

    func makeInitialState() -> State { State() }

    func render(state: State, context: RenderContext<Office>) -> (Sink<Action>, [String]) {
      for (key, number) in state.jobs.sorted(by: { $0.key < $1.key }) {
        context.awaitResult(for: Job(number: number), key: key) { output in
          Action.answered("\(output) in visit \(state.visit)")
        }
      }
      if let feed = state.feed {
        context.awaitResult(for: Feed(number: feed)) { Action.answered("feed \($0)") }
      }
      return (context.makeSink(), state.answers)
    }
  }

  private let test = WorkflowTestHost(workflow: Office())

  private func send(_ action: Office.Action) { test.host.rendering.0.send(action) }
  private var answers: [String] { test.host.rendering.1 }

  @Test func answerBecomesStateAndRendering() {
    #expect(test.drainLog() == ["start Job #1"])
    test.deliver(7, from: Job.self)
    #expect(answers == ["7 in visit 0"])
  }

  @Test func equivalentWorkerContinuesAndTheLatestOutputMapIsUsed() {
    send(.visit)
    send(.visit)
    #expect(test.drainLog() == ["start Job #1"])
    test.deliver(7, from: Job.self)
    #expect(answers == ["7 in visit 2"])
  }

  @Test func workerIsStoppedBeforeItsReplacementStarts() {
    _ = test.drainLog()
    send(.jobs(["": 2]))
    #expect(test.drainLog() == ["stop Job #1", "start Job #2"])
  }

  @Test func anotherKeyIsAnotherWorker() {
    _ = test.drainLog()
    send(.jobs(["x": 1]))
    #expect(test.drainLog() == ["stop Job #1", "start Job(x) #2"])
    #expect(test.running == ["Job(x)"])
  }

  @Test func unrequestedWorkerIsStopped() {
    _ = test.drainLog()
    send(.jobs([:]))
    #expect(test.drainLog() == ["stop Job #1"])
    #expect(test.running == [])
  }

  @Test func finishedWorkerIsNotStartedAgainAndNotStopped() {
    test.deliver(7, from: Job.self)
    send(.visit)
    #expect(test.drainLog() == ["start Job #1"])
    send(.jobs([:]))
    #expect(test.drainLog() == [])
    send(.jobs(["": 1]))
    #expect(test.drainLog() == ["start Job #2"])
  }

  @Test func lateAnswerOfAReplacedWorkerIsDropped() {
    _ = test.drainLog()
    send(.jobs(["": 2]))
    test.deliver(7, fromWorkerNumber: 1)
    #expect(answers == [])
    test.deliver(8, from: Job.self)
    #expect(answers == ["8 in visit 0"])
  }

  @Test func lateAnswerOfARemovedWorkerIsDropped() {
    _ = test.drainLog()
    send(.jobs([:]))
    test.deliver(7, fromWorkerNumber: 1)
    #expect(answers == [])
  }

  @Test func secondAnswerOfAWorkerWithOneIsDropped() {
    test.deliver(7, from: Job.self)
    test.deliver(8, fromWorkerNumber: 1)
    #expect(answers == ["7 in visit 0"])
  }

  @Test func answerOfAnotherTypeIsDropped() {
    _ = test.drainLog()
    test.deliver("text", fromWorkerNumber: 1)
    #expect(answers == [])
  }

  @Test func manyAnswersComeInOrderUntilTheEnd() {
    send(.feed(1))
    test.deliver(1, from: Feed.self)
    test.host.batch {
      test.deliver(2, from: Feed.self)
      test.deliver(3, from: Feed.self)
    }
    #expect(answers == ["feed 1", "feed 2", "feed 3"])
    #expect(test.running == ["Job", "Feed"])
    test.finish(Feed.self)
    #expect(test.running == ["Job"])
    test.deliver(4, fromWorkerNumber: 2)
    #expect(answers.count == 3)
  }

  @Test func workersInABatchAreComparedOnce() {
    _ = test.drainLog()
    test.host.batch {
      send(.jobs(["": 2]))
      send(.jobs(["": 3]))
      send(.jobs(["": 1]))
    }
    #expect(test.drainLog() == [])
  }

  @Test func workerDroppedBeforeItsStartIsNotReported() {
    _ = test.drainLog()
    send(.jobs(["": 1, "x": 1]))
    send(.jobs(["": 1]))
    #expect(test.drainLog() == [])
  }

  @Test func allWorkersOfARemovedSubtreeStop() {
    struct Inner: Workflow {
      func render(state: Void, context: RenderContext<Inner>) {
        context.awaitResult(for: Job()) { _ in AnyWorkflowAction<Inner>.noAction }
      }
    }
    let test = WorkflowTestHost(
      workflow: Made<Bool, StateMutationSink<Made<Bool, Int>>?>(initial: true) { state, context in
        if state { Inner().running(with: context) }
        context.awaitResult(for: Job(), key: "own") { _ in
          AnyWorkflowAction { state in
            state = false
            return nil
          }
        }
        return nil
      })
    #expect(test.drainLog() == ["start Job #1", "start Job(own) #2"])
    test.deliver(1, from: Job.self, key: "own")
    #expect(test.drainLog() == ["stop Job #1"])
  }

  @Test func newWorkerIsComparedWithTheRunningOne() {
    struct Picky: Worker {
      let number: Int
      let isEquivalent: Bool
      let log: Questions
      func run() async -> Int { number }
      func isEquivalent(to otherWorker: Picky) -> Bool {
        log.all.withLock { $0.append("\(number) about \(otherWorker.number)") }
        return isEquivalent
      }
    }
    struct Desk: Workflow {
      let worker: Picky
      func render(state: Void, context: RenderContext<Desk>) {
        context.awaitResult(for: worker) { _ in AnyWorkflowAction<Desk>.noAction }
      }
    }
    let log = Questions()
    func desk(_ number: Int, isEquivalent: Bool) -> Desk {
      Desk(worker: Picky(number: number, isEquivalent: isEquivalent, log: log))
    }
    let test = WorkflowTestHost(workflow: desk(1, isEquivalent: false))
    test.host.update(workflow: desk(2, isEquivalent: true))
    #expect(test.drainLog() == ["start Picky #1"])
    test.host.update(workflow: desk(3, isEquivalent: false))
    #expect(test.drainLog() == ["stop Picky #1", "start Picky #2"])
    test.host.update(workflow: desk(4, isEquivalent: true))
    #expect(test.drainLog() == [])
    #expect(log.all.withLock { $0 } == ["2 about 1", "3 about 1", "4 about 3"])
  }

  @Test func deliverFromACallbackIsQueued() {
    _ = test.running
    test.host.onRendering = { [unowned test] rendering in
      if rendering.1.isEmpty { test.deliver(7, fromWorkerNumber: 1) }
    }
    send(.visit)
    #expect(answers == ["7 in visit 1"])
  }

  @Test func releasedHostStopsItsWorkersThroughTheHandler() {
    var stops: [WorkerID] = []
    do {
      let host = WorkflowHost(workflow: Office())
      host.onWorkerEffects = { effects in
        for case .stop(let id) in effects { stops.append(id) }
      }
    }
    #expect(stops == [WorkerID(number: 1)])
  }
}

/// The recorded calls of `isEquivalent`.
private final class Questions: Sendable {
  let all = Mutex<[String]>([])

  private struct AnyFeed: StreamWorker, Equatable {
    func run(emit: @escaping @Sendable (any Sendable) -> Void) async { emit(1) }
  }

  private struct AnyJob: Worker, Equatable {
    func run() async -> any Sendable { WorkerEnd() }
  }

  /// A workflow that records the output types of a stream and of a job.
  private func noting() -> WorkflowHost<Made<[String], [String]>> {
    func noted(_ answer: any Sendable) -> AnyWorkflowAction<Made<[String], [String]>> {
      AnyWorkflowAction { state in
        state.append("\(type(of: answer))")
        return nil
      }
    }
    return WorkflowHost(
      workflow: Made(initial: []) { state, context in
        context.awaitResult(for: AnyFeed()) { noted($0) }
        context.awaitResult(for: AnyJob()) { noted($0) }
        return state
      })
  }

  @Test func endOfAStreamIsNotAnOutput() async {
    let host = noting()
    for case .start(let task) in host.drainWorkerEffects() {
      let (outputs, continuation) = AsyncStream.makeStream(of: WorkerOutput.self)
      await task.run { continuation.yield($0) }
      continuation.finish()
      for await output in outputs { host.deliver(output) }
    }
    #expect(host.rendering == ["Int", "WorkerEnd"])
    #expect(host.debugSnapshot().nodes[0].workers.isEmpty)
  }

  @Test func outputOfAnotherTypeIsDroppedAndTheWorkerContinues() {
    final class Drops: WorkflowObserver {
      var log: [String] = []
      func workerDidOutput(_ output: WorkerOutput, _ session: WorkflowSession) {
        log.append("came \(output.value)")
      }
      func workerOutputWasDropped(_ output: WorkerOutput) { log.append("dropped \(output.value)") }
    }
    let drops = Drops()
    let host = WorkflowHost(
      workflow: Made<Int, Int>(initial: 0) { state, context in
        context.awaitResult(for: Job()) { answer in
          AnyWorkflowAction<Made<Int, Int>> { state in
            state = answer
            return nil
          }
        }
        return state
      }, observers: [drops])
    let id = WorkerID(number: 1)
    host.deliver(WorkerOutput(workerID: id, value: "text"))
    host.deliver(WorkerOutput(workerID: id, value: 3))
    #expect(drops.log == ["dropped text", "came 3"])
    #expect(host.rendering == 3)
  }
}
