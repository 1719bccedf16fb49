import Synchronization
import TestSupport
import Testing
import TodoModel

@testable import TodoDatabase
@testable import TodoStores

/// Several servers on one file.
@Suite struct SharedFileTests {
  let folder = TemporaryFolder()
  let list = TodoListKey.local

  private func open() throws -> SQLiteStore {
    try SQLiteStore(
      at: .file(folder.path("todos.sqlite")),
      environment: .counting(idsFrom: Int64.random(in: 1...Int64.max / 2)))
  }

  @Test(.timeLimit(.minutes(30)))
  func whatOthersChangeIsReported() async throws {
    let (mine, theirs) = (try open(), try open())
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
    let watch = Task {
      await mine.watchChanges { continuation.yield() }
      continuation.finish()
    }
    var iterator = changes.makeAsyncIterator()
    for round in 1...5 {
      _ = try theirs.add(TodoDraft(title: "\(round)"), to: list)
      var seen = 0
      while seen < round {
        await iterator.next()
        seen = try mine.rows(TodoQuery(), in: list).total
      }
    }
    watch.cancel()
    while await iterator.next() != nil {}
  }

  @Test(.timeLimit(.minutes(30)))
  func whatChangedBeforeWatchingIsReported() async throws {
    let (mine, theirs) = (try open(), try open())
    _ = try theirs.add(TodoDraft(title: "t"), to: list)
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
    for index in 0..<20 { _ = try mine.add(TodoDraft(title: "\(index)"), to: list) }
    _ = try theirs.add(TodoDraft(title: "theirs"), to: list)
    var iterator = changes.makeAsyncIterator()
    await iterator.next()
    #expect(reports.withLock { $0 } == 1)
    watch.cancel()
    await watch.value
  }

  @Test(.timeLimit(.minutes(30)))
  func aListInMemoryHasNobodyToWatch() async throws {
    let store = try SQLiteStore(at: .memory, environment: .counting())
    await confirmation(expectedCount: 0) { reported in await store.watchChanges { reported() } }
  }

  @Test func aReadDoesNotWaitForAChange() throws {
    let (mine, theirs) = (try open(), try open())
    let todo = try mine.add(TodoDraft(title: "before"), to: list)
    try theirs.withConnection { connection throws(TodoError) in
      try connection.change { () throws(TodoError) in
        // Neither for another server's change nor for one of this very store.
        try mine.withConnection { _ throws(TodoError) in
          #expect(try mine.todo(todo.id, in: list).content.title == "before")
          #expect(try mine.rows(TodoQuery(), in: list).total == 1)
        }
      }
    }
  }
}
