import JSONRPC
import SQLiteDatabase
import TodoServer

/// A loop that traces each request, from the receipt of its last byte until its response has been
/// written. It parses the input and output of the wrapped loop, but does not change them.
struct TracedLoop<Base: ServerLoop & ~Copyable>: ServerLoop, ~Copyable {
  private var base: Base
  private let trace: TraceFile
  /// The methods whose names are written to the trace. Other names are not written, because they
  /// may contain anything.
  private let methods: Set<String>
  private var input: FrameParser
  private var output = FrameParser()
  private var requests: [RequestID: TraceFile.Span] = [:]

  init(_ base: consuming Base, trace: TraceFile, methods: Set<String>, limits: FrameLimits) {
    self.base = base
    self.trace = trace
    self.methods = methods
    input = FrameParser(limits: limits)
  }

  var wantsInput: Bool { base.wantsInput }
  var isWritten: Bool { base.isWritten }

  mutating func receive(_ bytes: UnsafeRawBufferPointer) -> [Effect] {
    recordInput(bytes)
    return base.receive(bytes)
  }

  mutating func step(_ event: Event) -> [Effect] { base.step(event) }

  func withPendingBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    base.withPendingBytes(body)
  }

  mutating func didWrite(_ count: Int) {
    output.append(base.withPendingBytes { Array($0.prefix(count)) })
    base.didWrite(count)
    while let event = output.next() {
      if case .frame(let body) = event, let json = try? JSON(parsing: body) { recordResponse(json) }
    }
  }

  func close() {
    base.close()
    trace.finish()
  }

  private mutating func recordInput(_ bytes: UnsafeRawBufferPointer) {
    input.append(bytes)
    while let event = input.next() {
      if case .frame(let body) = event, let json = try? JSON(parsing: body) { recordCall(json) }
    }
  }

  private mutating func recordCall(_ json: JSON) {
    for message in json.arrayValue ?? [] { recordCall(message) }
    guard let method = json["method"]?.stringValue else { return }
    let name = methods.contains(method) ? method : "another method"
    guard let id = json["id"].flatMap(RequestID.init) else { return trace.instant(name, .request) }
    requests[id] = requests[id] ?? trace.begin(name, .request)
  }

  private mutating func recordResponse(_ json: JSON) {
    for message in json.arrayValue ?? [] { recordResponse(message) }
    guard let id = json["id"].flatMap(RequestID.init), let span = requests.removeValue(forKey: id)
    else { return }
    trace.end(span, json["error"]?["code"].map { ["error": $0] } ?? JSONObject())
  }
}

extension TraceFile {
  /// Traces each statement of every database that is opened from now on.
  func traceStatements() {
    StatementProfile.start { [self] sql, start in
      let words = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      span(String(words.prefix(60)), .sqlite, from: start, ["sql": .string(words)])
    }
  }
}
