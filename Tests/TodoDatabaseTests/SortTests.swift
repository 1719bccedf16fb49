import TestSupport
import Testing
import TodoModel

@testable import TodoDatabase

/// Tests sort orders, pages far down, and pages that exceed the limit in bytes.
@Suite struct SortTests {
  let store: SQLiteStore
  let list = TodoListKey.local

  init() throws { store = try SQLiteStore(at: .memory, environment: .counting()) }

  private func titles(_ query: TodoQuery) throws -> [String] {
    try store.rows(query, in: list).elements.map(\.title)
  }

  private func add(_ titles: String...) throws {
    for title in titles.reversed() { _ = try store.add(NewTodo(title: title), to: list) }
  }

  @Test(arguments: [
    (TodoSort.Key.order, "beta Alpha beta2 alpha gamma", "gamma alpha beta2 Alpha beta"),
    (.title, "Alpha alpha beta beta2 gamma", "gamma beta2 beta Alpha alpha"),
    (.created, "gamma alpha beta2 Alpha beta", "beta Alpha beta2 alpha gamma"),
    (.updated, "gamma beta2 Alpha alpha beta", "beta alpha Alpha beta2 gamma"),
    (.done, "Alpha beta2 gamma beta alpha", "beta alpha Alpha beta2 gamma"),
  ])
  func eachOrderIsAscendingOrDescending(key: TodoSort.Key, up: String, down: String) throws {
    try add("beta", "Alpha", "beta2", "alpha", "gamma")
    let rows = try store.rows(TodoQuery(), in: list).elements
    for row in rows.reversed() where ["alpha", "beta"].contains(row.title) {
      _ = try store.edit(row.id, TodoEdit(isDone: true), in: list)
    }
    func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
    #expect(try titles(TodoQuery(sort: TodoSort(key))) == words(up))
    #expect(try titles(TodoQuery(sort: TodoSort(key, isDescending: true))) == words(down))
    let filtered = TodoQuery(text: "a", sort: TodoSort(key), offset: 1, limit: 1)
    #expect(try titles(filtered) == [words(up).filter { $0.lowercased().hasPrefix("a") }[1]])
  }

  /// A cached order is not used after a change of the list.
  @Test func anOrderFollowsEveryChange() throws {
    var random = RandomTexts(seed: 5)
    for step in 0..<120 {
      let all = try store.todos(TodoQuery(limit: .max), in: list).elements
      switch (random.below(6), random.pick(all)) {
      case (0, let todo?): try store.remove(todo.id, expectedVersion: nil, in: list)
      case (1, let todo?): _ = try store.edit(todo.id, TodoEdit(isDone: random.flag()), in: list)
      case (2, let todo?):
        _ = try store.edit(todo.id, TodoEdit(title: "\(random.below(9))"), in: list)
      case (3, _?): _ = try store.undo(in: list)
      default: _ = try store.add(NewTodo(title: "\(random.below(9)) \(step)"), to: list)
      }
      let now = try store.todos(TodoQuery(limit: .max), in: list).elements
      for isDescending in [false, true] {
        func check(_ key: TodoSort.Key, _ isBefore: (Todo, Todo) -> Bool) throws {
          let sort = TodoSort(key, isDescending: isDescending)
          let sorted = now.sorted { isDescending ? isBefore($1, $0) : isBefore($0, $1) }
          let found = try store.todos(TodoQuery(sort: sort, limit: .max), in: list)
          #expect(found.elements == sorted)
        }
        try check(.title) { $0.content.title.utf8.lexicographicallyPrecedes($1.content.title.utf8) }
        try check(.created) { $0.createdAt < $1.createdAt }
        try check(.updated) { $0.updatedAt < $1.updatedAt }
        try check(.done) { !$0.content.isDone && $1.content.isDone }
      }
    }
  }

  @Test func pagesFarDownAreThoseOfTheWholeList() throws {
    try store.mergeRemote((1...2_500).map { .sample($0, isClosed: $0 % 2 == 0) }, to: .source)
    func check() throws {
      for isDone in [nil, true, false] {
        let all = try store.rows(TodoQuery(isDone: isDone, limit: .max), in: .source)
        #expect(all.elements.count == all.total)
        for offset in [0, 999, 1_000, 1_001, 1_240, 2_490, 3_000, .max] {
          let query = TodoQuery(isDone: isDone, offset: offset, limit: 20)
          let page = try store.rows(query, in: .source)
          #expect(page.elements == Array(all.elements.dropFirst(offset).prefix(20)))
          #expect(page.total == all.total)
          if let first = page.elements.first {
            #expect(try store.position(of: first.id, query, in: .source) == offset)
          }
        }
      }
    }
    try check()
    let id = try #require(try store.rows(TodoQuery(offset: 7), in: .source).elements.first).id
    try store.remove(id, expectedVersion: nil, in: .source)
    try check()
    let other = try #require(try store.rows(TodoQuery(offset: 9), in: .source).elements.first)
    _ = try store.edit(other.id, TodoEdit(isDone: !other.isDone), in: .source)
    try check()
  }

  @Test func aPageOverTheLimitInBytesIsTruncated() throws {
    // Blanks add nothing to the search index.
    let blanks = String(repeating: String(repeating: " ", count: 1 << 10), count: 1 << 10)
    let draft = try NewTodo(title: "long", note: "x" + blanks.dropFirst())
    for _ in 0..<20 { _ = try store.add(draft, to: list) }
    for query in [TodoQuery(), TodoQuery(text: "x"), TodoQuery(sort: TodoSort(.created))] {
      let page = try store.todos(query, in: list)
      #expect(page.isTruncated)
      #expect(page.elements.count == 15)
      #expect(page.total == 20)
      var rest = query
      rest.offset = 15
      let last = try store.todos(rest, in: list)
      #expect((last.elements.count, last.isTruncated) == (5, false))
    }
    #expect(try store.rows(TodoQuery(), in: list).isTruncated == false)
    let light = try store.todos(
      TodoQuery(fields: Set(TodoField.allCases).subtracting([.content(.note)])), in: list)
    #expect((light.elements.count, light.isTruncated) == (20, false))
    #expect(light.elements.allSatisfy { $0.content.note.isEmpty })
  }

  @Test func oneTodoIsAnsweredHoweverLargeItIs() throws {
    let body = String(ofBytes: TodoQuery.answerBytesMax + 1)
    try store.mergeRemote([.sample(1, body: body), .sample(2)], to: .source)
    let page = try store.todos(TodoQuery(), in: .source)
    #expect((page.elements.count, page.isTruncated) == (1, true))
  }

  /// Each connection caches its own orders, which changes of another connection make invalid.
  @Test func aSearchFollowsChangesOfAnotherStore() throws {
    let folder = TemporaryFolder()
    let path = folder.path("todos.sqlite")
    let mine = try SQLiteStore(at: .file(path), environment: .counting())
    let theirs = try SQLiteStore(at: .file(path), environment: .counting(idsFrom: 1_000))
    let query = TodoQuery(text: "mil", sort: TodoSort(.title))
    for round in 0..<5 {
      let todo = try theirs.add(NewTodo(title: "milk \(round)"), to: list)
      #expect(try mine.rows(query, in: list).total == round + 1)
      _ = try theirs.edit(todo.id, TodoEdit(title: "water"), in: list)
      #expect(try mine.rows(query, in: list).total == round)
      _ = try theirs.edit(todo.id, TodoEdit(title: "Milk 0\(round)"), in: list)
      #expect(try mine.rows(query, in: list).total == round + 1)
    }
  }
}
