import JSONRPC
import TestSupport
import Testing
import TodoModel
import TodoRemotes

@testable import TodoAccounts

@Suite struct HTTPRegisterTests {
  let password = "s3cret passw0rd"

  private func register(
    at url: String, _ transport: any HTTPTransport = CurlTransport()
  ) async throws -> Secret {
    let service = try HTTPRegister(url: url, transport: transport)
    return try await service.register(username: "ann", password: Secret(password))
  }

  @Test func nameAndPasswordAreSentAndTheTokenIsReturned() async throws {
    let server = LoopbackServer { _ in .json(#"{"token": "abc", "more": 1}"#, status: 201) }
    #expect(try await register(at: server.url + "/v1/register").revealed == "abc")
    let request = try #require(server.requests.first)
    #expect(request.method == "POST")
    #expect(request.path == "/v1/register")
    #expect(request["content-type"] == "application/json")
    #expect(
      try JSON(parsing: request.body) == ["username": "ann", "password": .string(password)])
  }

  @Test(arguments: [
    "{}", #"{"token": ""}"#, #"{"token": 5}"#, #"{"token": null}"#, "[]", "", "token",
    #"{"token": "abc""#,
  ])
  func responseWithoutATokenIsInvalid(body: String) async throws {
    let server = LoopbackServer { _ in .json(body) }
    let error = await failure { try await register(at: server.url) }
    #expect(error == TodoError(.registrationFailed, "Invalid token"))
  }

  @Test(arguments: [
    (#"a\u0007b"#, "it has control characters"), (#"a\r\nb"#, "it has control characters"),
    (String(repeating: "x", count: 8_193), "it has more than 8192 bytes"),
    (String(repeating: "x", count: 1 << 20), "it has more than 8192 bytes"),
  ])
  func tokenThatCannotBeStoredIsInvalid(token: String, problem: String) async throws {
    let server = LoopbackServer { _ in .json(#"{"token": "\#(token)"}"#) }
    let error = await failure { try await register(at: server.url) }
    #expect(error == TodoError(.registrationFailed, "Invalid token: \(problem)."))
  }

  @Test(arguments: [
    (409, #"{"message": "Name in use"}"#, "Name in use"),
    (400, #"{"error": "No digits"}"#, "No digits"), (403, #"{"reason": "Closed"}"#, "Closed"),
    (500, "<html>", "The service answered with status 500."),
    (418, #"{"message": 5, "error": ""}"#, "The service answered with status 418."),
    (302, "", "The service answered with status 302."),
  ])
  func reasonOfTheServiceIsReported(status: Int, body: String, message: String) async throws {
    let server = LoopbackServer { _ in
      .json(body, status: status, headers: [("Location", "/elsewhere")])
    }
    let error = await failure { try await register(at: server.url) }
    #expect(error == TodoError(.registrationFailed, message))
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [
    "http://example.org/register", "http://127.0.0.1.example.org/", "http://10.0.0.1/",
  ])
  func passwordIsNotSentUnencrypted(url: String) async throws {
    let error = await failure { try await register(at: url, NoTransport()) }
    #expect(error?.kind == .insecureURL)
  }

  @Test func connectionErrorKeepsItsKind() async throws {
    let closed = LoopbackSocket()
    defer { withExtendedLifetime(closed) {} }
    let url = "http://127.0.0.1:\(closed.port)/"
    #expect(await failure { try await register(at: url) }?.kind == .offline)
  }

  @Test func passwordIsNotInAnyError() async throws {
    let server = LoopbackServer {
      .json(#"{"message": "No: \#($0.bodyText.filter { $0 != "\"" })"}"#, status: 400)
    }
    let error = try #require(await failure { try await register(at: server.url) })
    var dumped = ""
    dump(error, to: &dumped)
    for text in [error.message, "\(error)", dumped] { #expect(!text.contains(password)) }
    #expect(error.message.contains("<secret>"))
  }
}

/// A transport that fails the test if a request is sent.
private struct NoTransport: HTTPTransport {
  func send(_ request: HTTPRequest) async throws(TodoError) -> HTTPResponse {
    Testing.Issue.record("A request was sent.")
    throw TodoError(.offline, "A request was sent.")
  }
}
