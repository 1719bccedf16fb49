import TestSupport
import Testing
import TodoDocument
import TodoModel

@testable import TodoDatabase

/// Tests the lines of an export: their errors, older versions of the format, and repeated exports
/// and imports.
@Suite struct ExchangeFormatTests {
  private static let header = #"{"format":"todo-server","version":2}"#
  private static let list = #"{"list":{"name":"ann","source":"local"}}"#

  private func export(_ store: SQLiteStore) throws -> String {
    var text = ""
    try store.exportLines(of: .all) { text += String(decoding: $0, as: UTF8.self) }
    return text
  }

  private func importing(_ text: String, into store: SQLiteStore) throws -> ImportReport {
    try store.importLines(LineReader(text: text), profile: nil)
  }

  private func emptyStore(idsFrom first: Int64 = 1_000) throws -> SQLiteStore {
    try SQLiteStore(at: .memory, environment: .counting(idsFrom: first))
  }

  private func error(of lines: [String]) throws -> TodoError? {
    let store = try emptyStore()
    let before = try export(store)
    let error = #expect(throws: TodoError.self) {
      try importing(lines.joined(separator: "\n"), into: store)
    }
    #expect(error?.message.hasSuffix("Nothing was imported.") == true, "\(error?.message ?? "")")
    #expect(try export(store) == before)
    return error
  }

  @Test(arguments: [
    #"{"id":"a","title":"x","colour":"red"}"#, #"{"list":{"name":"ann","colour":"red"}}"#,
    #"{"title":"x","source":{"url":"https://u","number":1,"colour":"red"}}"#,
    #"{"title":"x","source":{"url":"https://u","number":1},"base":{"title":"x","colour":"red"}}"#,
    #"{"change":{"id":"a","colour":"red"}}"#, #"{"draft":{"id":"a","colour":"red"}}"#,
    #"{"document":{"path":"/a","generation":1,"colour":"red"}}"#, #"{"colour":{"red":1}}"#,
    #"{"draft":{"edit":{"colour":"red"}}}"#, #"{"end":{"lines":3,"colour":"red"}}"#,
  ])
  func unknownMemberIsAnError(line: String) throws {
    let message = try #require(try error(of: [Self.header, Self.list, line])).message
    #expect(message.hasPrefix("line 3: \"colour\" is not a member"), "\(message)")
  }

  @Test func versionOneIgnoresUnknownMembers() throws {
    let store = try emptyStore()
    let text = """
      {"format":"todo-server","version":1,"colour":"red"}
      {"list":{"name":"ann","colour":"red"},"todos":1}
      {"title":"x","colour":"red","failure":1,"sent":2,"exported":3}
      """
    #expect(try importing(text, into: store).addedCount == 1)
  }

  @Test func truncatedExportIsAnError() throws {
    let store = try emptyStore()
    for number in 0..<5 { _ = try store.add(NewTodo(title: "\(number)"), to: .local) }
    let lines = try export(store).split(separator: "\n").map(String.init)
    for count in 1..<lines.count {
      let message = try #require(try error(of: Array(lines.prefix(count)))).message
      #expect(message.contains("The file is not whole: its last line must be"), "\(count)")
    }
    var missing = lines
    missing.remove(at: 3)
    #expect(try error(of: missing)?.message.contains("The end announces 12 lines") == true)
    #expect(try error(of: lines + [Self.list])?.message.contains("below the end") == true)
    #expect(try importing(lines.joined(separator: "\n\n"), into: emptyStore()).addedCount == 5)
  }

  @Test(arguments: [
    (#"{"change":{}}"#, #""before" is missing"#),
    (#"{"change":{"before":{"version":1},"id":"a","version":2}}"#, #""what" is missing"#),
    (
      #"{"change":{"before":{"version":1},"id":"a","version":2,"what":"eat"}}"#,
      #""what" must be one of add, edit"#
    ),
    (#"{"draft":{"edit":{}}}"#, #"An "edit" has "fields""#),
    (#"{"draft":[]}"#, #""draft" must be an object"#),
    (#"{"text":{"number":1,"text":"x"}}"#, #"A line with a "document" has to come first"#),
    (#"{"document":{"path":"a\u0007","generation":1}}"#, "control characters"),
    (#"{"title":"x","sync":"failed","failure":{"kind":"hunger"}}"#, #""kind" must be one of"#),
    (#"{"title":"x","exported":{"marker":"a-->b"}}"#, #"A "marker" has"#),
    (
      #"{"title":"x","source":{"url":"https://u","number":1},"exported":{"marker":"a","since":"2026-01-01T00:00:00.000Z","content":{"title":"x"}}}"#,
      "Only a todo that its source does not have yet"
    ), (#"{"end":{"lines":9}}"#, "The end announces 9 lines above it, and there are 2"),
  ])
  func errorHasTheNumberOfTheWrongLine(line: String, reason: String) throws {
    let message = try #require(try error(of: [Self.header, Self.list, line])).message
    #expect(message.hasPrefix("line 3: "), "\(message)")
    #expect(message.contains(reason), "\(message)")
  }

  @Test func failedTodoIsKnownAfterAnImport() throws {
    let world = try SyncWorld()
    world.source.add("Bread")
    try world.sync()
    try world.edit("Bread", TodoEdit(title: "Rye bread"))
    world.source.faults = [.init(kind: .refused(.validation), at: world.source.requests.count + 1)]
    try world.sync(.push)
    let failure = try #require(try world.todos.first?.failure)
    let text = try export(world.store)
    #expect(try importing(text, into: world.store) == ImportReport(knownCount: 1))
    let copy = try emptyStore()
    #expect(try importing(text, into: copy) == ImportReport(addedCount: 1))
    #expect(try copy.todos(TodoQuery(), in: .source).elements.map(\.failure) == [failure])
    #expect(try export(copy) == text)
  }

  /// Text from a source may contain U+0000.
  @Test func deliveredZeroByteIsImported() throws {
    let store = try emptyStore()
    try store.mergeRemote([.sample(1, title: "a\0b", body: "\0c")], to: .source)
    let text = try export(store)
    let copy = try emptyStore()
    _ = try importing(text, into: copy)
    #expect(
      try copy.todos(TodoQuery(), in: .source).elements.map(\.content)
        == store.todos(TodoQuery(), in: .source).elements.map(\.content))
    #expect(try export(copy) == text)
  }

  @Test func logIsImportedWithoutUndo() throws {
    let store = try emptyStore()
    let todo = try store.add(NewTodo(title: "Milk"), to: .local)
    _ = try store.edit(todo.id, TodoEdit(title: "Oat milk"), in: .local)
    try store.remove(todo.id, expectedVersion: nil, in: .local)
    let text = try export(store)
    let copy = try emptyStore(idsFrom: 5_000)
    let position = try copy.endPosition()
    _ = try importing(text, into: copy)
    #expect(try copy.changes(after: position, limit: 10).isEmpty)
    #expect(throws: TodoError.self) { try copy.undo(in: .local) }
    let added = try copy.add(NewTodo(title: "Bread"), to: .local)
    #expect(try copy.changes(after: position, limit: 10).map(\.id) == [added.id])
    #expect(text.components(#""what":"remove""#) == 1)
    #expect(try export(copy).components(#""what":"remove""#) == 1)
  }

  /// An edit after an import can be based on a version from before the export.
  @Test func oldVersionIsABaseAfterAnImport() throws {
    let store = try emptyStore()
    let todo = try store.add(NewTodo(title: "Milk", note: "a"), to: .local)
    _ = try store.edit(todo.id, TodoEdit(title: "Oat milk"), in: .local)
    let copy = try emptyStore()
    _ = try importing(export(store), into: copy)
    let edited = try copy.edit(
      todo.id, TodoEdit(note: "b", expectedVersion: todo.version), in: .local)
    #expect(edited.content == TodoContent(title: "Oat milk", note: "b"))
  }

  @Test func draftsAreImportedOnce() throws {
    let world = try DraftWorld()
    world.leave(["one"], of: world.milk, at: 5)
    world.leave(["two"], of: world.bread, at: 3)
    let text = try export(world.store)
    #expect(text.components(#"{"draft":"#) == 2)
    let copy = try emptyStore()
    #expect(try importing(text, into: copy) == ImportReport(addedCount: 2, draftCount: 2))
    #expect(try copy.drafts(in: .local).map(\.draft) == world.store.drafts(in: .local).map(\.draft))
    #expect(try importing(text, into: copy) == ImportReport(knownCount: 2))
    #expect(try export(copy) == text)
  }
}

extension String {
  /// Returns the number of times that a part occurs in the string.
  fileprivate func components(_ part: String) -> Int { split(separator: part).count - 1 }
}
