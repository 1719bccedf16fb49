import System
import TestSupport
import Testing
import TodoModel

@testable import TodoRemotes

@Suite struct CurlTransportTests {
  let transport = CurlTransport()

  private func get(_ url: String) throws -> HTTPRequest {
    HTTPRequest("GET", try #require(HTTPURL(url)))
  }

  @Test func carriesMethodHeadersAndBodyBothWays() async throws {
    let server = LoopbackServer { request in
      LoopbackResponse(
        201, headers: [("X-One", "1"), ("x-one", "2")], body: request.method + request.bodyText)
    }
    let url = try #require(HTTPURL("\(server.url)/a/b?c=d"))
    let response = try await transport.send(
      HTTPRequest(
        "PATCH", url, headers: [HTTPHeader("X-Test", "äöü")], body: Array("body\u{0}👍".utf8)))
    #expect(response.status == 201)
    #expect(String(decoding: response.body, as: UTF8.self) == "PATCHbody\u{0}👍")
    #expect(response.values(of: "X-ONE") == ["1", "2"])
    let request = try #require(server.requests.first)
    #expect(request.path == "/a/b?c=d")
    #expect(request["x-test"] == "äöü")
    #expect(request["expect"] == nil)
  }

  /// libcurl gives up a connection after two idle minutes, so the next request must not wait behind
  /// other tests for a thread of the pool.
  @Test func keepsItsConnection() async throws {
    let server = LoopbackServer { _ in LoopbackResponse(200, body: "x") }
    try await withTaskExecutorPreference(WorkerThreads()) {
      for _ in 0..<5 { _ = try await transport.send(get(server.url)) }
    }
    #expect(server.requests.count == 5)
    #expect(server.connectionCount == 1)
  }

  @Test func anEmptyBodyIsSent() async throws {
    let server = LoopbackServer { _ in LoopbackResponse(200) }
    let url = try #require(HTTPURL(server.url))
    _ = try await transport.send(HTTPRequest("POST", url, body: []))
    #expect(server.requests.first?["content-length"] == "0")
  }

  @Test func followsNoRedirect() async throws {
    let server = LoopbackServer { _ in LoopbackResponse(302, headers: [("Location", "/other")]) }
    #expect(try await transport.send(get(server.url)).status == 302)
    #expect(server.requests.count == 1)
  }

  @Test func closedPortIsOffline() async throws {
    let closed = LoopbackSocket()
    defer { withExtendedLifetime(closed) {} }
    let request = try get("http://127.0.0.1:\(closed.port)/")
    #expect(await failure { try await transport.send(request) }?.kind == .offline)
  }

  @Test func aNameWithoutAnAddressIsOffline() async throws {
    let request = try get("http://no-such-host.invalid/")
    #expect(await failure { try await transport.send(request) }?.kind == .offline)
  }

  @Test func aServerWithoutTLSIsNotTrusted() async throws {
    let server = LoopbackServer { _ in LoopbackResponse(200) }
    let request = try get("https://127.0.0.1:\(server.port)/")
    let error = await failure { try await transport.send(request) }
    #expect(error?.kind == .offline)
    #expect(error?.message.contains("secure connection") == true)
  }

  @Test func aBodyThatBreaksOffIsInvalid() async throws {
    let server = LoopbackServer { _ in
      LoopbackResponse(200, body: Array("[1,2,3]".utf8), ending: .after(bodyBytes: 3))
    }
    let request = try get(server.url)
    let error = await failure { try await transport.send(request) }
    #expect(error?.kind == .invalidResponse)
    #expect(error?.status == 200)
  }

  @Test func noAnswerAtAllIsOffline() async throws {
    let server = LoopbackServer { _ in LoopbackResponse(200, body: [], ending: .nothing) }
    let request = try get(server.url)
    #expect(await failure { try await transport.send(request) }?.kind == .offline)
  }

  @Test func anAnswerThatIsTooLargeEnds() async throws {
    let body = [UInt8](repeating: 0x20, count: CurlTransport.bodyBytesMax + 1)
    let server = LoopbackServer { _ in LoopbackResponse(200, body: body) }
    let error = await failure { try await CurlTransport().send(get(server.url)) }
    #expect(error?.kind == .invalidResponse)
    #expect(error?.message.contains("is too large") == true)
  }

  @Test func headersThatAreTooLargeEndTheAnswer() async throws {
    let value = String(repeating: "a", count: 1_000)
    let headers = (0..<70).map { ("X-\($0)", value) }
    let server = LoopbackServer { _ in LoopbackResponse(200, headers: headers) }
    let error = await failure { try await CurlTransport().send(get(server.url)) }
    #expect(error?.kind == .invalidResponse)
    #expect(error?.message.contains("is too large") == true)
  }

  @Test func headersAreReadLineByLine() async throws {
    let server = LoopbackServer { _ in
      LoopbackResponse(200, headers: [("A", " b: c \t"), ("Empty", ""), ("Text", "ä\u{2028}x: y")])
    }
    let response = try await CurlTransport().send(get(server.url))
    #expect(response.value(of: "a") == "b: c")
    #expect(response.value(of: "Empty") == "")
    #expect(response.value(of: "text") == "ä\u{2028}x: y")
    #expect(response.headers.map(\.name).sorted() == ["A", "Content-Length", "Empty", "Text"])
  }

  @Test func answerThatDripsTooLongTimesOut() async throws {
    let gate = Gate()
    defer { gate.open() }
    let server = LoopbackServer { _ in LoopbackResponse(200, body: [], gate: gate) }
    var timeouts = RequestTimeouts.standard
    // Whatever arrives meanwhile, the whole has its own end.
    (timeouts.idleMilliseconds, timeouts.totalMilliseconds) = (3_600_000, 50)
    let transport = CurlTransport(timeouts: timeouts)
    let request = try get(server.url)
    #expect(await failure { try await transport.send(request) }?.kind == .timeout)
  }

  @Test func silenceIsATimeout() async throws {
    let gate = Gate()
    defer { gate.open() }
    let server = LoopbackServer { _ in LoopbackResponse(200, body: [], gate: gate) }
    var timeouts = RequestTimeouts.standard
    timeouts.idleMilliseconds = 50
    let transport = CurlTransport(timeouts: timeouts)
    let request = try get(server.url)
    #expect(await failure { try await transport.send(request) }?.kind == .timeout)
  }

  @Test(.timeLimit(.minutes(30))) func cancellingEndsTheRequestAtOnce() async throws {
    let gate = Gate()
    let (asked, isAsked) = AsyncStream<Void>.makeStream()
    let server = LoopbackServer { _ in
      isAsked.yield()
      return LoopbackResponse(200, body: [], gate: gate)
    }
    let request = try get(server.url)
    let task = Task { await failure { try await transport.send(request) } }
    // The request is in flight, and the server will not answer it.
    for await _ in asked { break }
    task.cancel()
    #expect(await task.value?.message == "The request was cancelled.")
    gate.open()
    // The transport is as good as new.
    #expect(try await transport.send(get(server.url)).status == 200)
  }

  @Test(.timeLimit(.minutes(30))) func cancellingFreesTheThread() async throws {
    let gate = Gate()
    defer { gate.open() }
    let (asked, isAsked) = AsyncStream<Void>.makeStream()
    let server = LoopbackServer { _ in
      isAsked.yield()
      return LoopbackResponse(200, body: [], gate: gate)
    }
    let request = try get(server.url)
    let session = try #require(CurlSession())
    let task = Task {
      await failure {
        try await Offload.thread.run { () throws(TodoError) in
          try session.perform(request, timeouts: .standard, certificates: nil)
        }
      }
    }
    for await _ in asked { break }
    session.cancel()
    #expect(await task.value?.message == "The request was cancelled.")
  }

  @Test func aTaskThatIsCancelledAsksNothing() async throws {
    let server = LoopbackServer { _ in LoopbackResponse(200) }
    let request = try get(server.url)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await failure { try await transport.send(request) }
    }
    #expect(await task.value?.kind == .offline)
    #expect(server.requests.isEmpty)
  }

  @Test func manyAtOnceAreAllAnswered() async throws {
    let server = LoopbackServer { LoopbackResponse(200, body: $0.path) }
    let url = server.url
    let answers = try await withThrowingTaskGroup(of: String.self) { group in
      for index in 0..<50 {
        group.addTask {
          let response = try await transport.send(get("\(url)/\(index)"))
          return String(decoding: response.body, as: UTF8.self)
        }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(answers.count == 50)
  }

  @Test func aHeaderCannotSmuggleALine() async throws {
    let server = LoopbackServer { _ in LoopbackResponse(200) }
    var request = try get(server.url)
    request.headers = [HTTPHeader("X", "1\r\nY: 2")]
    let bad = request
    #expect(await failure { try await transport.send(bad) } != nil)
    #expect(server.requests.isEmpty)
  }
}
