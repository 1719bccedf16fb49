import JSONRPC
import TodoModel
import TodoProtocol
import TodoRemotes
import TodoServer
import TodoStores

/// A replay of a transcript with a new server in this process, in the environment that the
/// transcript defines.
///
/// The loop, the workflows, the stores and the GitHub client are real. The network, the clock, ids
/// and the token are simulated. The store is in memory: a transcript may be malicious, so it must
/// not refer to a file of the user. No thread is started, and nothing sleeps.
package final class Replay {
  private let transcript: Transcript
  private let fixtures: HTTPFixtures
  private let clock: ReplayClock
  private let framing: Framing
  private let ioLoop: ReplayIOLoop
  /// The size of the pieces into which inputs are split, in bytes; `nil` if they are not split.
  private let pieceBytes: Int?
  /// The todos that the store contains before the session.
  private let initialTodos: InitialTodos
  private let drafts: ReplayDrafts
  private let refusal = Refusal()

  /// A box for the error that ends a replay. A message of the transcript may contain server options
  /// that name the file of a store, which is forbidden. When the loop opens its services with such
  /// options, it puts the error into the box, unless the box already contains one.
  private final class Refusal {
    var problem: TodoError?
  }

  /// Creates a replay of a transcript; throws an error with a message if a header is invalid.
  ///
  /// - Parameters:
  ///   - httpFolder: The folder of the response files to which the transcript refers.
  ///   - pieceBytes: The size of the pieces into which inputs are split, in bytes; `nil` to pass
  ///     them whole.
  package init(
    _ transcript: Transcript, httpFolder: String, pieceBytes: Int? = nil
  ) throws(TranscriptError) {
    let headers = transcript.headers
    guard let start = Timestamp(rfc3339: headers["clock"] ?? "2026-01-01T00:00:00Z") else {
      throw TranscriptError("clock: expected a time such as 2026-01-01T00:00:00Z")
    }
    guard let utcOffset = TranscriptZone.utcOffset(headers["timezone"] ?? "+00:00") else {
      throw TranscriptError("timezone: expected an offset such as +02:00")
    }
    self.transcript = transcript
    self.pieceBytes = pieceBytes
    fixtures = HTTPFixtures(folder: httpFolder)
    clock = ReplayClock(start, idPrefix: headers["ids"] ?? "t", utcOffset: utcOffset)
    framing = headers["framing"] == "lines" ? .lines : .headers
    let transport = ScriptedTransport()
    let initialTodos = InitialTodos()
    self.initialTodos = initialTodos
    let drafts = ReplayDrafts()
    self.drafts = drafts
    let environment = clock.environment
    let token = headers["token"].map { _ in Secret("token") }
    let options = try transcript.options
    if let problem = TodoServices.isolationProblem(options) {
      throw TranscriptError("store: \(problem.message)")
    }
    let loop = Loop(
      LoopSetup(options: options) { [refusal] (options) throws(TodoError) in
        refusal.problem = refusal.problem ?? TodoServices.isolationProblem(options)
        let services = try TodoServices.openIsolated(
          options, token: token, transport: transport, environment: environment
        ).with(notice: headers["notice"]).replayable
        try initialTodos.add(to: services.store)
        return try drafts.added(to: services)
      }, adapter: ProtocolAdapter(version: "0.0.0"))
    ioLoop = ReplayIOLoop(
      loop, transport: transport, showsPictures: headers["renderings"] == "pictures",
      outside: ReplayIOLoop.Outside(now: { [clock] in clock.now }))
  }

  /// Runs the replay, and returns the output lines for each input, in order.
  ///
  /// - Throws: An error for input that is invalid, or that refers to the file of a store or to a
  ///   file outside of `httpFolder`. The error is thrown even if the transcript expects the server
  ///   to respond to this input with an error.
  package func run() throws(TranscriptError) -> [[String]] {
    defer { ioLoop.end() }
    var outputs: [[String]] = []
    for exchange in transcript.exchanges {
      switch exchange.input.sender {
      case .frontEnd: try send(exchange.input)
      case .world: try answer(exchange.input)
      }
      if let problem = refusal.problem {
        throw TranscriptError("line \(exchange.input.lineNumber): \(problem.message)")
      }
      outputs.append(ioLoop.drainOutputs())
    }
    return outputs
  }

  /// Delivers one message from the front-end, with the member `jsonrpc`, which transcripts omit.
  private func send(_ input: Transcript.Input) throws(TranscriptError) {
    do throws(JSONError) {
      let json = try JSON(parsing: Array(input.text.utf8)).addingVersion
      var bytes: [UInt8] = []
      FrameWriter(framing: framing).append(to: &bytes) { $0.value(json) }
      deliver(bytes)
    } catch {
      throw TranscriptError("--> \(input.lines[0]): \(error)")
    }
  }

  /// Delivers an external event, such as raw bytes, elapsed time, the end of the input or an HTTP
  /// response.
  private func answer(_ input: Transcript.Input) throws(TranscriptError) {
    let word = String(input.lines[0].prefix { $0 != " " })
    let rest = String(input.text.dropFirst(word.count).drop { $0 == " " })
    switch word {
    case "bytes":
      guard let text = (try? JSON(parsing: Array(rest.utf8)))?.stringValue else {
        throw TranscriptError("~~> bytes needs a JSON string")
      }
      deliver(Array(text.utf8))
    case "body":
      guard let text = (try? JSON(parsing: Array(rest.utf8)))?.stringValue else {
        throw TranscriptError("~~> body needs a JSON string")
      }
      var bytes: [UInt8] = []
      FrameWriter(framing: framing).append(Array(text.utf8), to: &bytes)
      deliver(bytes)
    case "hex":
      guard let bytes = Self.bytes(hex: rest) else {
        throw TranscriptError("~~> hex needs two digits a byte")
      }
      deliver(bytes)
    case "time":
      guard let milliseconds = Int64(rest) else {
        throw TranscriptError("~~> time needs a number of milliseconds")
      }
      clock.advance(milliseconds)
      ioLoop.resume()
    case "kept": initialTodos.lines.append(rest)
    case "draft": drafts.lines.append(rest)
    case "end": ioLoop.handle(.inputEnded)
    case "grace": ioLoop.handle(.gracePeriodEnded)
    case "signal": ioLoop.handle(.endRequested(.terminated))
    case "notice": ioLoop.handle(.notice(rest))
    case "parent": ioLoop.handle(.endRequested(.parentGone))
    default:
      guard ioLoop.answer(try fixtures.answer(word, rest)) else {
        throw TranscriptError("~~> \(input.lines[0]): no request waits for an answer")
      }
    }
  }

  private static func bytes(hex text: String) -> [UInt8]? {
    let digits = text.utf8.map { UInt8(String(UnicodeScalar($0)), radix: 16) }
    guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { index in
      (digits[index] ?? 0) << 4 | (digits[index + 1] ?? 0)
    }
  }

  private func deliver(_ bytes: [UInt8]) {
    let piece = pieceBytes ?? max(1, bytes.count)
    for start in stride(from: 0, to: bytes.count, by: piece) {
      ioLoop.handle(.input(Array(bytes[start..<min(start + piece, bytes.count)])))
    }
  }
}

extension Transcript {
  /// The server options that the headers contain.
  package var options: ServerOptions {
    get throws(TranscriptError) {
      var options = ServerOptions()
      do throws(OptionError) {
        options.store = try StoreKind(headers["store"] ?? "memory")
        options.sources = []
        for source in (headers["source"] ?? "local").split(separator: " ") {
          try options.sources.add(SourceKind(String(source)))
        }
        options.sync = try SyncKind(headers["sync"] ?? "auto")
      } catch {
        throw TranscriptError(error.message)
      }
      options.registerURL = headers["register"]
      options.githubURL = headers["github"]
      return options
    }
  }
}

extension JSON {
  /// The message, or each message in a batch, with the member `jsonrpc`, which transcripts omit.
  package var addingVersion: JSON {
    switch self {
    case .object(let object) where object["jsonrpc"] == nil:
      var members: JSONObject = ["jsonrpc": "2.0"]
      for (key, value) in object.members { members[key] = value }
      return .object(members)
    case .array(let elements): return .array(elements.map(\.addingVersion))
    default: return self
    }
  }

  /// The message, or each message in a batch, without the member `jsonrpc`, which transcripts omit.
  package var removingVersion: JSON {
    switch self {
    case .object(let object):
      return .object(JSONObject(object.members.filter { $0.key != "jsonrpc" }.map { ($0, $1) }))
    case .array(let elements): return .array(elements.map(\.removingVersion))
    default: return self
    }
  }
}
