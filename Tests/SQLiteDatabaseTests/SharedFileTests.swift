import Synchronization
import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase

/// Tests several servers that share a file.
@Suite struct SharedFileTests {
  let folder = TemporaryFolder()

  private func open() throws -> Database {
    try Database(ofNotesAt: folder.path("todos.sqlite"))
  }

  @Test(.timeLimit(.minutes(30)))
  func changesOfOtherServersAreReported() async throws {
    let (mine, theirs) = (try open(), try open())
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
    let watch = Task {
      await mine.watchChanges { continuation.yield() }
      continuation.finish()
    }
    var iterator = changes.makeAsyncIterator()
    for round in 1...5 {
      try theirs.add("\(round)")
      var seen = 0
      while seen < round {
        await iterator.next()
        seen = try mine.notes.count
      }
    }
    watch.cancel()
    while await iterator.next() != nil {}
  }

  @Test(.timeLimit(.minutes(30)))
  func changeBeforeWatchingIsReported() async throws {
    let (mine, theirs) = (try open(), try open())
    try theirs.add("t")
    await confirmation { reported in
      let watch = Mutex<Task<Void, Never>?>(nil)
      let (started, continuation) = AsyncStream.makeStream(of: Void.self)
      let task = Task {
        await mine.watchChanges {
          reported()
          continuation.finish()
        }
      }
      watch.withLock { $0 = task }
      for await _ in started {}
      task.cancel()
      await task.value
    }
  }

  @Test(.timeLimit(.minutes(30)))
  func ownChangesAreNotReported() async throws {
    let (mine, theirs) = (try open(), try open())
    let reports = Mutex(0)
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
    let watch = Task {
      await mine.watchChanges {
        reports.withLock { $0 += 1 }
        continuation.yield()
      }
    }
    for index in 0..<20 { try mine.add("\(index)") }
    try theirs.add("theirs")
    var iterator = changes.makeAsyncIterator()
    await iterator.next()
    #expect(reports.withLock { $0 } == 1)
    watch.cancel()
    await watch.value
  }

  @Test(.timeLimit(.minutes(30)))
  func watchOfDatabaseInMemoryReturnsImmediately() async throws {
    let store = try Database(at: .memory, schema: .notes, now: { .now })
    await confirmation(expectedCount: 0) { reported in await store.watchChanges { reported() } }
  }

  @Test func readDoesNotWaitForAChange() throws {
    let (mine, theirs) = (try open(), try open())
    try mine.add("before")
    try theirs.change { _ throws(TodoError) in
      // Neither for a change of another server nor for one of this database.
      try mine.withWriter { _ throws(TodoError) in
        #expect(try mine.notes == ["before"])
      }
    }
  }

  #if canImport(Glibc)
    /// `FileWatch.wait` returns `.write` only after `startNotifications`. A short-lived process
    /// does not call `startNotifications`, because the kernel takes long to end notifications.
    @Test func writeEndsAWaitOnlyAfterNotificationsAreStarted() throws {
      let theirs = try open()
      try theirs.add("a")
      let watch = try #require(FileWatch(path: folder.path("todos.sqlite-wal")))
      try theirs.add("b")
      #expect(watch.wait(milliseconds: 0) == .time)
      watch.startNotifications()
      #expect(watch.wait(milliseconds: 0) == .time)
      try theirs.add("c")
      #expect(watch.wait(milliseconds: 0) == .write)
      #expect(watch.wait(milliseconds: 0) == .time)
      watch.stop()
      #expect(watch.wait(milliseconds: nil) == .stopped)
    }
  #endif
}
