import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase
@testable import TodoDatabase

/// Tests the log of changes: its contents, its limits and its cost.
@Suite struct ChangeLogTests {
  private let folder = TemporaryFolder()
  private let list = TodoListKey.local

  private func open(seconds: Int64 = 1) throws -> SQLiteStore {
    try SQLiteStore(at: .memory, environment: .counting(seconds: seconds))
  }

  /// Returns every change: its entry, version, author, kind and the change that it undoes.
  private func log(of store: SQLiteStore) throws -> [String] {
    try store.withConnection { connection throws(TodoError) in
      try connection.texts(
        """
        SELECT entry || ' ' || version || ' ' || who || ' ' || what
          || iif(undoes IS NULL, '', ' undoes ' || undoes)
        FROM change ORDER BY sequence
        """)
    }
  }

  private func number(_ sql: String, in store: SQLiteStore) throws -> Int64 {
    try store.withConnection { connection throws(TodoError) in try connection.number(sql) }
  }

  @Test func everyChangeIsLoggedWithItsAuthor() throws {
    let store = try open()
    let source = TodoListKey.source
    let id = try store.add(NewTodo(title: "a"), to: list).id
    _ = try store.edit(id, TodoEdit(title: "b"), in: list)
    _ = try store.edit(id, TodoEdit(isDone: true), in: list)
    try store.remove(id, expectedVersion: nil, in: list)
    _ = try store.undo(in: list)
    _ = try store.redo(in: list)
    try store.mergeRemote([.sample(1)], to: source)
    try store.mergeRemote([.sample(1, title: "c")], to: source)
    try store.load([], to: source)
    _ = try store.openDocument("/todos.md", in: list)
    let typed = DocumentChange.add(
      TodoContent(title: "d", note: "", isDone: false), .init(digest: 1, occurrence: 1),
      .last)
    _ = try store.saveDocument(
      DocumentSave(path: "/todos.md", generation: 0, changes: [typed]), in: list)
    let assistant = SQLiteStore(
      over: store.database, environment: .counting(idsFrom: 9), author: .assistant)
    _ = try assistant.add(NewTodo(title: "e"), to: list)
    #expect(
      try log(of: store) == [
        "todo/t1 1 local add", "todo/t1 2 local edit", "todo/t1 3 local done",
        "todo/t1 4 local remove", "todo/t1 5 local restore undoes 4",
        "todo/t1 6 local remove undoes 5", "todo/t2 1 source add", "todo/t2 2 source edit",
        "todo/t2 3 source remove", "todo/t4 1 document add", "todo/t9 1 assistant add",
      ])
  }

  /// Compares the base in each conflict with a list of all earlier contents.
  @Test(arguments: 0..<4)
  func everyEarlierContentIsTheBaseOfALaterEdit(seed: UInt64) throws {
    let store = try open()
    var texts = RandomTexts(seed: seed)
    let id = try store.add(texts.draft(), to: list).id
    var contents: [Int64: TodoContent] = [:]
    for _ in 0..<60 {
      let todo = try store.todo(id, in: list)
      contents[todo.version] = todo.content
      switch texts.below(6) {
      case 0: _ = try store.edit(id, TodoEdit(isDone: texts.flag()), in: list)
      case 1: _ = try store.edit(id, TodoEdit(note: texts.note()), in: list)
      case 2: _ = try store.edit(id, TodoEdit(title: texts.title()), in: list)
      case 3:
        try store.remove(id, expectedVersion: nil, in: list)
        _ = try store.undo(in: list)
      case 4: _ = try? store.redo(in: list)
      default: if contents.count > 1 { _ = try store.undo(in: list) }
      }
      if (try? store.todo(id, in: list)) == nil { _ = try? store.undo(in: list) }
      if (try? store.todo(id, in: list)) == nil { _ = try store.redo(in: list) }
    }
    let last = try store.todo(id, in: list).version
    for version in 0..<last {
      let error = #expect(throws: TodoError.self) {
        try store.remove(id, expectedVersion: version, in: list)
      }
      if version == 0 { #expect(error?.conflict?.base == nil) }
      if let content = contents[version] { #expect(error?.conflict?.base == content) }
    }
  }

  @Test func changesOfThirtyDaysAreKept() throws {
    let store = try open()
    try store.limitLog { $0.countMin = 100 }
    let id = try store.add(NewTodo(title: "0"), to: list).id
    for index in 1..<150 { _ = try store.edit(id, TodoEdit(title: "\(index)"), in: list) }
    #expect(try number("SELECT count(*) FROM change", in: store) == 150)
  }

  @Test func logHasALimitInBytes() throws {
    let store = try open()
    let (noteBytes, bytesMax): (Int, Int64) = (1 << 14, 64 << 14)
    try store.limitLog { $0.bytesMax = bytesMax }
    let note = String(repeating: "x", count: noteBytes - 2)
    let id = try store.add(NewTodo(title: "a", note: note), to: list).id
    for index in 10..<80 { _ = try store.edit(id, TodoEdit(note: "\(index)\(note)"), in: list) }
    let size = try number("SELECT sum(byte_end - byte_start) FROM change", in: store)
    #expect(size <= bytesMax)
    #expect(size > bytesMax - 2 * Int64(noteBytes))
    let length = try number("SELECT sum(length(before)) FROM change", in: store)
    #expect(length <= size)
    #expect(try store.undo(in: list).todo?.content.note.hasPrefix("78") == true)
  }

  /// A removed todo is stored only so that the log can undo the removal. The limit of the log
  /// therefore counts the bytes of the todo.
  @Test func logCountsTheTodosThatItRestores() throws {
    let store = try open()
    try store.limitLog { $0.bytesMax = 64 << 16 }
    let note = String(repeating: "x", count: 1 << 16)
    for index in 0..<70 {
      let id = try store.add(NewTodo(title: "\(index)", note: note), to: list).id
      try store.remove(id, expectedVersion: nil, in: list)
    }
    #expect(try number("SELECT count(*) FROM todo", in: store) == 63)
  }

  @Test func aTickOfALargeTodoTakesLessThanAKibibyte() throws {
    let path = folder.path("todos.sqlite")
    let store = try SQLiteStore(at: .file(path), environment: .counting())
    let note = String(repeating: "x", count: NoteField.bytesMax)
    let id = try store.add(NewTodo(title: "a", note: note), to: list).id
    let size = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
    let before = try number(size, in: store)
    for index in 0..<100 {
      _ = try store.edit(id, TodoEdit(isDone: index.isMultiple(of: 2)), in: list)
    }
    #expect(try number(size, in: store) - before < 100 << 10)
    for _ in 0..<100 { _ = try store.undo(in: list) }
    #expect(try store.todo(id, in: list).content.isDone == false)
    #expect(try number(size, in: store) - before < 200 << 10)
  }

  @Test func contentTextKeepsEveryText() {
    for text in ["", "a", "\"\\\n\r\u{1}", "\0", "a\0b", "\0\0a\0", "e\u{301}👩‍👩‍👧"] {
      let content = TodoContent(title: text, note: text + "!", isDone: !text.isEmpty)
      #expect(ContentText.content(of: ContentText.text(of: content)) == content)
      let before = ReverseDifference(
        version: 7, isRemoved: true, fields: ContentField.allCases, content: content)
      #expect(ReverseDifference(before.text) == before)
    }
    let empty = TodoContent(title: "", note: "", isDone: false)
    for text in ["", "no JSON", "[]", "{\"title\":1}"] {
      #expect(ContentText.content(of: text) == empty)
    }
  }
}
