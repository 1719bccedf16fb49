import JSONRPC
import Synchronization
import TodoModel
import TodoRemotes

/// The network of a recorded session. It sends real requests, and stores each response until the
/// loop fetches it. The loop fetches the responses in the order of their requests.
final class RecordedNetwork: Sendable {
  private struct State {
    var tasks: [Int: Task<Void, Never>] = [:]
    var answers: [Int: Result<HTTPResponse, TodoError>] = [:]
  }

  private let transport: any HTTPTransport
  private let wake: @Sendable () -> Void
  private let state = Mutex(State())

  /// Creates a network without requests.
  ///
  /// - Parameter wake: Called on any thread when a response has arrived.
  init(_ transport: any HTTPTransport, wake: @escaping @Sendable () -> Void) {
    self.transport = transport
    self.wake = wake
  }

  func send(_ number: Int, _ request: HTTPRequest) {
    let task = Task.detached { [self] in
      let answer: Result<HTTPResponse, TodoError>
      do throws(TodoError) {
        answer = .success(try await transport.send(request))
      } catch {
        answer = .failure(error)
      }
      state.withLock { $0.answers[number] = answer }
      wake()
    }
    state.withLock { $0.tasks[number] = task }
  }

  func popAnswer(to number: Int) -> Result<HTTPResponse, TodoError>? {
    state.withLock { state in
      guard let answer = state.answers.removeValue(forKey: number) else { return nil }
      state.tasks[number] = nil
      return answer
    }
  }

  /// Cancels all requests except those with the numbers in `waiting`.
  func cancel(allBut waiting: Set<Int>) {
    let gone = state.withLock { state in
      let gone = state.tasks.filter { !waiting.contains($0.key) }
      for number in gone.keys {
        state.tasks[number] = nil
        state.answers[number] = nil
      }
      return gone.values
    }
    for task in gone { task.cancel() }
  }
}

/// The format of a service's response in a transcript.
enum AnswerLines {
  /// The headers that the server reads. Other headers are omitted, because they may be secrets,
  /// such as cookies.
  private static let headerNames: Set<String> = [
    "content-type", "date", "etag", "link", "location", "retry-after", "x-ratelimit-remaining",
    "x-ratelimit-reset",
  ]

  static func lines(
    of answer: Result<HTTPResponse, TodoError>, _ redaction: inout Redaction
  ) -> [String] {
    switch answer {
    case .success(let response): return lines(of: response, &redaction)
    case .failure(let error):
      var object: JSONObject = [
        "kind": .string(error.kind.rawValue), "message": .string(redaction.text(error.message)),
      ]
      if let status = error.status { object["status"] = .integer(Int64(status)) }
      return TranscriptJSON.lines(.object(object), after: "~~> failure")
    }
  }

  private static func lines(of response: HTTPResponse, _ redaction: inout Redaction) -> [String] {
    var headers = JSONObject()
    for header in response.headers where headerNames.contains(header.name.lowercased()) {
      let known = headers[header.name]?.stringValue.map { "\($0), " } ?? ""
      headers[header.name] = .string(redaction.text(known + header.value))
    }
    var object: JSONObject = [
      "status": .integer(Int64(response.status)), "headers": .object(headers),
    ]
    if let json = try? JSON(parsing: response.body) {
      object["json"] = redaction.answer(json)
    } else if !response.body.isEmpty {
      object["text"] = .string(redaction.text(String(decoding: response.body, as: UTF8.self)))
    }
    return TranscriptJSON.lines(.object(object), after: "~~> answer")
  }

  /// Parses a response, as in `~~> answer {...}`.
  static func response(_ json: JSON) throws(TranscriptError) -> HTTPResponse {
    guard let status = json["status"]?.integerValue, (100..<600).contains(status) else {
      throw TranscriptError("~~> answer: expected a status from 100 to 599")
    }
    var body = json["text"]?.stringValue.map { Array($0.utf8) } ?? []
    if let json = json["json"] { json.write(to: &body) }
    let headers = json["headers"]?.objectValue?.members ?? []
    return HTTPResponse(
      status: Int(status),
      headers: headers.map { HTTPHeader($0.key, $0.value.stringValue ?? "") }, body: body)
  }

  /// Parses an error, as in `~~> failure {...}`.
  static func error(_ json: JSON) throws(TranscriptError) -> TodoError {
    guard let kind = json["kind"]?.stringValue.flatMap(ErrorKind.init),
      let message = json["message"]?.stringValue
    else { throw TranscriptError("~~> failure: expected a kind and a message") }
    return TodoError(kind, message, status: json["status"]?.integerValue.map { Int($0) })
  }
}
