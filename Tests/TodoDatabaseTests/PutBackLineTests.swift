import Testing
import TodoModel

@testable import TodoDatabase

/// A user saves a file without a line, and puts the line back (rule 10 for documents).
@Suite struct PutBackLineTests {
  let keeper: DocumentKeeper

  init() throws { keeper = try DocumentKeeper(.local) }

  /// Another user restores the todo after the changes in the saved text were determined, and before
  /// they are stored.
  @Test(arguments: ["Oat milk", "Milk"])
  func rule10EditOfAPutBackLineIsMergedWithARestoredTodo(title: String) throws {
    let (store, list) = (keeper.store, keeper.list)
    let todo = try store.add(try NewTodo(title: "Milk"), to: list)
    let text = try keeper.text()
    let lines = text.split(separator: "\n").filter { !$0.contains("Milk") }
    try keeper.save(lines.map { "\($0)\n" }.joined())
    let putBack = try keeper.merge(text.replacing("Milk", with: title))
    _ = try store.restore(todo.id, in: list)
    _ = try store.saveDocument(putBack, in: list)
    #expect(try store.todos(TodoQuery(), in: list).elements.map(\.content.title) == [title])
  }

  @Test(arguments: ["", "- [ ] "])
  func lineTypedAgainAfterItWasExtendedIsNew(box: String) throws {
    let text = try keeper.text()
    for lines in [["One"], ["One two"], ["One two", "One"], ["One two", "One"]] {
      let added = lines.map { "\(box)\($0)\n" }.joined()
      try keeper.save(text.replacing("<!-- end", with: "\(added)<!-- end"))
    }
    let contents = try keeper.store.readDocument(keeper.path, in: keeper.list)
    let stored = box.isEmpty ? contents.texts.map(\.text) : contents.todos.map(\.content.title)
    #expect(stored == ["One two", "One"])
  }
}
