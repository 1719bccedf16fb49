import TestSupport
import Testing
import TodoDocument
import TodoModel

@testable import TodoDatabase

/// Tests a document in which imported todos and plain lines have the same numbers: the imported
/// todos have the ids `1`, `2`, …
@Suite struct DocumentImportTests {
  private static let count = 20
  private let keeper: DocumentKeeper

  init() throws {
    keeper = try DocumentKeeper(.local)
    var export = """
      {"format":"todo-server","version":1}
      {"list":{"name":"ann","source":"local"}}

      """
    for number in 1...Self.count {
      export += "{\"id\":\"\(number)\",\"title\":\"Todo number \(number)\"}\n"
    }
    _ = try keeper.store.importLines(LineReader(text: export), profile: nil)
  }

  private var todos: [TodoContent] {
    get throws { try keeper.store.todos(TodoQuery(), in: keeper.list).elements.map(\.content) }
  }

  private var contents: DocumentContents {
    get throws { try keeper.store.readDocument(keeper.path, in: keeper.list) }
  }

  private func lines(_ line: (Int) -> String) -> String {
    (1...Self.count).map { line($0) + "\n" }.joined()
  }

  @Test func aGrownPlainLineReplacesThePlainLineWithItsNumber() throws {
    let text = try keeper.text()
    let before = try todos
    try keeper.save(text.replacing("<!-- end", with: lines { "Text \($0)" } + "<!-- end"))
    #expect(try contents.texts.map(\.id) == (1...20).map { Int64($0) })
    let grown = lines { "Text \($0) and more" }
    try keeper.save(text.replacing("<!-- end", with: grown + "<!-- end"))
    #expect(try contents.texts.map(\.text) == (1...20).map { "Text \($0) and more" })
    #expect(try todos == before)
  }

  /// The text of each new line begins with the title of an imported todo.
  @Test func aNewTodoDoesNotReplaceTheImportedTodoWithItsNumber() throws {
    let text = try keeper.text()
    let before = try todos
    try keeper.save(text.replacing("<!-- end", with: lines { "Todo number \($0)" } + "<!-- end"))
    let grown = lines { "- [x] Todo number \($0) again" }
    try keeper.save(text.replacing("<!-- end", with: grown + "<!-- end"))
    #expect(try todos.filter { !$0.isDone } == before)
    #expect(try todos.count == 2 * Self.count)
  }

  @Test func aPlainLineIsRemovedWhileTheTodoWithItsNumberIsEdited() throws {
    try keeper.save(
      keeper.text().replacing("<!-- end", with: lines { "Text \($0)" } + "<!-- end"))
    var text = try keeper.text()
    for number in 1...Self.count {
      text = text.replacing("Todo number \(number) ^", with: "Todo with number \(number) ^")
        .replacing("Text \(number)\n", with: "")
    }
    try keeper.save(text)
    #expect(try contents.texts == [])
    #expect(try todos.allSatisfy { $0.title.hasPrefix("Todo with number ") })
  }
}
