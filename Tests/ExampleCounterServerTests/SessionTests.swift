import JSONRPC
import Testing
import WorkflowRuntime
import WorkflowTesting

@testable import CounterServer

/// Tests the example without its pipes, in one thread. The tests deliver the outputs of workers.
@Suite struct SessionTests {
  private final class Edge {
    var effects: [WorkerEffect] = []
  }

  private let edge = Edge()
  private let session: Session

  init() {
    session = Session(onWorkerEffects: { [edge] in edge.effects += $0 })
  }

  /// Returns the output lines after a call, in line framing.
  private func lines(after id: String, _ method: String, _ params: String = "{}") -> [String] {
    lines(after: #"{"jsonrpc":"2.0",\#(id)"method":"\#(method)","params":\#(params)}"#)
  }

  private func lines(after input: String) -> [String] {
    session.receive(Array((input + "\n").utf8))
    return drainLines()
  }

  private func drainLines() -> [String] {
    String(decoding: session.drainOutput(), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test func changeIsPushedBeforeTheAnswer() {
    #expect(
      lines(after: #""id":1,"#, "counter/add", #"{"by":3}"#) == [
        #"{"jsonrpc":"2.0","method":"counter/changed","params":{"count":3}}"#,
        #"{"jsonrpc":"2.0","id":1,"result":{"count":3}}"#,
      ])
  }

  @Test func requestWithoutAChangeIsAnsweredAndNotPushed() {
    #expect(
      lines(after: #""id":"a","#, "counter/set", #"{"count":0}"#)
        == [#"{"jsonrpc":"2.0","id":"a","result":{"count":0}}"#])
  }

  @Test func workerOutputIsPushedWithoutACall() throws {
    _ = lines(after: "", "counter/set", #"{"count":12}"#)
    #expect(
      lines(after: #""id":1,"#, "counter/factor") == [
        #"{"jsonrpc":"2.0","method":"counter/changed","params":{"count":12,"factors":null}}"#,
        #"{"jsonrpc":"2.0","id":1,"result":{"count":12,"factors":null}}"#,
      ])
    #expect(session.isWaiting)
    guard case .start(let task) = try #require(edge.effects.first) else {
      Issue.record("the first effect does not start a worker")
      return
    }
    session.deliver(WorkerOutput(workerID: task.id, value: [2, 2, 3] as [Int64]))
    #expect(
      drainLines() == [
        #"{"jsonrpc":"2.0","method":"counter/changed","params":{"count":12,"factors":[2,2,3]}}"#
      ])
    #expect(!session.isWaiting)
  }

  @Test func batchIsAnsweredInOneArray() {
    let batch =
      #"[{"jsonrpc":"2.0","id":1,"method":"counter/get"},{"jsonrpc":"2.0","id":2,"method":"no"}]"#
    #expect(
      lines(after: batch) == [
        #"[{"jsonrpc":"2.0","id":1,"result":{"count":0}},"#
          + #"{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"method not found: no"}}]"#
      ])
  }

  @Test func wrongParamsAreRefusedByName() {
    _ = lines(after: "", "counter/add")
    #expect(
      lines(after: #""id":1,"#, "counter/add", #"{"by":9223372036854775807}"#) == [
        #"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"#
          + #""message":"params.by: the count would not fit into 64 bits"}}"#
      ])
  }

  @Test func renderAsksForTheFactorsThatAreWanted() {
    Counter().renderTester(initialState: .init(count: 15, factors: .wanted))
      .expectWorker(Factor(number: 15), producingOutput: [3, 5])
      .render()
      .assert(action: Counter.Action.found([3, 5]))
      .assertStateModifications { $0.factors = .found([3, 5]) }
  }

  @Test func newCountForgetsOldFactors() {
    Counter.Action.tester(withState: .init(count: 15, factors: .found([3, 5])))
      .send(action: .set(16))
      .assert(state: .init(count: 16, factors: .unasked))
  }

  @Test(
    arguments: [
      (0, []), (1, []), (12, [2, 2, 3]), (97, [97]), (-6, [2, 3]),
      (Int64.min, Array(repeating: 2, count: 63)),
    ] as [(Int64, [Int64])])
  func factorsOf(number: Int64, factors: [Int64]) async {
    await Factor(number: number).tester().run { #expect($0 == [factors]) }
  }
}
