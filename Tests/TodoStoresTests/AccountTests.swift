import JSONRPC
import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase
@testable import TodoAccounts
@testable import TodoDatabase
@testable import TodoRemotes
@testable import TodoStores

@Suite struct AccountTests {
  let folder = TemporaryFolder()
  let password = "correct horse"

  private func accounts(offload: Offload = .thread) throws -> EmbeddedAccounts {
    var environment = Environment.counting()
    environment.offload = offload
    let path = folder.path("todos.sqlite")
    let database = try Database(at: .file(path), schema: .todos, now: environment.now)
    return EmbeddedAccounts(database: database, environment: environment)
  }

  @Test(arguments: [Offload.thread, .inline])
  func onlyTheRightPasswordIsLetIn(_ offload: Offload) async throws {
    let accounts = try accounts(offload: offload)
    let token = try await accounts.register(username: "ann", password: Secret(password))
    #expect(token.revealed.utf8.count == 64)
    try await accounts.authenticate(name: "ann", password: Secret(password))
    for wrong in ["correct hors", "correct horsf", "correct horse\u{0}", "", "Correct horse"] {
      let error = await failure {
        try await accounts.authenticate(name: "ann", password: Secret(wrong))
      }
      #expect(error == .invalidCredentials)
    }
    let error = await failure { try await accounts.authenticate(name: "ann", password: nil) }
    #expect(error == .invalidCredentials)
  }

  @Test func aNameThatWasRegisteredAtAServiceNeedsItsPasswordHere() async throws {
    let server = LoopbackServer { _ in .json(#"{"token": "abc"}"#, status: 201) }
    let own = try accounts()
    let service = ServiceAccounts(
      try HTTPRegister(url: server.url + "/register", transport: CurlTransport()), beside: own)
    let token = try await service.register(username: "annabella", password: Secret(password))
    #expect(token.revealed == "abc")
    try await own.authenticate(name: "annabella", password: Secret(password))
    #expect(
      await failure { try await own.authenticate(name: "annabella", password: nil) }
        == .invalidCredentials)
    // The service is not asked for a name that is taken here.
    let again = await failure {
      try await service.register(username: "annabella", password: Secret("another password"))
    }
    #expect(again?.kind == .registrationFailed)
    #expect(server.requests.count == 1)
  }

  @Test func aNameWithoutAnAccountIsFree() async throws {
    let accounts = try accounts()
    try await accounts.authenticate(name: "bob", password: nil)
    try await accounts.authenticate(name: "bob", password: Secret("x"))
  }

  @Test func aNameIsTakenOnce() async throws {
    let accounts = try accounts()
    let one = try await accounts.register(username: "ann", password: Secret(password))
    let error = await failure {
      try await accounts.register(username: "ann", password: Secret("another password"))
    }
    #expect(error == TodoError(.registrationFailed, "That name is taken."))
    try await accounts.authenticate(name: "ann", password: Secret(password))
    let two = try await accounts.register(username: "bob", password: Secret(password))
    #expect(one != two)
  }

  @Test func ofManyAtOnceOneGetsTheName() async throws {
    let accounts = try accounts()
    let kinds = await withTaskGroup(of: ErrorKind?.self) { group in
      for index in 0..<6 {
        group.addTask {
          await failure {
            try await accounts.register(username: "ann", password: Secret("password \(index)"))
          }?.kind
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(kinds.count { $0 == nil } == 1)
    #expect(kinds.count { $0 == .registrationFailed } == 5)
  }

  @Test(arguments: [String(repeating: "x", count: 512), "nul\u{0}byte"])
  func aPasswordThatCannotBeHashedIsRefused(_ password: String) async throws {
    let accounts = try accounts()
    let error = await failure {
      try await accounts.register(username: "ann", password: Secret(password))
    }
    #expect(error?.kind == .validation)
    #expect(error?.fields.map(\.field) == ["password"])
    #expect(error?.message.contains(password) == false)
  }

  @Test func theLongestPasswordCounts() async throws {
    let accounts = try accounts()
    let long = String(repeating: "x", count: PasswordHash.passwordBytesMax)
    _ = try await accounts.register(username: "ann", password: Secret(long))
    try await accounts.authenticate(name: "ann", password: Secret(long))
    let short = Secret(String(long.dropLast()))
    let error = await failure { try await accounts.authenticate(name: "ann", password: short) }
    #expect(error == .invalidCredentials)
  }

  @Test func thePasswordIsKeptAsAHashOnly() async throws {
    let accounts = try accounts()
    let token = try await accounts.register(username: "ann", password: Secret(password))
    let store = try SQLiteStore(
      at: .file(folder.path("todos.sqlite")), environment: .counting())
    let hashes = try store.withConnection { connection throws(TodoError) in
      try connection.texts("SELECT password_hash FROM account")
    }
    #expect(hashes.count == 1 && hashes[0].hasPrefix("$y$"))
    for suffix in ["", "-wal"] {
      let bytes = try #require(RecordedAnswer.bytes(of: folder.path("todos.sqlite" + suffix)))
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(!text.contains(password))
      #expect(!text.contains(token.revealed))
    }
  }
}

@Suite struct HTTPRegisterTests {
  let password = "s3cret passw0rd"

  private func register(
    at url: String, _ transport: any HTTPTransport = CurlTransport()
  ) async throws -> Secret {
    let service = try HTTPRegister(url: url, transport: transport)
    return try await service.register(username: "ann", password: Secret(password))
  }

  @Test func sendsBothAndReadsTheToken() async throws {
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
  func anAnswerWithoutATokenIsInvalid(body: String) async throws {
    let server = LoopbackServer { _ in .json(body) }
    let error = await failure { try await register(at: server.url) }
    #expect(error == TodoError(.registrationFailed, "Invalid token"))
  }

  @Test(arguments: [
    (#"a\u0007b"#, "it has control characters"), (#"a\r\nb"#, "it has control characters"),
    (String(repeating: "x", count: 8_193), "it has more than 8192 bytes"),
    (String(repeating: "x", count: 40 << 20), "it has more than 8192 bytes"),
  ])
  func aTokenThatCannotBeKeptIsInvalid(token: String, problem: String) async throws {
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
  func theServicesOwnReasonIsPassedOn(status: Int, body: String, message: String) async throws {
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
  func aPasswordDoesNotTravelInTheClear(url: String) async throws {
    let error = await failure { try await register(at: url, NoTransport()) }
    #expect(error?.kind == .insecureURL)
  }

  @Test func aConnectionThatFailsKeepsItsKind() async throws {
    let closed = LoopbackSocket()
    defer { withExtendedLifetime(closed) {} }
    let url = "http://127.0.0.1:\(closed.port)/"
    #expect(await failure { try await register(at: url) }?.kind == .offline)
  }

  @Test func aPasswordIsInNoError() async throws {
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
