import TestSupport
import Testing
import TodoDocument
import TodoModel

@testable import TodoDatabase

/// Tests lines to which the editor has added a reserved mark before it saves them (rule 16 for
/// documents).
@Suite struct ReservedMarkTests {
  private let keeper: DocumentKeeper
  private static let line = "- [ ] Milk ^a000000000000001.1\n"
  private static let id = TodoID("a000000000000001")

  init() throws { keeper = try DocumentKeeper(.local) }

  private var todos: [Todo] {
    get throws { try keeper.store.todos(TodoQuery(), in: keeper.list).elements }
  }

  @Test func rule16LineIsAddedOnceWithItsMarkWhereItWasTyped() throws {
    for title in ["Rent", "Bread"] {
      _ = try keeper.store.add(try NewTodo(title: title), to: keeper.list)
    }
    let text = try keeper.text()
    let second = try #require(text.range(of: "- [ ] Rent"))
    let typed = text.replacingCharacters(in: second.lowerBound..<second.lowerBound, with: Self.line)
    #expect(try keeper.save(typed).addedCount == 1)
    #expect(try todos.map(\.content.title) == ["Bread", "Milk", "Rent"])
    #expect(try todos[1].id == Self.id)
    #expect(try keeper.save(typed).isEmpty)
    // Also in a text of an unknown generation.
    #expect(try keeper.save("\(Self.line)<!-- end -->\n").isEmpty)
    #expect(try todos.count == 3)
  }

  @Test func rule16ALaterEditOfTheLineIsAnEdit() throws {
    let typed = try keeper.text().replacing("<!-- end", with: "\(Self.line)<!-- end")
    try keeper.save(typed)
    try keeper.save(typed.replacing("Milk", with: "Oat milk"))
    #expect(try todos.map(\.content.title) == ["Oat milk"])
    #expect(try todos.map(\.id) == [Self.id])
  }

  @Test func rule16ALineThatWasRemovedSinceStaysRemoved() throws {
    let typed = try keeper.text().replacing("<!-- end", with: "\(Self.line)<!-- end")
    try keeper.save(typed)
    _ = try keeper.text()
    try keeper.store.remove(Self.id, expectedVersion: nil, in: keeper.list)
    try keeper.save(typed)
    #expect(try todos.isEmpty)
  }

  /// No mark is assigned twice (rule 2 for documents).
  @Test func rule2MarkOfAnotherListMakesAnAdditionWithoutTheMark() throws {
    let other = TodoListKey(profile: "bob", source: "")
    _ = try keeper.store.openDocument("/bob.md", in: other)
    let content = TodoContent(title: "Of Bob", note: "", isDone: false)
    let edit = DocumentEdit(
      version: 1, content: content, fields: ContentField.inDocument, lineDigest: nil,
      sideDigest: 1, additionKey: AdditionKey(digest: 1, occurrence: 0))
    _ = try keeper.store.saveDocument(
      DocumentSave(
        path: "/bob.md", generation: 0, changes: [.addMarked(Self.id, edit, .first)]), in: other)
    #expect(try keeper.store.todo(Self.id, in: other).content == content)
    try keeper.save(try keeper.text().replacing("<!-- end", with: "\(Self.line)<!-- end"))
    #expect(try todos.map(\.content.title) == ["Milk"])
    #expect(try todos.map(\.id) != [Self.id])
  }
}

extension String {
  fileprivate func range(of text: String) -> Range<String.Index>? { firstRange(of: text) }

  fileprivate func replacingCharacters(in range: Range<String.Index>, with text: String) -> String {
    var copy = self
    copy.replaceSubrange(range, with: text)
    return copy
  }
}
