import TestSupport
import Testing
import TodoDocument
import TodoModel

@testable import TodoDatabase

/// Tests which generations (recorded versions) of a document a store records, and which entries it
/// records for added lines.
@Suite struct DocumentGenerationTests {
  let keeper: DocumentKeeper

  init() throws { keeper = try DocumentKeeper(.local) }

  private var store: SQLiteStore { keeper.store }

  private var contents: [TodoContent] {
    get throws { try store.todos(TodoQuery(), in: keeper.list).elements.map(\.content) }
  }

  /// The editor that saves a line may already have loaded a later generation (recorded version) of
  /// the document. This generation comes from a server that does not know the line.
  @Test func savedLineIsRecognizedInALaterText() throws {
    func typed(_ lines: String) throws -> DocumentSave {
      try keeper.merge(try keeper.text().replacing("<!-- end", with: "\(lines)<!-- end"))
    }
    var save = try typed("- [ ] Milk\nNot a todo\n")
    let later = try typed("- [ ] Milk\nNot a todo\n")
    save.later = [later.generation]
    #expect(try store.saveDocument(save, in: keeper.list).addedCount == 1)
    let report = try store.saveDocument(later, in: keeper.list)
    #expect((report.addedCount, report.textCount, report.knownCount) == (0, 0, 2))
    #expect(try contents.map(\.title) == ["Milk"])
    #expect(try store.readDocument(keeper.path, in: keeper.list).texts.count == 1)
  }

  @Test func anEqualLineAddedLaterIsAnotherTodo() throws {
    let first = try keeper.text().replacing("<!-- end", with: "- [ ] Milk\n<!-- end")
    let later = try keeper.text().replacing("<!-- end", with: "- [ ] Milk\n- [ ] Milk\n<!-- end")
    var save = try keeper.merge(first)
    save.later = [keeper.generation.number]
    _ = try store.saveDocument(save, in: keeper.list)
    let report = try keeper.save(later)
    #expect((report.addedCount, report.knownCount) == (1, 1))
  }

  @Test func aSavedGenerationHasTheEntriesOfItsNewLines() throws {
    let text = try keeper.text().replacing("<!-- end", with: "- [ ] Milk\nNot a todo\n<!-- end")
    let report = try keeper.save(text)
    let known = try store.generation(keeper.generation.number, of: keeper.path, in: keeper.list)
    #expect(known?.entries == report.entries)
    #expect(known?.entries.count == 2)
  }

  /// The new line has no id in this buffer, but another buffer already shows it with its id.
  @Test func aLineThatIsMovedIsNotMissing() throws {
    let text = try keeper.text().replacing("<!-- end", with: "- [ ] Milk\n<!-- end")
    var save = try keeper.merge(text)
    _ = try store.saveDocument(save, in: keeper.list)
    let todo = try #require(try store.todos(TodoQuery(), in: keeper.list).elements.first)
    save.changes.append(.remove(todo.id, version: todo.version, dropping: []))
    let report = try store.saveDocument(save, in: keeper.list)
    #expect((report.removedCount, report.knownCount) == (0, 1))
    #expect(try contents.map(\.title) == ["Milk"])
  }

  /// Two editors have buffers of the same file, and only one of the buffers contains the line.
  @Test func aLineMayBeInEverySecondGeneration() throws {
    try keeper.save("A line\n<!-- end -->\n")
    let with = try store.readDocument(keeper.path, in: keeper.list).generation(0)
    let without = DocumentGeneration(number: 0)
    let generations = [with, without, with, without, with]
    let numbers = try generations.map { generation in
      try store.appendGeneration(generation, of: keeper.path, in: keeper.list)
    }
    for (number, generation) in zip(numbers, generations) {
      let known = try store.generation(number, of: keeper.path, in: keeper.list)
      #expect(known?.texts == generation.texts)
    }
  }
}
