import JSONRPC
import WorkflowRuntime

/// The server without its pipes: it receives and returns bytes. If a call changes the counter, a
/// notification reports the change before the response is written.
final class Session {
  private let host = WorkflowHost(workflow: Counter())
  private var connection = JSONRPCConnection<JSON>()

  /// Whether the input is unreadable.
  var isBroken: Bool { connection.inputProblem != nil }

  /// - Parameter onWorkerEffects: starts and stops workers; pass their outputs to `deliver`.
  init(onWorkerEffects: @escaping ([WorkerEffect]) -> Void) {
    host.onWorkerEffects = onWorkerEffects
    host.onRendering = { [unowned self] screen in
      connection.notify("counter/changed", screen.json)
    }
  }

  /// Whether the factors are being computed: a notification will follow without another call.
  var isWaiting: Bool { host.rendering.factors == .wanted }

  func drainOutput() -> [UInt8] {
    connection.encode { answer, id, writer in writer.response(id: id, result: answer) }
    defer { connection.didWrite(connection.withPendingBytes { $0.count }) }
    return connection.withPendingBytes { Array($0) }
  }

  func deliver(_ output: WorkerOutput) { host.deliver(output) }

  func receive(_ bytes: [UInt8]) {
    connection.receive(bytes)
    answerCalls()
  }

  func inputDidEnd() {
    connection.endInput()
    answerCalls()
  }

  private func answerCalls() {
    while let arrival = connection.next() {
      guard case .call(let call) = arrival else { continue }
      do throws(RPCError) {
        connection.answer(call.address, try perform(call))
      } catch {
        connection.refuse(call.address, error)
      }
    }
  }

  private func perform(_ call: IncomingCall) throws(RPCError) -> JSON {
    let params = try Params(call.params)
    switch call.method {
    case "counter/get": break
    case "counter/add":
      let amount = Int64(try params.optionalInteger("by") ?? 1)
      let (sum, isOver) = host.rendering.count.addingReportingOverflow(amount)
      if isOver { throw params.invalid("by", "the count would not fit into 64 bits") }
      host.rendering.sink.send(.set(sum))
    case "counter/set": host.rendering.sink.send(.set(Int64(try params.integer("count"))))
    case "counter/factor": host.rendering.sink.send(.factor)
    default: throw .methodNotFound(call.method)
    }
    return host.rendering.json
  }
}

extension Counter.Screen {
  var json: JSON {
    switch factors {
    case .unasked: ["count": .integer(count)]
    case .wanted: ["count": .integer(count), "factors": nil]
    case .found(let factors):
      ["count": .integer(count), "factors": .array(factors.map { .integer($0) })]
    }
  }
}
