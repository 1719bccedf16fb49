import System
import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase
@testable import TodoDatabase

/// Integers in a file that another program wrote never crash the process.
@Suite struct StrangeIntegerTests {
  private static let extremes: [Int64] = [.min, .min + 1, -1, 0, .max - 1, .max]
  private static let columns = [
    "list.total", "list.done", "list.order_version", "list.text_version", "list.edit_version",
    "todo.is_done", "todo.version", "todo.created_at", "todo.updated_at",
    "todo.generation", "todo.place", "change.sequence", "change.version",
    "change.at", "change.session", "change.undoes", "change.ordinal", "change.byte_start",
    "change.byte_end",
    "host.next_request_at", "host.limit_count", "host.next_write_at", "host.lease_until",
    "remote.synced_at", "remote.generation",
    "remote.finished_generation", "remote.load_started_at", "remote.load_ended_at",
    "remote.load_page_count",
    "seen.generation", "outbox.sent_at",
  ]

  @Test(arguments: columns)
  func operationsSurviveExtremeIntegersInEveryColumn(_ column: String) throws {
    let parts = column.split(separator: ".")
    for extreme in [.min, -1, .max] as [Int64] {
      let store = try SQLiteStore(at: .memory, environment: .counting())
      try drive(store)
      try store.withConnection { connection throws(TodoError) in
        // In a unique column, one row with the number is enough.
        try connection.execute(
          "UPDATE OR IGNORE \(parts[0]) SET \(parts[1]) = \(extreme)")
      }
      // Operations may fail with a message, but must return.
      try? drive(store)
      // With any number, a list can be read and added to.
      for list in [TodoListKey.local, .source] {
        _ = try store.rows(TodoQuery(), in: list)
        let todo = try store.add(NewTodo(title: "after"), to: list)
        _ = try store.edit(todo.id, TodoEdit(title: "edited"), in: list)
      }
    }
  }

  /// Calls every operation once.
  private func drive(_ store: SQLiteStore) throws {
    for list in [TodoListKey.local, .source] {
      let first = try store.add(NewTodo(title: "milk", note: "n"), to: list)
      let second = try store.add(NewTodo(title: "bread"), to: list)
      let edited = try store.edit(first.id, TodoEdit(title: "oat milk", isDone: true), in: list)
      _ = try? store.edit(first.id, TodoEdit(note: "x", expectedVersion: first.version), in: list)
      try store.remove(second.id, expectedVersion: nil, in: list)
      _ = try? store.undo(in: list)
      _ = try? store.redo(in: list)
      for key in TodoSort.Key.allCases {
        let query = TodoQuery(sort: TodoSort(key, isDescending: true))
        _ = try store.todos(query, in: list)
        _ = try store.position(of: first.id, query, in: list)
        _ = try store.isSlow(.rows(query), in: list)
      }
      _ = try store.rows(TodoQuery(text: "mil", isDone: true, offset: .max, limit: .max), in: list)
      _ = try store.todo(edited.id, in: list).updatedAt.description
    }
    try driveSource(store)
    try store.exportLines(of: .all) { _ in }
  }

  private func driveSource(_ store: SQLiteStore) throws {
    let (list, now) = (TodoListKey.source, Timestamp(milliseconds: 1_700_000_000_000))
    let address = try #require(GitHubAddress("github:octo/tasks")).remote
    let loadID = try store.beginLoad(of: list, from: address, storing: Issue.fields)
    let items = [1, 2, .min, .max].map { RemoteItem(.sample($0, body: "new")) }
    let load = SourceLoad(id: loadID, next: PageLink(url: "u"), pageCount: 1)
    _ = try store.mergeRemote(items, of: load, to: list)
    let row = try #require(try store.rows(TodoQuery(), in: list).elements.first { $0.number == 1 })
    _ = try store.edit(row.id, TodoEdit(title: "mine \(loadID)"), in: list)
    _ = try store.mergeRemote([RemoteItem(.sample(1, title: "theirs"))], of: nil, to: list)
    for outgoing in try store.outgoing(in: list, failed: true) {
      try store.recordAttempt(
        .create, outgoing.content, marker: ItemMarker("m"), of: outgoing.id, in: list,
        to: "https://api.github.com",
        openUntil: now,
        nextWriteAt: now)
    }
    _ = try store.outgoing(in: list, failed: false)
    for conflict in try store.conflicts(offset: 0, limit: .max, in: list).conflicts {
      _ = try store.resolve(conflict.id, version: conflict.version, to: .keep(.mine), in: list)
    }
    try store.finishLoad(loadID, of: list, at: .now)
    let validator = RemoteValidator(url: "u", tag: "t", token: nil)
    try store.record(cursor: "c", validator, loadEndedAt: now, at: now, of: list)
    _ = try store.remote(of: list)
    try store.backOff(address.baseURL, until: now, consecutiveLimitCount: 1, at: now)
    _ = try store.acquireLease(
      address.baseURL, for: "me", until: now, now: now, isAlive: { _ in true })
    _ = try store.host(address.baseURL)
    _ = try store.counts(of: list)
  }

  @Test(arguments: extremes)
  func extremeOrderIsRefusedOrPreserved(_ order: Int64) throws {
    let store = try SQLiteStore(at: .memory, environment: .counting())
    let text = """
      {"format":"todo-server","version":1}
      {"list":{"name":"ann","source":"local"}}
      {"title":"x","order":\(order)}
      {"title":"y"}
      """
    let file = try #require(tmpfile())
    defer { fclose(file) }
    fputs(text, file)
    rewind(file)
    do {
      _ = try store.importLines(LineReader(descriptor: fileno(file)), profile: nil)
      #expect(order.magnitude < 1 << 53)
    } catch {
      #expect(error.kind == .validation)
      #expect(error.message.contains("line 3: \"order\" must be from -9007199254740991"))
      #expect(order.magnitude >= 1 << 53)
    }
    for index in 0..<3 {
      _ = try store.add(NewTodo(title: "added \(index)"), to: .local)
    }
    #expect(try store.rows(TodoQuery(), in: .local).elements.first?.title == "added 2")
  }
}
