import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase
@testable import TodoDatabase

/// Tests readers of a store, with which long reads run on another thread.
@Suite struct ReaderTests {
  let folder = TemporaryFolder()
  let list = TodoListKey.source

  private func open() throws -> SQLiteStore {
    try SQLiteStore(at: .file(folder.path("todos.sqlite")), environment: .counting())
  }

  private func fill(_ store: SQLiteStore, _ count: Int) throws {
    try store.mergeRemote(
      (1...Int64(count)).map { .sample($0, title: "todo \($0 % 7)") }, to: list)
  }

  private func byTitle(_ text: String? = nil) -> TodoRead {
    .rows(TodoQuery(text: text, sort: TodoSort(.title), limit: 5))
  }

  @Test func aReaderSeesTheListAsOfItsCreation() throws {
    let store = try open()
    try fill(store, 10)
    let reader = try #require(try store.reader(of: list))
    let before = try store.answer(byTitle(), in: list)
    _ = try store.add(NewTodo(title: "a new one"), to: list)
    #expect(try reader.answer(byTitle()) == before)
    #expect(try store.answer(byTitle(), in: list) != before)
    let later = try #require(try store.reader(of: list))
    #expect(try later.answer(byTitle()) == store.answer(byTitle(), in: list))
    let query = TodoQuery(text: "todo")
    #expect(try later.answer(.todos(query)) == .todos(store.todos(query, in: list)))
    let id = try #require(try store.rows(TodoQuery(), in: list).elements.last).id
    #expect(try later.answer(.position(id, TodoQuery())) == .position(10))
  }

  @Test func slowReadIsRecognizedFromCounts() throws {
    let store = try open()
    try fill(store, TodoRead.slowCountMin - 1)
    #expect(try !store.isSlow(byTitle(), in: list))
    _ = try store.add(NewTodo(title: "one more"), to: list)
    #expect(try store.isSlow(byTitle(), in: list))
    #expect(try store.isSlow(byTitle("todo"), in: list))
    #expect(try store.isSlow(.rows(TodoQuery(offset: 4_000)), in: list))
    #expect(try !store.isSlow(.rows(TodoQuery()), in: list))
    #expect(try !store.isSlow(.position(TodoID("t1"), TodoQuery()), in: list))
    // The cached order is used the next time.
    _ = try store.answer(byTitle(), in: list)
    #expect(try !store.isSlow(byTitle(), in: list))
    #expect(try !store.isSlow(byTitle(), in: .local))
  }

  @Test func aCancelledReaderFails() throws {
    let store = try open()
    try fill(store, 4_000)
    let reader = try #require(try store.reader(of: list))
    reader.cancel()
    #expect(throws: TodoError.self) { try reader.answer(byTitle()) }
    // The connection is used again, and is no longer cancelled.
    for _ in 0..<5 {
      #expect(try store.reader(of: list)?.answer(byTitle()) == store.answer(byTitle(), in: list))
    }
  }

  @Test func aStoreInMemoryHasNoReader() throws {
    let store = try SQLiteStore(at: .memory, environment: .counting())
    _ = try store.add(NewTodo(title: "t"), to: list)
    let reader = try store.reader(of: list)
    #expect(reader == nil)
  }
}
