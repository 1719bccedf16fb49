import Synchronization
import Testing
import WorkflowRuntime

/// Tests workers that run as tasks.
@Suite struct RunningWorkersTests {
  struct Broken: Error {}

  private func outputs(
    of worker: some StreamWorker<Int>
  ) async -> [Int] {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    await worker.run { continuation.yield($0) }
    continuation.finish()
    return await stream.reduce(into: []) { $0.append($1) }
  }

  private func numbers(_ count: Int) -> AsyncStream<Int> {
    AsyncStream { continuation in
      for number in 0..<count { continuation.yield(number) }
      continuation.finish()
    }
  }

  @Test func operationWorkerAnswers() async {
    let worker = AsyncOperationWorker(id: "a") { 3 }
    #expect(await worker.run() == 3)
    #expect(worker.isEquivalent(to: AsyncOperationWorker(id: "a") { 4 }))
    #expect(!worker.isEquivalent(to: AsyncOperationWorker(id: "b") { 3 }))
  }

  @Test func errorBecomesAnOutput() async {
    let worker = AsyncOperationWorker<Result<Int, any Error>>.catching { throw Broken() }
    let answer = await worker.run()
    #expect(throws: Broken.self) { try answer.get() }
  }

  @Test func sequenceWorkerAnswersWithEachElement() async {
    let numbers = numbers
    #expect(await outputs(of: AsyncSequenceWorker { numbers(3) }) == [0, 1, 2])
  }

  @Test func throwingSequenceEndsWithAnOutput() async {
    let worker = AsyncSequenceWorker(
      { AsyncThrowingStream<Int, any Error> { $0.finish(throwing: Broken()) } },
      onFailure: { $0 is Broken ? -1 : nil })
    #expect(await outputs(of: worker) == [-1])
  }

  @Test func runnerDeliversOutputsAndRemovesEndedTasks() async {
    struct Listening: Workflow {
      func makeInitialState() -> [Int] { [] }
      func render(state: [Int], context: RenderContext<Listening>) -> [Int] {
        let add = { (number: Int) in
          AnyWorkflowAction<Listening> { state in
            state.append(number)
            return nil
          }
        }
        context.awaitResult(for: Feed(number: 5), outputMap: add)
        if state.contains(5) { context.awaitResult(for: Job(number: 6), outputMap: add) }
        return state
      }
    }
    let (outputs, continuation) = AsyncStream.makeStream(of: WorkerOutput.self)
    let runner = WorkerRunner { continuation.yield($0) }
    let host = WorkflowHost(workflow: Listening())
    host.onWorkerEffects = { runner.perform($0) }
    for await output in outputs {
      host.deliver(output)
      if host.rendering == [5, 6] { break }
    }
    #expect(host.rendering == [5, 6])
    host.onWorkerEffects = nil
  }

  @Test func stoppedWorkerIsCancelled() async {
    struct Endless: Worker, Equatable {
      let note: AsyncStream<String>.Continuation
      static func == (left: Endless, right: Endless) -> Bool { true }
      func run() async -> Int {
        note.yield("began")
        await withTaskCancellationHandler {
          while !Task.isCancelled { await Task.yield() }
        } onCancel: {
          note.yield("ended")
        }
        return 0
      }
    }
    let (notes, continuation) = AsyncStream.makeStream(of: String.self)
    let runner = WorkerRunner { _ in }
    var stop: (() -> Void)?
    let host = WorkflowHost(
      workflow: Made<Bool, Int>(initial: true) { state, context in
        let sink = context.makeStateMutationSink()
        stop = { sink.send { $0 = false } }
        if state {
          context.awaitResult(for: Endless(note: continuation)) { _ in
            AnyWorkflowAction<Made<Bool, Int>>.noAction
          }
        }
        return 0
      })
    host.onWorkerEffects = { runner.perform($0) }
    #expect(runner.runningCount == 1)
    var iterator = notes.makeAsyncIterator()
    #expect(await iterator.next() == "began")
    stop?()
    #expect(runner.runningCount == 0)
    #expect(await iterator.next() == "ended")
  }

  @Test func workerStoppedBeforeItsTaskStartsIsNotRun() async {
    struct Noting: Worker, Equatable {
      let note: AsyncStream<String>.Continuation
      static func == (left: Noting, right: Noting) -> Bool { true }
      func run() async -> Int {
        note.yield("ran")
        return 0
      }
    }
    let (notes, continuation) = AsyncStream.makeStream(of: String.self)
    let host = WorkflowHost(
      workflow: Made<Int, Int>(initial: 0) { state, context in
        context.awaitResult(for: Noting(note: continuation)) { _ in
          AnyWorkflowAction<Made<Int, Int>>.noAction
        }
        return state
      })
    for case .start(let task) in host.drainWorkerEffects() {
      let cancelled = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        await task.runUnlessCancelled { _ in continuation.yield("answered") }
      }
      await cancelled.value
    }
    continuation.finish()
    var seen: [String] = []
    for await note in notes { seen.append(note) }
    #expect(seen == [])
  }

  @Test func immediateAnswerNeedsNoTask() {
    struct Cached: Worker, Equatable {
      func run() async -> Int { 1 }
      func immediateResult() -> Int? { 2 }
    }
    final class Received: Sendable {
      let outputs = Mutex<[Int]>([])
    }
    let received = Received()
    let runner = WorkerRunner { output in
      received.outputs.withLock { $0.append(output.value as? Int ?? -1) }
    }
    let host = WorkflowHost(
      workflow: Made<Int, Int>(initial: 0) { state, context in
        context.awaitResult(for: Cached()) { _ in AnyWorkflowAction<Made<Int, Int>>.noAction }
        return state
      })
    runner.perform(host.drainWorkerEffects())
    #expect(received.outputs.withLock { $0 } == [2])
    #expect(runner.runningCount == 0)
  }

  @Test func unrequestedSequenceIsEnded() async {
    let (notes, note) = AsyncStream.makeStream(of: String.self)
    let runner = WorkerRunner { _ in }
    var stop: (() -> Void)?
    let host = WorkflowHost(
      workflow: Made<Bool, Int>(initial: true) { state, context in
        let sink = context.makeStateMutationSink()
        stop = { sink.send { $0 = false } }
        if state {
          let worker = AsyncSequenceWorker {
            AsyncStream<Int> {
              $0.onTermination = { _ in note.yield("ended") }
              note.yield("began")
            }
          }
          context.awaitResult(for: worker) { _ in AnyWorkflowAction<Made<Bool, Int>>.noAction }
        }
        return 0
      })
    host.onWorkerEffects = { runner.perform($0) }
    var iterator = notes.makeAsyncIterator()
    #expect(await iterator.next() == "began")
    stop?()
    #expect(await iterator.next() == "ended")
    #expect(runner.runningCount == 0)
  }

  @Test func errorOfACatchingWorkerIsDeliveredAsAnOutput() async {
    typealias Answer = Result<Int, any Error>
    struct Asking: Workflow {
      func makeInitialState() -> String { "asked" }
      func render(state: String, context: RenderContext<Asking>) -> String {
        let worker = AsyncOperationWorker<Answer>.catching { throw Broken() }
        context.awaitResult(for: worker) { answer in
          AnyWorkflowAction<Asking> { state in
            if case .failure(let error) = answer { state = "failed: \(error)" }
            return nil
          }
        }
        return state
      }
    }
    let (outputs, continuation) = AsyncStream.makeStream(of: WorkerOutput.self)
    let runner = WorkerRunner { continuation.yield($0) }
    let host = WorkflowHost(workflow: Asking())
    host.onWorkerEffects = { runner.perform($0) }
    var iterator = outputs.makeAsyncIterator()
    if let output = await iterator.next() { host.deliver(output) }
    #expect(host.rendering == "failed: Broken()")
  }
}
