import JSONRPC
import WorkflowRuntime

/// The server without its pipes: bytes in, bytes out. What changed is pushed before the answer.
final class Session {
  private let host = WorkflowHost(workflow: Counter())
  private var parser = FrameParser()
  private var output: [UInt8] = []

  /// Whether the input cannot be read any further.
  private(set) var isBroken = false

  /// - Parameter onWorkerEffects: Starts and stops workers; their answers come to `deliver`.
  init(onWorkerEffects: @escaping ([WorkerEffect]) -> Void) {
    host.onWorkerEffects = onWorkerEffects
    host.onRendering = { [unowned self] screen in
      write { $0.notification(method: "counter/changed", params: screen.json) }
    }
  }

  /// Whether something is still to come that nobody has to ask for.
  var isWaiting: Bool { host.rendering.factors == .wanted }

  func takeOutput() -> [UInt8] {
    defer { output = [] }
    return output
  }

  func deliver(_ output: WorkerOutput) { host.deliver(output) }

  func receive(_ bytes: [UInt8]) {
    parser.append(bytes)
    while let event = parser.next() { take(event) }
  }

  func inputDidEnd() {
    while let event = parser.finish() { take(event) }
  }

  private func take(_ event: FrameEvent) {
    switch event {
    case .frame(let body): answer(decode(body))
    case .problem(let error): write { $0.response(id: nil, error: error) }
    case .fatal(let error):
      write { $0.response(id: nil, error: error) }
      isBroken = true
    }
  }

  private func answer(_ incoming: Incoming) {
    switch incoming {
    case .single(let message):
      guard let response = response(to: message) else { return }
      write { $0.response(response) }
    case .batch(let messages):
      let responses = messages.compactMap(response(to:))
      write { $0.batch(responses) }
    }
  }

  private func response(to message: Message) -> Response? {
    switch message {
    case .request(let request):
      let outcome = Result { () throws(RPCError) in try call(request.method, request.params) }
      return Response(id: request.id, outcome: outcome)
    case .notification(let notification):
      _ = Result { () throws(RPCError) in try call(notification.method, notification.params) }
      return nil
    case .response: return nil
    case .invalid(let id, let error): return Response(id: id, error: error)
    }
  }

  private func call(_ method: String, _ json: JSON?) throws(RPCError) -> JSON {
    let params = try Params(json)
    switch method {
    case "counter/get": break
    case "counter/add":
      let amount = Int64(try params.optionalInteger("by") ?? 1)
      let (sum, isOver) = host.rendering.count.addingReportingOverflow(amount)
      if isOver { throw params.invalid("by", "the count would not fit into 64 bits") }
      host.rendering.sink.send(.set(sum))
    case "counter/set": host.rendering.sink.send(.set(Int64(try params.integer("count"))))
    case "counter/factor": host.rendering.sink.send(.factor)
    default: throw .methodNotFound(method)
    }
    return host.rendering.json
  }

  private func write(_ encode: (inout JSONWriter) -> Void) {
    FrameWriter(framing: parser.framing ?? .headers).append(to: &output, encode)
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
