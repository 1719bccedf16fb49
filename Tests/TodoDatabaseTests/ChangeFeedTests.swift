import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase
@testable import TodoDatabase

/// Tests the log of changes for clients that watch it.
@Suite struct ChangeFeedTests {
  private let folder = TemporaryFolder()

  private func open(idsFrom first: Int64 = 1) throws -> SQLiteStore {
    try SQLiteStore(
      at: .file(folder.path("todos.sqlite")), environment: .counting(idsFrom: first))
  }

  @Test func changesOfAllStoresAreInTheOrderInWhichTheyWereStored() throws {
    let (mine, theirs) = (try open(), try open(idsFrom: 1_000))
    let id = try mine.add(NewTodo(title: "a"), to: .local).id
    let start = try mine.endPosition()
    for number in 2...4 {
      _ = try theirs.edit(id, TodoEdit(title: "\(number)"), in: .local)
      _ = try mine.edit(id, TodoEdit(isDone: number.isMultiple(of: 2)), in: .local)
    }
    try theirs.remove(id, expectedVersion: nil, in: .local)
    _ = try theirs.undo(in: .local)
    try mine.mergeRemote([.sample(1)], to: .source)
    let changes = try mine.changes(after: start, limit: 100)
    #expect(changes.dropLast().map(\.version) == Array(2...9))
    #expect(
      changes.map(\.kind) == [.edit, .done, .edit, .done, .edit, .done, .remove, .restore, .add])
    #expect(changes.map(\.list) == Array(repeating: .local, count: 8) + [.source])
    #expect(changes.last?.author == .source)
    #expect(changes.map(\.position) == Array((start + 1)...(start + 9)))
    let rest = try theirs.changes(after: changes[3].position, limit: 2)
    #expect(rest == Array(changes[4...5]))
  }

  @Test(.timeLimit(.minutes(30)))
  func changeBetweenTheAnswerAndTheWatchIsReported() async throws {
    let (mine, theirs) = (try open(), try open(idsFrom: 1_000))
    let start = try mine.endPosition()
    _ = try theirs.add(NewTodo(title: "a"), to: .local)
    let (reports, continuation) = AsyncStream.makeStream(of: Void.self)
    let watch = Task {
      await mine.watchLog(after: start) { continuation.yield() }
      continuation.finish()
    }
    var iterator = reports.makeAsyncIterator()
    await iterator.next()
    watch.cancel()
    while await iterator.next() != nil {}
  }

  @Test(.timeLimit(.minutes(30)))
  func ownAndOtherChangesAreReportedWhileOneWatches() async throws {
    let (mine, theirs) = (try open(), try open(idsFrom: 1_000))
    let start = try mine.endPosition()
    let (reports, continuation) = AsyncStream.makeStream(of: Void.self)
    let watch = Task {
      await mine.watchLog(after: start) { continuation.yield() }
      continuation.finish()
    }
    var iterator = reports.makeAsyncIterator()
    for (round, store) in [mine, theirs, mine, theirs].enumerated() {
      _ = try store.add(NewTodo(title: "a"), to: .local)
      while try mine.changes(after: start, limit: 100).count <= round { await iterator.next() }
      await iterator.next()
    }
    watch.cancel()
    while await iterator.next() != nil {}
  }

  @Test(.timeLimit(.minutes(30)))
  func twoWatchesOfChangesByOthersBothReportThem() async throws {
    let (mine, theirs) = (try open(), try open(idsFrom: 1_000))
    let (reports, continuation) = AsyncStream.makeStream(of: Int.self)
    let watches = (0..<2).map { number in
      Task { await mine.watchChanges { continuation.yield(number) } }
    }
    var missing: Set = [0, 1]
    var iterator = reports.makeAsyncIterator()
    // A watch that begins after the other has read a change does not report that change. Each
    // change is reported by at least one watch that has started.
    while !missing.isEmpty {
      _ = try theirs.add(NewTodo(title: "a"), to: .local)
      if let number = await iterator.next() { missing.remove(number) }
    }
    for watch in watches { watch.cancel() }
    for watch in watches { await watch.value }
  }
}
