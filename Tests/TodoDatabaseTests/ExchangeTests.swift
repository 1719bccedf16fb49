import JSONRPC
import System
import TestSupport
import Testing
import TodoModel

@testable import TodoDatabase

/// Tests exports and imports. An import restores everything, or nothing.
@Suite struct ExchangeTests {
  let folder = TemporaryFolder()
  static let header = #"{"format":"todo-server","version":1}"#
  static let list = #"{"list":{"name":"ann","source":"local"}}"#
  /// The export of an empty store.
  static let empty = "{\"format\":\"todo-server\",\"version\":3}\n{\"end\":{\"lines\":1}}\n"

  private func store(_ name: String = "todos", idsFrom first: Int64 = 1) throws -> SQLiteStore {
    try SQLiteStore(
      at: .file(folder.path("\(name).sqlite")), environment: .counting(idsFrom: first))
  }

  private func export(
    _ store: SQLiteStore, profile: String? = nil, source: String? = nil
  ) throws -> String {
    var text = ""
    let scope = ExportScope(profile: profile, sources: source.map { [$0] })
    try store.exportLines(of: scope) { bytes in
      text += String(decoding: bytes, as: UTF8.self)
    }
    return text
  }

  @discardableResult
  private func importing(
    _ text: String, into store: SQLiteStore, profile: String? = nil
  ) throws -> ImportReport {
    let file = try #require(tmpfile())
    defer { fclose(file) }
    fputs(text, file)
    rewind(file)
    return try store.importLines(LineReader(descriptor: fileno(file)), profile: profile)
  }

  /// Adds todos of every kind: local ones and todos of a source; todos that were changed locally,
  /// remotely or on both sides; and removed ones.
  private func fill(_ store: SQLiteStore) throws {
    for number in 0..<20 {
      let title = "Todo \(number) 👩‍👩‍👧 e\u{301} \"\\"
      let note = String(repeating: "a\r\nb\tc\u{2028}", count: number)
      let todo = try store.add(NewTodo(title: title, note: note), to: .local)
      if number % 3 == 0 { _ = try store.edit(todo.id, TodoEdit(isDone: true), in: .local) }
      if number % 5 == 0 { try store.remove(todo.id, expectedVersion: nil, in: .local) }
    }
    try store.mergeRemote((1...6).map { .sample($0, body: "body \($0)\r\n") }, to: .source)
    // The newest item is first.
    let ids = try store.rows(TodoQuery(), in: .source).elements.map(\.id).reversed() as [TodoID]
    _ = try store.edit(ids[0], TodoEdit(title: "mine"), in: .source)
    _ = try store.edit(ids[1], TodoEdit(note: "mine"), in: .source)
    try store.remove(ids[2], expectedVersion: nil, in: .source)
    try store.mergeRemote(
      [.sample(2, title: "theirs", body: "theirs"), .sample(1, body: "theirs")], to: .source)
    _ = try store.add(NewTodo(title: "new here"), to: .source)
  }

  @Test func importedTodosAreFoundBySearch() throws {
    let (first, second) = (try store("a"), try store("b", idsFrom: 100))
    for text in ["Straße", "Ἀθήνα", "🥛 Milch", "plain"] {
      _ = try first.add(NewTodo(title: text, note: "x \(text)"), to: .local)
    }
    try importing(try export(first), into: second)
    for query in ["strasse", "αθηνα", "🥛", "milch", "plain", "x str"] {
      let page = try first.rows(TodoQuery(text: query), in: .local)
      #expect(page.total == 1, "\(query)")
      #expect(try second.rows(TodoQuery(text: query), in: .local) == page, "\(query)")
    }
    let id = try #require(second.rows(TodoQuery(text: "strasse"), in: .local).elements.first).id
    _ = try second.edit(id, TodoEdit(title: "Weg", note: ""), in: .local)
    #expect(try second.rows(TodoQuery(text: "strasse"), in: .local).total == 0)
  }

  @Test func importedExportIsExportedUnchanged() throws {
    let first = try store()
    try fill(first)
    let text = try export(first)
    let second = try store("second", idsFrom: 1_000)
    let report = try importing(text, into: second)
    #expect(report == ImportReport(addedCount: 27, knownCount: 0))
    #expect(try export(second) == text)
    for list in [TodoListKey.local, .source] {
      #expect(try second.todos(TodoQuery(), in: list) == first.todos(TodoQuery(), in: list))
      let query = TodoQuery(text: "todo")
      #expect(try second.rows(query, in: list).total == first.rows(query, in: list).total)
    }
    #expect(text.contains(#""sync":"conflict""#) && text.contains(#""theirs":"#))
  }

  /// After an import, the next load still does not overwrite local edits and removals.
  @Test func anEditKeepsItsBase() throws {
    let first = try store()
    try fill(first)
    let second = try store("second", idsFrom: 1_000)
    try importing(export(first), into: second)
    let again = (1...6).map { Issue.sample($0, body: "newer \($0)") }
    for store in [first, second] { try store.mergeRemote(again, to: .source) }
    // Each store has its own clock, so the times of later changes differ.
    func todos(_ store: SQLiteStore) throws -> [Substring] {
      try export(store, source: "github:octo/tasks").split(separator: "\n")
        .filter { $0.hasPrefix(#"{"id":"#) }
    }
    #expect(try todos(second) == todos(first))
    let titles = try second.rows(TodoQuery(), in: .source).elements.map(\.title)
    #expect(titles.contains("mine") && !titles.contains("Issue 3"))
  }

  @Test func aListCanBeChosenAndRenamed() throws {
    let first = try store()
    try fill(first)
    _ = try first.add(
      NewTodo(title: "of bob"), to: TodoListKey(profile: "bob", source: ""))
    // The header, the list, the todo, its addition and the end.
    #expect(try export(first, profile: "bob").split(separator: "\n").count == 5)
    #expect(!(try export(first, profile: "ann")).contains("of bob"))
    #expect(!(try export(first, source: "")).contains("github:octo"))
    #expect(throws: TodoError.self) { try export(first, profile: "cy") }
    try importing(export(first, profile: "bob"), into: first, profile: "cy")
    let copied = try first.todos(TodoQuery(), in: TodoListKey(profile: "cy", source: ""))
    #expect(copied.elements.map(\.content.title) == ["of bob"])
  }

  @Test func importSkipsExistingTodos() throws {
    let first = try store()
    try fill(first)
    let text = try export(first)
    let report = try importing(text, into: first)
    #expect(report == ImportReport(addedCount: 0, knownCount: 27))
    #expect(try export(first) == text)
  }

  @Test func anImportWithAnIDOfAnotherTodoIsRefused() throws {
    let first = try store()
    let kept = try first.add(NewTodo(title: "one"), to: .local)
    let text = try export(first)
    _ = try first.edit(kept.id, TodoEdit(title: "two"), in: .local)
    let before = try export(first)
    let error = #expect(throws: TodoError.self) { try importing(text, into: first) }
    #expect(error?.message.hasPrefix("line 3: The id \"\(kept.id)\" is taken") == true)
    #expect(error?.message.hasSuffix("Nothing was imported.") == true)
    #expect(try export(first) == before)
    try first.remove(kept.id, expectedVersion: nil, in: .local)
    let removed = #expect(throws: TodoError.self) { try importing(text, into: first) }
    #expect(removed?.message.contains("was removed from this list") == true)
  }

  @Test func aTodoNeedsOnlyATitle() throws {
    let first = try store()
    let report = try importing(
      "\(Self.header)\r\n\n{\"title\":\" one \"}\n{\"title\":\"two\",\"done\":true}", into: first,
      profile: "ann")
    #expect(report.addedCount == 2)
    let todos = try first.todos(TodoQuery(), in: .local).elements
    #expect(todos.map(\.content.title) == ["one", "two"])
    #expect(todos.map(\.content.isDone) == [false, true])
    #expect(todos.allSatisfy { $0.version == 1 && $0.sync == .local })
  }

  @Test(arguments: [
    ("", 1, "empty"), ("{}", 1, "Not a todo-server export"), ("[1]", 1, "Not a JSON object"),
    (#"{"format":"todo-server","version":4}"#, 1, "newer version"),
    (#"{"format":"todo-server","version":0}"#, 1, "Not a todo-server export"),
    (#"{"format":"todo-server"}"#, 1, "Not a todo-server export"),
    ("\(header)\n{\"title\":\"x\"}", 2, "--name"),
    ("\(header)\n\(list)\n{\"title\":5}", 3, "\"title\" must be a string, not a number"),
    ("\(header)\n\(list)\n\n{}", 4, "needs a \"title\""),
    ("\(header)\n\(list)\n{\"title\":\"x\"}\n{\"title\":\"y\"", 4, "Invalid JSON"),
    ("\(header)\n\(list)\n{\"title\":\"  \"}", 3, "blank"),
    ("\(header)\n\(list)\n{\"title\":\"x\",\"createdAt\":\"yesterday\"}", 3, "createdAt"),
    ("\(header)\n\(list)\n{\"title\":\"x\",\"version\":0}", 3, "version"),
    ("\(header)\n\(list)\n{\"title\":\"x\",\"order\":1.5}", 3, "order"),
    ("\(header)\n\(list)\n{\"title\":\"x\",\"sync\":\"soon\"}", 3, "sync"),
    ("\(header)\n\(list)\n{\"title\":\"x\",\"sync\":\"conflict\"}", 3, "source"),
    (
      "\(header)\n\(list)\n"
        + #"{"title":"x","sync":"pending","source":{"url":"https://u","number":1}}"#, 3, "base"
    ),
    ("\(header)\n\(list)\n{\"id\":\"\",\"title\":\"x\"}", 3, "id"),
    ("\(header)\n{\"list\":{\"name\":\" \"}}", 2, "name"),
    ("\(header)\n{\"list\":{\"name\":\"ann\",\"source\":\"gitlab:x\"}}", 2, "source"),
    (
      "\(header)\n{\"list\":{\"name\":\"ann\"},\"todos\":2}\n{\"title\":\"x\"}\n", 4,
      "not whole"
    ),
    ("\(header)\n\(list)\n{\"title\":\"\u{0}\"}", 3, "Invalid JSON"),
  ])
  func errorHasTheNumberOfTheInvalidLine(text: String, line: Int, reason: String) throws {
    let first = try store()
    _ = try first.add(NewTodo(title: "kept"), to: .local)
    let before = try export(first)
    let error = #expect(throws: TodoError.self) {
      // Not as a C string, which would end at U+0000.
      try importing(text.replacing("\u{0}", with: "\u{1}"), into: first)
    }
    #expect(error?.kind == .validation)
    #expect(error?.message.hasPrefix("line \(line): ") == true, "\(error?.message ?? "")")
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    #expect(try export(first) == before)
  }

  @Test func aSecondTodoOfAnIssueIsRefused() throws {
    let first = try store()
    try first.mergeRemote([.sample(1)], to: .source)
    let text = try export(first)
    let other = text.replacing(#""id":"t1""#, with: #""id":"other""#)
    #expect(other != text)
    let error = #expect(throws: TodoError.self) { try importing(other, into: first) }
    #expect(error?.message.hasPrefix("line 3: Issue 1 is in this list already") == true)
  }

  @Test func linesOfAnyLengthAreRead() throws {
    let file = try #require(tmpfile())
    defer { fclose(file) }
    let lengths = [0, 1, 262_143, 262_144, 262_145, 1_000_000, 3]
    for length in lengths { fputs(String(repeating: "x", count: length) + "\n", file) }
    fputs("last", file)
    rewind(file)
    var reader = LineReader(descriptor: fileno(file))
    for length in lengths + [4] { #expect(try reader.next { $0.count } == length) }
    #expect(try reader.next { $0.count } == nil)
    #expect(reader.number == lengths.count + 1)
  }

  /// Nothing in an export controls a terminal that shows it.
  @Test func anExportHasNoControlCharacters() throws {
    let text = "a\u{1}\u{1b}]0;x\u{7}\u{7f}\u{80}\u{9b}2J\u{61c}\u{200e}\u{202e}\u{2066}b é 中 👩‍👩‍👧"
    let from = try store()
    let todo = try from.add(NewTodo(title: text, note: text + "\n\u{2028}"), to: .local)
    let exported = try export(from)
    #expect(
      exported.unicodeScalars.allSatisfy { $0 == "\n" || $0.isPrintable || $0.value == 0x200D })
    #expect(exported.contains("é 中 👩‍👩‍👧"))
    let to = try store("copy")
    try importing(exported, into: to)
    #expect(try to.todo(todo.id, in: .local) == todo)
    #expect(try export(to) == exported)
  }

  /// Ids and names are shown in many places, and URLs are opened with a click, so all are checked.
  @Test(arguments: [
    (##"{"id":"x\u001b[31m","title":"A"}"##, "control characters"),
    (##"{"id":"x\u009b","title":"A"}"##, "control characters"),
    (##"{"id":"x\u202e","title":"A"}"##, "control characters"),
    (##"{"title":"A","source":{"url":"javascript:alert(1)","number":1}}"##, "http or https"),
    (##"{"title":"A","source":{"url":"file:///etc/passwd","number":1}}"##, "http or https"),
    (##"{"title":"A","source":{"url":"https://a/\u001b[0m","number":1}}"##, "http or https"),
    (##"{"title":"A","source":{"url":"https://a b","number":1}}"##, "http or https"),
    (##"{"list":{"name":"a\u001bb","source":"local"}}"##, "without control characters"),
  ])
  func importRefusesUnsafeIDsLinksAndNames(line: String, problem: String) throws {
    let store = try store()
    let error = #expect(throws: TodoError.self) {
      try importing([Self.header, Self.list, line].joined(separator: "\n"), into: store)
    }
    #expect(error?.message.contains(problem) == true, "\(error?.message ?? "")")
    #expect(try export(store) == Self.empty)
  }

  @Test func importLimitsTextsInBytes() throws {
    // Combining marks of two bytes on one letter, just above each limit.
    func marks(_ bytesMax: Int) -> String { String(repeating: "\u{301}", count: bytesMax / 2) }
    let store = try store()
    for (line, problem) in [
      (##"{"title":"e\##(marks(32_768))"}"##, "at most 32768 bytes"),
      (
        ##"{"title":"e\##(marks(1_048_576))","source":{"url":"https://a/1","number":1}}"##,
        "more than 1048576 bytes"
      ), (##"{"list":{"name":"e\##(marks(8_192))","source":"local"}}"##, "at most 8192 bytes"),
    ] {
      let error = #expect(throws: TodoError.self) {
        try importing([Self.header, Self.list, line].joined(separator: "\n"), into: store)
      }
      #expect(error?.message.contains(problem) == true, "\(error?.message.prefix(200) ?? "")")
    }
    #expect(throws: TodoError.self) {
      try importing(Self.header + "\n{\"title\":\"A\"}\n", into: store, profile: "a" + marks(8_192))
    }
  }
}
