import SQLiteDatabase
import Synchronization
import TestSupport
import Testing
import TodoModel

@testable import TodoAccounts

/// Guessing a password is slow, even across restarts, and does not delay the logins of other
/// accounts.
@Suite struct PasswordAttemptsTests {
  let folder = TemporaryFolder()
  let right = Secret("correct horse")
  let wrong = Secret("wrong horse")

  /// A clock that each wait advances, and a record of the waits.
  private final class Waits: Sendable {
    let now = Mutex<Int64>(1_700_000_000_000)
    let milliseconds = Mutex<[Int64]>([])

    func wait(_ count: Int64) {
      now.withLock { $0 += count }
      milliseconds.withLock { $0.append(count) }
    }

    func drain() -> [Int64] {
      milliseconds.withLock { waits in
        defer { waits = [] }
        return waits
      }
    }
  }

  private let waits = Waits()

  private func accounts() throws -> EmbeddedAccounts {
    let environment = Environment(
      now: { [waits] in Timestamp(milliseconds: waits.now.withLock { $0 }) },
      newID: { TodoID("t") }, offload: .thread)
    let database = try Database(
      at: .file(folder.path("todos.sqlite")), schema: .accounts, now: environment.now)
    return EmbeddedAccounts(
      database: database, environment: environment, wait: { [waits] in waits.wait($0) })
  }

  private func guess(_ accounts: EmbeddedAccounts, _ count: Int) async {
    for _ in 0..<count {
      let error = await failure {
        try await accounts.authenticate(name: "ann", password: wrong)
      }
      #expect(error == .invalidCredentials)
    }
  }

  @Test func delayGrowsAfterFiveWrongPasswords() async throws {
    let accounts = try accounts()
    _ = try await accounts.register(username: "ann", password: right)
    await guess(accounts, 5)
    #expect(waits.drain() == [])
    await guess(accounts, 8)
    #expect(waits.drain() == [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
  }

  @Test func delayIsResetByTheRightPasswordAndNotByARestart() async throws {
    let before = try accounts()
    _ = try await before.register(username: "ann", password: right)
    await guess(before, 6)
    #expect(waits.drain() == [1_000])
    let after = try accounts()
    await guess(after, 1)
    #expect(waits.drain() == [2_000])
    try await after.authenticate(name: "ann", password: right)
    #expect(waits.drain() == [4_000])
    await guess(before, 5)
    try await before.authenticate(name: "ann", password: right)
    #expect(waits.drain() == [1_000])
  }

  @Test func otherNamesAndAMissingPasswordDoNotWait() async throws {
    let accounts = try accounts()
    for name in ["ann", "bob"] {
      _ = try await accounts.register(username: name, password: right)
    }
    await guess(accounts, 6)
    _ = waits.drain()
    try await accounts.authenticate(name: "bob", password: right)
    try await accounts.authenticate(name: "carl", password: wrong)
    for _ in 0..<10 {
      let error = await failure { try await accounts.authenticate(name: "ann", password: nil) }
      #expect(error == .invalidCredentials)
    }
    #expect(waits.drain() == [])
    await guess(accounts, 1)
    #expect(waits.drain() == [2_000])
  }

  @Test func parallelAttemptsWaitOneAfterTheOther() throws {
    var attempts = PasswordAttempts(wrongCount: 5, waitingUntil: Timestamp(milliseconds: 0))
    let now = Timestamp(milliseconds: 1_000_000)
    #expect(try attempts.begin(at: now) == 1_000)
    #expect(try attempts.begin(at: now) == 3_000)
    #expect(try attempts.begin(at: now) == 7_000)
    #expect(try attempts.begin(at: now) == 15_000)
    let before = attempts
    let error = #expect(throws: TodoError.self) { try attempts.begin(at: now) }
    #expect(error?.kind == .rateLimited)
    #expect(error?.retryAt == Timestamp(milliseconds: 1_015_000))
    #expect(error?.message.contains("15 s") == true)
    #expect(attempts == before)
    // Setting the clock back locks no account.
    #expect(try attempts.begin(at: Timestamp(milliseconds: 0)) == 16_000)
  }

  @Test func changingThePasswordNeedsTheOldOne() async throws {
    let accounts = try accounts()
    _ = try await accounts.register(username: "ann", password: right)
    let new = Secret("battery staple")
    let refused = await failure {
      try await accounts.changePassword(of: "ann", from: wrong, to: new)
    }
    #expect(refused == .invalidCredentials)
    let short = await failure {
      try await accounts.changePassword(of: "ann", from: right, to: Secret("1234567"))
    }
    #expect(short?.kind == .validation)
    let missing = await failure {
      try await accounts.changePassword(of: "bob", from: right, to: new)
    }
    #expect(missing?.kind == .notFound)
    try await accounts.authenticate(name: "ann", password: right)
    try await accounts.changePassword(of: "ann", from: right, to: new)
    try await accounts.authenticate(name: "ann", password: new)
    let old = await failure { try await accounts.authenticate(name: "ann", password: right) }
    #expect(old == .invalidCredentials)
  }

  /// Checking the decoy (the hash for a missing account) must cost as much as checking a real hash.
  /// Otherwise, the time of the response would reveal whether the account exists. The cost depends
  /// on the settings, and on whether the hash is computed to its end.
  @Test func checkOfAMissingAccountTakesAsLong() throws {
    func settings(_ hash: PasswordHash) -> [Substring] {
      hash.text.split(separator: "$").prefix(2).map { $0 }
    }
    let real = try PasswordHash(hashing: right)
    let worked = try #require(PasswordHash.decoy.rehash(wrong))
    #expect(settings(worked) == settings(real))
    #expect(worked.text.utf8.count == real.text.utf8.count)
    #expect(!PasswordHash.decoy.matches(right))
  }

  private static let extremes: [Int64] = [.min, .min + 1, -1, 0, .max - 1, .max]

  @Test(arguments: extremes, extremes)
  func waitsAreLimitedForAnyStoredCount(wrongCount: Int64, waitingUntil: Int64) {
    for now in Self.extremes.dropFirst(2).dropLast(2) + [1_700_000_000_000] {
      var attempts = PasswordAttempts(
        wrongCount: wrongCount, waitingUntil: Timestamp(milliseconds: waitingUntil))
      for _ in 0..<7 {
        guard let wait = try? attempts.begin(at: Timestamp(milliseconds: now)) else { break }
        #expect((0...PasswordAttempts.waitMillisecondsMax).contains(wait))
      }
    }
  }

  @Test(arguments: ["created_at", "wrong_count", "waiting_until"])
  func loginHandlesAnyIntegersInTheFile(column: String) async throws {
    let database = try Database(at: .memory, schema: .accounts, now: { .now })
    let accounts = EmbeddedAccounts(
      database: database, environment: .counting(), wait: { _ in })
    _ = try await accounts.register(username: "ann", password: right)
    for extreme in Self.extremes {
      try database.change { connection throws(TodoError) in
        try connection.execute("UPDATE account SET wrong_count = 5, waiting_until = 0")
        try connection.execute("UPDATE account SET \(column) = \(extreme)")
      }
      #expect(
        await failure { try await accounts.authenticate(name: "ann", password: wrong) } != nil)
    }
  }
}
