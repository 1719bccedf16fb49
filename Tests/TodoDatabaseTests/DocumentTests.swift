import TestSupport
import Testing
import TodoDocument
import TodoModel

@testable import TodoDatabase

/// Tests a document over a real store: rendered, edited, saved, and rendered again.
@Suite struct DocumentTests {
  let keeper: DocumentKeeper

  init() throws { keeper = try DocumentKeeper(.local) }

  private var store: SQLiteStore { keeper.store }

  private func add(_ title: String, note: String = "") throws -> Todo {
    try store.add(try NewTodo(title: title, note: note), to: keeper.list)
  }

  private var contents: [TodoContent] {
    get throws { try store.todos(TodoQuery(), in: keeper.list).elements.map(\.content) }
  }

  // MARK: Additions

  @Test func typedLinesAreAddedInTheirOrder() throws {
    try keeper.save("- [ ] Milk\n- [x] Rent\n  Paid\n<!-- end -->\n")
    #expect(
      try contents == [
        TodoContent(title: "Milk", note: "", isDone: false),
        TodoContent(title: "Rent", note: "Paid", isDone: true),
      ])
  }

  @Test func theSameTextSavedAgainAddsNothing() throws {
    let text = try keeper.text().replacing("<!-- end", with: "- [ ] Milk\n- [ ] Milk\n<!-- end")
    #expect(try keeper.save(text).addedCount == 2)
    for _ in 0..<3 {
      _ = try keeper.text()
      let again = try keeper.save(text)
      #expect((again.addedCount, again.knownCount) == (0, 2))
    }
    #expect(try contents.map(\.title) == ["Milk", "Milk"])
  }

  /// A line that was already saved is not added again, even if its todo was done or removed since.
  @Test func anOldTextDoesNotRestoreARemovedTodo() throws {
    let text = try keeper.text().replacing("<!-- end", with: "- [ ] Milk\n<!-- end")
    try keeper.save(text)
    let todo = try #require(try store.todos(TodoQuery(), in: keeper.list).elements.first)
    try store.remove(todo.id, expectedVersion: nil, in: keeper.list)
    try keeper.save(text)
    #expect(try contents.isEmpty)
  }

  /// The text was saved, but not rendered again since.
  @Test func lineThatIsDeletedAndTypedAgainIsAddedAgain() throws {
    let text = try keeper.text()
    let typed = text.replacing("<!-- end", with: "- [ ] Milk\nSoon\n<!-- end")
    let added = try keeper.save(typed)
    let milk = try #require(try store.todos(TodoQuery(), in: keeper.list).elements.first)
    let soon = try #require(added.entries.values.compactMap(\.textNumber).first)
    let deleted = DocumentSave(
      path: keeper.path, generation: keeper.generation.number,
      changes: [.remove(milk.id, version: milk.version, dropping: []), .removeLine(soon)])
    #expect(try store.saveDocument(deleted, in: keeper.list).removedCount == 1)
    let again = try keeper.save(typed)
    #expect((again.addedCount, again.knownCount) == (1, 0))
    #expect(try keeper.text().contains("\nSoon\n"))
  }

  @Test func aTextWithoutAFirstLineIsAddedOnceWhileItsTodoExists() throws {
    let text = "- [ ] Milk\n"
    try keeper.save(text)
    try keeper.save(text)
    let todos = try store.todos(TodoQuery(), in: keeper.list).elements
    #expect(todos.count == 1)
    try store.remove(todos[0].id, expectedVersion: nil, in: keeper.list)
    try keeper.save(text)
    #expect(try contents.map(\.title) == ["Milk"])
  }

  // MARK: Edits

  @Test func anEditOfOneLineWritesOneTodo() throws {
    for number in 0..<20 { _ = try add("Todo \(number)") }
    let text = try keeper.text()
    let before = try store.todos(TodoQuery(), in: keeper.list).elements
    try keeper.save(text.replacing("- [ ] Todo 7 ", with: "- [x] Todo seven "))
    let after = try store.todos(TodoQuery(), in: keeper.list).elements
    let changed = zip(before, after).filter { $0 != $1 }
    #expect(changed.count == 1)
    #expect(changed.first?.1.version == 2)
    _ = try keeper.text()
    let lines = try store.withConnection { connection throws(TodoError) in
      try connection.texts("SELECT name FROM document_line")
    }
    #expect(lines.count == 21)
  }

  @Test func editsOfDifferentFieldsAreMerged() throws {
    let todo = try add("Milk", note: "Two litres")
    let text = try keeper.text()
    _ = try store.edit(todo.id, try TodoEdit(note: "One litre"), in: keeper.list)
    let report = try keeper.save(text.replacing("] Milk", with: "] Oat milk"))
    #expect((report.editedCount, report.conflictCount) == (1, 0))
    #expect(try contents == [TodoContent(title: "Oat milk", note: "One litre", isDone: false)])
  }

  @Test func uneditedOldTextChangesNothing() throws {
    let todo = try add("Milk")
    let text = try keeper.text()
    _ = try store.edit(todo.id, try TodoEdit(title: "Oat milk"), in: keeper.list)
    _ = try keeper.text()
    #expect(try keeper.save(text).isEmpty)
    // Without its first line the text is not an edit either: each line contains its version.
    #expect(try keeper.save(text.replacing("<!-- todo-server", with: "<!-- ")).editedCount == 0)
    #expect(try contents.map(\.title) == ["Oat milk"])
  }

  @Test func anEditOfARemovedTodoBecomesANewTodo() throws {
    let todo = try add("Milk")
    let text = try keeper.text().replacing("] Milk", with: "] Oat milk")
    try store.remove(todo.id, expectedVersion: nil, in: keeper.list)
    for _ in 0..<3 { try keeper.save(text) }
    #expect(try contents.map(\.title) == ["Oat milk"])
  }

  /// A line that was copied from another list is added once, whatever lines are added beside it.
  @Test func aLineOfAnotherListIsAddedOnceByATextWithoutAFirstLine() throws {
    let line = "- [ ] Milk ^k3f9q2m7x0v5t8b1.4\n"
    for text in [line, "\(line)- [ ] Rent\n", line] { try keeper.save(text) }
    #expect(try contents.map(\.title).sorted() == ["Milk", "Rent"])
  }

  // MARK: Conflicts

  private func conflict() throws -> (id: TodoID, old: String) {
    let todo = try add("Milk")
    let old = try keeper.text().replacing("] Milk", with: "] Oat milk")
    _ = try store.edit(todo.id, try TodoEdit(title: "Soy milk"), in: keeper.list)
    #expect(try keeper.save(old).conflictCount == 1)
    return (todo.id, old)
  }

  @Test func aConflictKeepsBothTexts() throws {
    let (id, _) = try conflict()
    let text = try keeper.text()
    #expect(
      text.contains(
        """
        - [ ] Soy milk ^\(TodoMark(of: id).text) !conflict
          <<< mine
          [ ] Oat milk
          === theirs
          [ ] Soy milk
          >>>
        """))
    #expect(try keeper.save(text).isEmpty)
    #expect(try contents.map(\.title) == ["Soy milk"])
  }

  @Test(arguments: ["Oat milk", "Soy milk"])
  func deletingOneTextResolvesAConflict(kept: String) throws {
    let (id, old) = try conflict()
    let text = try keeper.text()
    let other = kept == "Oat milk" ? "Soy milk" : "Oat milk"
    try keeper.save(text.replacing("  [ ] \(other)\n", with: ""))
    #expect(try contents.map(\.title) == [kept])
    #expect(try !keeper.text().contains("!conflict"))
    // Saving the old text again changes nothing: the conflict is resolved.
    #expect(try keeper.save(old).isEmpty)
    #expect(try store.todo(id, in: keeper.list).content.title == kept)
  }

  /// If others have changed the todo, the saved line becomes one side of a conflict. The user can
  /// choose or discard this side.
  @Test func todoChangedJustBeforeTheSaveIsAConflict() throws {
    let todo = try add("Milk", note: "Two litres")
    let text = try keeper.text().replacing("] Milk", with: "] Oat milk")
    let save = try keeper.merge(text)
    _ = try store.edit(todo.id, try TodoEdit(title: "Soy", note: "One"), in: keeper.list)
    #expect(try store.saveDocument(save, in: keeper.list).conflictCount == 1)
    let conflict = try keeper.text()
    #expect(conflict.contains("  [ ] Oat milk\n    Two litres\n  === theirs\n"))
    try keeper.save(conflict.replacing("  [ ] Soy\n    One\n", with: ""))
    #expect(
      try contents == [TodoContent(title: "Oat milk", note: "Two litres", isDone: false)])
    #expect(try !keeper.text().contains("!conflict"))
  }

  @Test func theConflictTextOfARemovedTodoBecomesANewTodo() throws {
    let (id, _) = try conflict()
    try store.remove(id, expectedVersion: nil, in: keeper.list)
    let text = try keeper.text()
    #expect(text.contains("- [ ] Oat milk ^"))
    #expect(!text.contains("Soy milk"))
    #expect(try contents.map(\.title) == ["Oat milk"])
  }

  @Test func invalidTitleIsKeptAsAConflict() throws {
    _ = try add("Milk")
    let long = String(repeating: "m", count: TitleField.charactersMax + 1)
    let text = try keeper.text().replacing("] Milk", with: "] \(long)")
    #expect(try keeper.save(text).conflictCount == 1)
    #expect(try contents.map(\.title) == ["Milk"])
    #expect(try keeper.text().contains("  [ ] \(long)\n"))
  }

  @Test func aConflictWithTheSourceIsSettledInTheFile() throws {
    let keeper = try DocumentKeeper(.source)
    _ = try keeper.store.mergeRemote([RemoteItem(.sample(1))], of: nil, to: keeper.list)
    let todo = try #require(try keeper.store.todos(TodoQuery(), in: keeper.list).elements.first)
    _ = try keeper.store.edit(todo.id, try TodoEdit(title: "Mine"), in: keeper.list)
    _ = try keeper.store.mergeRemote(
      [RemoteItem(.sample(1, title: "Theirs"))], of: nil, to: keeper.list)
    let text = try keeper.text()
    #expect(text.contains("  <<< mine\n  [ ] Mine\n  === theirs\n  [ ] Theirs\n  >>>\n"))
    try keeper.save(text.replacing("  [ ] Mine\n", with: ""))
    #expect(try keeper.store.todo(todo.id, in: keeper.list).content.title == "Theirs")
    #expect(try keeper.store.counts(of: keeper.list).conflicts == 0)
  }

  // MARK: Removals

  @Test func aMissingLineIsRemovedAndUndoBringsItBack() throws {
    let todo = try add("Milk")
    let text = try keeper.text()
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("- [") })
    #expect(try keeper.save(text.replacing("\(line)\n", with: "")).removedCount == 1)
    #expect(try contents.isEmpty)
    _ = try store.undo(in: keeper.list)
    #expect(try store.todo(todo.id, in: keeper.list).content.title == "Milk")
    // Saving the text without the line does not remove the restored todo again.
    #expect(try keeper.save(text.replacing("\(line)\n", with: "")).isEmpty)
  }

  @Test func todoAddedSinceIsNotRemovedByAnOldText() throws {
    let text = try keeper.text()
    _ = try add("Milk")
    _ = try keeper.text()
    #expect(try keeper.save(text).isEmpty)
    #expect(try contents.map(\.title) == ["Milk"])
  }

  // MARK: Generations

  @Test func expiredGenerationsAreDeletedWithTheirLines() throws {
    _ = try add("Milk")
    let first = try keeper.text()
    let number = keeper.generation.number
    for count in 0..<DocumentLimits.generationsMax {
      keeper.generation.number += 1
      try store.recordGeneration(
        NextGeneration(
          path: keeper.path, number: keeper.generation.number, lines: [:], texts: [:]),
        in: keeper.list)
      guard count == DocumentLimits.generationsMax - 2 else { continue }
      #expect(try store.generation(number, of: keeper.path, in: keeper.list) != nil)
    }
    #expect(try store.generation(number, of: keeper.path, in: keeper.list) == nil)
    // A text of an expired generation removes nothing.
    let line = try #require(first.split(separator: "\n").first { $0.hasPrefix("- [") })
    #expect(try keeper.save(first.replacing("\(line)\n", with: "")).isEmpty)
  }

  @Test func textsAreKeptAndRemoved() throws {
    _ = try add("Milk")
    let text = try keeper.text()
    let noted = text.replacing("<!-- end", with: "\n# Later\n  soon\n<!-- end")
    #expect(try keeper.save(noted).textCount == 2)
    let again = try keeper.text()
    #expect(again.hasSuffix("\n\n# Later\n  soon\n<!-- end -->\n"))
    #expect(try keeper.save(noted).isEmpty)
    // A text that never contained the line does not remove it.
    #expect(try keeper.save(text).isEmpty)
    #expect(try keeper.save(again.replacing("\n# Later\n  soon\n", with: "")).textCount == 2)
    #expect(try !keeper.text().contains("Later"))
  }

  /// Other processes that show the document notice changes only by its change token.
  @Test func aPlainLineOrAConflictSideChangesTheChangeToken() throws {
    try keeper.save("- [ ] Milk\n<!-- end -->\n")
    let old = try keeper.text()
    var changeToken = try store.changeToken(in: keeper.list)
    for text in [
      old.replacing("<!-- end", with: "A line\n<!-- end"), old.replacing("Milk", with: "Oat milk"),
      old.replacing("Milk", with: "Soy milk"),
    ] {
      try keeper.save(text)
      let next = try store.changeToken(in: keeper.list)
      #expect(next != changeToken)
      changeToken = next
    }
  }

  @Test func moveOfAPlainLineChangesTheChangeToken() throws {
    try keeper.save("One\nTwo\n<!-- end -->\n")
    let lines = try store.readDocument(keeper.path, in: keeper.list).texts
    let changeToken = try store.changeToken(in: keeper.list)
    let move = DocumentChange.move(.text(lines[0].id), .below(.text(lines[1].id)))
    _ = try store.saveDocument(
      DocumentSave(path: keeper.path, generation: 0, changes: [move]), in: keeper.list)
    let moved = try store.readDocument(keeper.path, in: keeper.list).texts
    #expect(moved.map(\.text) == ["Two", "One"])
    #expect(try store.changeToken(in: keeper.list) != changeToken)
  }

  @Test func additionThatStaysAPlainLineChangesTheChangeToken() throws {
    _ = try keeper.text()
    let changeToken = try store.changeToken(in: keeper.list)
    let addition = AdditionKey(digest: 1, occurrence: 1)
    let add = DocumentChange.add(TodoContent(title: " "), addition, .first)
    let report = try store.saveDocument(
      DocumentSave(path: keeper.path, generation: 0, changes: [add]), in: keeper.list)
    #expect(report.textCount == 1)
    #expect(try store.changeToken(in: keeper.list) != changeToken)
  }

  /// If the number of a deleted plain line were used again, a process that still has this number
  /// would remove the new line.
  @Test func theNumberOfADeletedPlainLineIsNotReused() throws {
    try keeper.save("One\n<!-- end -->\n")
    let first = try #require(try store.readDocument(keeper.path, in: keeper.list).texts.first)
    let removal = DocumentSave(path: keeper.path, generation: 0, changes: [.removeLine(first.id)])
    _ = try store.saveDocument(removal, in: keeper.list)
    _ = try keeper.text()
    try keeper.save("Two\n<!-- end -->\n")
    let second = try #require(try store.readDocument(keeper.path, in: keeper.list).texts.first)
    #expect(second.text == "Two")
    #expect(second.id != first.id)
  }

  @Test func plainLinesAreNotDuplicatedByTwoBuffers() throws {
    let empty = try keeper.text()
    try keeper.save(empty.replacing("<!-- end", with: "One\nTwo\n<!-- end"))
    let first = try keeper.text()
    for number in 0..<20 {
      // Two buffers of one generation, the second without its end marker.
      try keeper.save(first.replacing("Two\n", with: "Two\nMine \(number)\n"))
      let half = first.replacing("One\n", with: "One\nTheirs \(number)\n")
      try keeper.save(half.replacing("<!-- end -->\n", with: ""))
      _ = try keeper.text()
    }
    let lines = try keeper.text().split(separator: "\n").dropFirst().dropLast()
    #expect(lines.count == 42)
    #expect(Set(lines).count == 42)
    #expect(lines.first == "One")
    #expect(lines.dropFirst().prefix { $0.hasPrefix("Theirs") }.count == 20)
  }
}

/// Maintains a document as a mirror does, without a file.
final class DocumentKeeper {
  let store: SQLiteStore
  let list: TodoListKey
  let path = "/home/ann/todos.md"
  var generation: DocumentGeneration
  var today = CivilDay.first
  private var removed = RemovedEntries()

  init(_ list: TodoListKey, environment: Environment = .counting()) throws {
    self.list = list
    store = try SQLiteStore(at: .memory, environment: environment)
    generation = DocumentGeneration(number: try store.openDocument(path, in: list))
  }

  /// Renders the document and records the generation.
  func text() throws -> String {
    let contents = try store.readDocument(path, in: list)
    removed.forgetRestored(in: contents)
    let next = contents.generation(generation.number + 1)
    try store.recordGeneration(generation.difference(to: next, path: path), in: list)
    generation = next
    let heading = DocumentHeading(list: list, generation: next.number)
    return String(decoding: DocumentPrinter.print(heading, contents), as: UTF8.self)
  }

  @discardableResult
  func save(_ text: String) throws -> DocumentReport {
    let wanted = try merge(text)
    let report = try store.saveDocument(wanted, in: list)
    _ = removed.record(wanted, try store.readDocument(path, in: list))
    return report
  }

  /// Returns the changes of a saved text.
  func merge(_ text: String) throws -> DocumentSave {
    let contents = try store.readDocument(path, in: list)
    let document = Document(reading: Array(text.utf8), on: today, marks: contents.marks)
    let known = try document.heading.flatMap { heading in
      try store.generation(heading.generation, of: path, in: list)
    }
    return DocumentMerge(
      document, madeFrom: known, now: contents, path: path, removed: removed
    ).save
  }
}
