import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase
@testable import TodoDatabase

/// Compares the search with its reference implementation, after every kind of change.
@Suite struct SearchTests {
  let list = TodoListKey.local

  private func checkIndex(of store: SQLiteStore) throws {
    try store.withConnection { connection throws(TodoError) in
      try connection.execute(
        "INSERT INTO todo_text (todo_text, rank) VALUES ('integrity-check', 1)")
    }
  }

  @Test(arguments: 1...2)
  func searchFindsTheSameTodosAsALinearSearch(seed: UInt64) throws {
    let store = try SQLiteStore(at: .memory, environment: .counting())
    var random = RandomTexts(seed: seed)
    var oracle = SearchOracle()
    for _ in 0..<25 {
      for _ in 0..<6 { try change(store, &random) }
      let all = try store.todos(TodoQuery(limit: .max), in: list).elements
      // Computed once for all searches, because splitting a text takes longer than a search.
      let known = all.map { (todo: $0, words: oracle.words(of: $0.content)) }
      for _ in 0..<8 { try compare(store, known, random.typed(), &random) }
    }
    try checkIndex(of: store)
  }

  private func change(_ store: SQLiteStore, _ random: inout RandomTexts) throws {
    let ids = try store.rows(TodoQuery(), in: list).elements.map(\.id)
    switch (random.below(8), random.pick(ids)) {
    case (0, let id?): try store.remove(id, expectedVersion: nil, in: list)
    case (1, let id?):
      _ = try store.edit(id, TodoEdit(title: "t " + title(&random)), in: list)
    case (2, let id?): _ = try store.edit(id, TodoEdit(note: random.strangeText()), in: list)
    case (3, let id?): _ = try store.edit(id, TodoEdit(isDone: random.flag()), in: list)
    case (4, _?): _ = try store.undo(in: list)
    default:
      let draft = try NewTodo(title: "t " + title(&random), note: random.strangeText())
      _ = try store.add(draft, to: list)
    }
  }

  /// Returns a title: a single line.
  private func title(_ random: inout RandomTexts) -> String {
    String(random.strangeText().prefix(1_000).filter { !$0.isNewline })
  }

  private func compare(
    _ store: SQLiteStore, _ all: [(todo: Todo, words: SearchOracle.Words)], _ typed: String,
    _ random: inout RandomTexts
  ) throws {
    let isDone = random.pick([nil, nil, true, false]) ?? nil
    let finds = SearchOracle.search(for: typed)
    let expected = all.filter { todo, words in
      todo.content.isDone == isDone ?? todo.content.isDone && finds(words)
    }.map(\.todo)
    let query = TodoQuery(text: typed, isDone: isDone, limit: .max)
    let found = try store.todos(query, in: list)
    #expect(found.elements == expected, "typed: \(typed.debugDescription)")
    #expect(found.total == expected.count)
    var part = query
    (part.offset, part.limit) = (random.below(6), random.below(4))
    let page = try store.rows(part, in: list)
    #expect(page.elements == expected.dropFirst(part.offset).prefix(part.limit).map { TodoRow($0) })
    #expect(page.total == expected.count)
    for (index, todo) in expected.enumerated() {
      #expect(try store.position(of: todo.id, query, in: list) == index)
    }
  }

  @Test func aWordAtTheEndOfTheLargestNoteIsFound() throws {
    let store = try SQLiteStore(at: .memory, environment: .counting())
    let word = "Ωμέγα"
    let filling = String(repeating: "wort ", count: (1 << 20) / 5 - 3)
    let todo = try store.add(NewTodo(title: "t", note: filling + word), to: list)
    #expect(try store.todos(TodoQuery(text: "ωΜΕΓ"), in: list).elements == [todo])
  }

  @Test(arguments: [
    ("🍎", true), ("apples", true), ("🦊", true), ("fox", true), ("👍🏿", true), ("👍", true),
    ("👧", true), ("👦", false), ("🍏", false), ("c", true), ("25", true), ("°", false),
  ])
  func anEmojiIsAWord(typed: String, isFound: Bool) throws {
    let store = try SQLiteStore(at: .memory, environment: .counting())
    let title = "🍎apples, the🦊fox 👍🏽 👩‍👧 25°C"
    _ = try store.add(NewTodo(title: title), to: list)
    #expect(try store.rows(TodoQuery(text: typed), in: list).total == (isFound ? 1 : 0))
  }

  @Test(arguments: [
    ("牛乳", true), ("明日", true), ("日牛", true), ("を", true), ("買う", true), ("乳牛", false),
    ("牛乳を買う", true), ("牛丼", false), ("ミルク", true), ("ルク", true), ("iphone", true),
    ("ケース", true), ("ケー", true), ("スケ", false),
  ])
  func partsOfTextWithoutSpacesAreFound(typed: String, isFound: Bool) throws {
    let store = try SQLiteStore(at: .memory, environment: .counting())
    let note = "ミルク iPhone用ケース"
    _ = try store.add(NewTodo(title: "明日牛乳を買う", note: note), to: list)
    #expect(try store.rows(TodoQuery(text: typed), in: list).total == (isFound ? 1 : 0))
    try checkIndex(of: store)
  }

  @Test(arguments: [
    ("თბილისი", "ᲗᲑᲘᲚᲘᲡᲘ"), ("ᲗᲑᲘᲚᲘᲡᲘ", "თბილ"), ("ᏣᎳᎩ", "ꮳꮃꭹ"), ("ꮳꮃꭹ", "ᏣᎳ"), ("ᏸ", "Ᏸ"),
  ])
  func georgianAndCherokeeAreFoundInEitherCase(title: String, typed: String) throws {
    let store = try SQLiteStore(at: .memory, environment: .counting())
    _ = try store.add(NewTodo(title: title), to: list)
    #expect(try store.rows(TodoQuery(text: typed), in: list).total == 1)
  }

  /// Queries tokenize words of the index again, so the tokenizer must return these words unchanged.
  @Test func theTokenizerDoesNotSplitItsOwnWords() throws {
    let connection = try Connection(to: .memory)
    let index = connection.tables.search
    for start in stride(from: UInt32(0), to: 0x2_0000, by: 0x100) {
      let scalars = (start..<start + 0x100).compactMap { Unicode.Scalar($0) }
      let words = try index.cut(scalars.map { "a\($0)b" }.joined(separator: " "))
      #expect(try index.cut(words.joined(separator: " ")) == words)
    }
  }

  @Test(arguments: [
    ("a \"b\" AND* c^", ["and", "b", "c"]), ("mi milk m milky", ["milky"]),
    ("NEAR(x y)", ["near", "x", "y"]), ("é e\u{301} E", ["e"]),
  ])
  func queryIsSplitIntoWords(typed: String, words: [String]) throws {
    let connection = try Connection(to: .memory)
    guard case .words(let found) = try connection.tables.search.words(of: typed) else {
      #expect(Bool(false), "no words")
      return
    }
    #expect(found.sorted() == words)
  }

  @Test func aSearchForHundredsOfWordsFindsTheTodo() throws {
    let store = try SQLiteStore(at: .memory, environment: .counting())
    let words = (0..<500).map { "w\($0)x" }
    let todo = try store.add(NewTodo(title: "t", note: words.joined(separator: " ")), to: list)
    let query = TodoQuery(text: words.reversed().joined(separator: ","))
    #expect(try store.todos(query, in: list).elements == [todo])
    #expect(try store.todos(TodoQuery(text: "x0 \(query.text ?? "")"), in: list).total == 0)
  }
}
