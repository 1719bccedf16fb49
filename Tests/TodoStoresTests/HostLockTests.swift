import Synchronization
import System
import TestSupport
import Testing
import TodoModel
import TodoRemotes

@testable import TodoStores

/// Tests that a host receives only one request at a time, even from several servers.
@Suite struct HostLockTests {
  private let folder = TemporaryFolder()

  private var store: String { folder.path("todos.sqlite") }

  @Test func otherServerWaitsForTheSameHostOnly() async {
    let first = HostRequestQueue(locks: HostLockFile(beside: store))
    await first.acquire("https://api.github.com")
    // It waits until the first server releases the lock, so its second attempt is later.
    let looks = Mutex(0)
    let second = HostRequestQueue(locks: HostLockFile(beside: store)) { _ in
      let count = looks.withLock { looks in
        looks += 1
        return looks
      }
      if count == 2 { first.release("https://api.github.com") }
    }
    await second.acquire("https://git.example.org")
    #expect(looks.withLock { $0 } == 0)
    await second.acquire("https://api.github.com")
    #expect(looks.withLock { $0 } == 2)
  }

  @Test func closedLockFileHoldsNoLock() async {
    let gone = HostLockFile(beside: store)
    withExtendedLifetime(consume gone) { gone in
      #expect(gone.tryLock("a"))
      #expect(!HostLockFile(beside: store).tryLock("a"))
    }
    #expect(HostLockFile(beside: store).tryLock("a"))
  }

  @Test func withoutALockFileAServerWaitsOnlyForItself() {
    let nowhere = HostLockFile(beside: folder.path("missing/todos.sqlite"))
    #expect(nowhere.tryLock("a"))
    nowhere.unlock("a")
  }

  @Test func stoppedServerDelaysRequestsForALimitedTime() async {
    let stopped = HostLockFile(beside: store)
    #expect(stopped.tryLock("a"))
    let waited = Mutex<Int64>(0)
    let turns = HostRequestQueue(locks: HostLockFile(beside: store)) { duration in
      waited.withLock { $0 += duration }
    }
    await turns.acquire("a")
    #expect(waited.withLock { $0 } == HostRequestQueue.lockMillisecondsMax)
    // After one timeout it does not wait again, until the other server has released its lock.
    turns.release("a")
    await turns.acquire("a")
    #expect(waited.withLock { $0 } == HostRequestQueue.lockMillisecondsMax)
    turns.release("a")
    stopped.unlock("a")
    await turns.acquire("a")
    turns.release("a")
    #expect(stopped.tryLock("a"))
    await turns.acquire("a")
    #expect(waited.withLock { $0 } == 2 * HostRequestQueue.lockMillisecondsMax)
    withExtendedLifetime(stopped) {}
  }

  @Test func cancelledTaskDoesNotWaitForALock() async {
    let holder = HostLockFile(beside: store)
    #expect(holder.tryLock("a"))
    let turns = HostRequestQueue(locks: HostLockFile(beside: store)) { _ in }
    let task = Task { await turns.acquire("a") }
    task.cancel()
    await task.value
    withExtendedLifetime(holder) {}
  }

  @Test func lockFileThatOthersMayWriteIsRefused() throws {
    let locks = store + "-hosts"
    func start() throws {
      var options = ServerOptions()
      options.store = .sqlite(path: store)
      _ = try TodoServices.open(
        options, dataFolder: nil, token: nil, transport: CurlTransport(), environment: .counting())
    }
    try start()
    close(creat(locks, 0o600))
    chmod(locks, 0o666)
    let error = #expect(throws: TodoError.self) { try start() }
    #expect(error?.kind == .storage && error?.message.hasSuffix("chmod go-w \(locks)") == true)
    chmod(locks, 0o600)
    if geteuid() == 0 {
      chown(locks, 65_534, 65_534)
      let error = #expect(throws: TodoError.self) { try start() }
      #expect(error?.message.hasSuffix("chown 0 \(locks)") == true)
      chown(locks, 0, 0)
    }
    try start()
  }
}
