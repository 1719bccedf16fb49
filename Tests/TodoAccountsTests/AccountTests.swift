import SQLiteDatabase
import TestSupport
import Testing
import TodoModel
import TodoRemotes

@testable import TodoAccounts

@Suite struct AccountTests {
  let folder = TemporaryFolder()
  let password = "correct horse"

  private func accounts(offload: Offload = .thread) throws -> EmbeddedAccounts {
    var environment = Environment.counting()
    environment.offload = offload
    let path = folder.path("todos.sqlite")
    let database = try Database(at: .file(path), schema: .accounts, now: environment.now)
    return EmbeddedAccounts(database: database, environment: environment)
  }

  @Test(arguments: [Offload.thread, .inline])
  func onlyTheRightPasswordIsAccepted(_ offload: Offload) async throws {
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

  @Test func nameRegisteredAtAServiceNeedsItsPasswordLocally() async throws {
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
    // A name that is taken locally is not sent to the service.
    let again = await failure {
      try await service.register(username: "annabella", password: Secret("another password"))
    }
    #expect(again?.kind == .registrationFailed)
    #expect(server.requests.count == 1)
  }

  @Test func nameWithoutAnAccountNeedsNoPassword() async throws {
    let accounts = try accounts()
    try await accounts.authenticate(name: "bob", password: nil)
    try await accounts.authenticate(name: "bob", password: Secret("x"))
  }

  @Test func takenNameIsRefused() async throws {
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

  @Test func oneOfManyParallelRegistrationsGetsTheName() async throws {
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
  func passwordThatCannotBeHashedIsRefused(_ password: String) async throws {
    let accounts = try accounts()
    let error = await failure {
      try await accounts.register(username: "ann", password: Secret(password))
    }
    #expect(error?.kind == .validation)
    #expect(error?.fields.map(\.field) == ["password"])
    #expect(error?.message.contains(password) == false)
  }

  @Test func everyByteOfTheLongestPasswordCounts() async throws {
    let accounts = try accounts()
    let long = String(repeating: "x", count: PasswordHash.passwordBytesMax)
    _ = try await accounts.register(username: "ann", password: Secret(long))
    try await accounts.authenticate(name: "ann", password: Secret(long))
    let short = Secret(String(long.dropLast()))
    let error = await failure { try await accounts.authenticate(name: "ann", password: short) }
    #expect(error == .invalidCredentials)
  }

  @Test func onlyAHashOfThePasswordIsStored() async throws {
    let accounts = try accounts()
    let token = try await accounts.register(username: "ann", password: Secret(password))
    let path = folder.path("todos.sqlite")
    let database = try Database(at: .file(path), schema: .accounts, now: { .now })
    let hashes = try database.read { connection throws(TodoError) in
      try Statement("SELECT password_hash FROM account", on: connection)
        .all { row in row.text(0) }
    }
    #expect(hashes.count == 1 && hashes[0].hasPrefix("$y$"))
    for suffix in ["", "-wal"] {
      let bytes = try #require(RecordedResponse.bytes(of: path + suffix))
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(!text.contains(password))
      #expect(!text.contains(token.revealed))
    }
  }
}

extension Schema {
  /// A schema with only the table of accounts.
  static let accounts = Schema(
    applicationID: 0x746F_646F, version: 8, versionMin: 8, parts: [AccountSchema()])
}
