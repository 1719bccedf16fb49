import TestSupport
import Testing
import TodoDocument
import TodoModel

@testable import TodoDatabase

/// Tests the marks of lines (rule 2 for documents).
@Suite struct MarkTests {
  private let keeper: DocumentKeeper

  init() throws { keeper = try DocumentKeeper(.local) }

  private var store: SQLiteStore { keeper.store }

  private var contents: [TodoContent] {
    get throws { try store.todos(TodoQuery(), in: keeper.list).elements.map(\.content) }
  }

  private func add(_ title: String, note: String = "", to list: TodoListKey? = nil) throws -> Todo {
    try store.add(try NewTodo(title: title, note: note), to: list ?? keeper.list)
  }

  private func mark(of id: TodoID) throws -> TodoMark {
    let contents = try store.readDocument(keeper.path, in: keeper.list)
    return try #require(contents.todos.first { $0.id == id }?.mark)
  }

  private func type(_ line: String) throws -> String {
    try keeper.text().replacing("<!-- end", with: "\(line)\n<!-- end")
  }

  /// The marks of two lists differ, and are the same when the document is read again.
  @Test func rule2MarksAreUniqueInTheStore() throws {
    let other = TodoListKey(profile: "bob", source: "")
    _ = try store.openDocument("/bob.md", in: other)
    for list in [keeper.list, other] {
      for number in 0..<40 { _ = try add("Todo \(number)", to: list) }
    }
    let marks =
      try store.readDocument(keeper.path, in: keeper.list).todos.map(\.mark)
      + store.readDocument("/bob.md", in: other).todos.map(\.mark)
    #expect(marks.count == 80 && Set(marks).count == 80)
    // They stay the same.
    let again = try store.readDocument(keeper.path, in: keeper.list).todos.map(\.mark)
    #expect(again == Array(marks.prefix(40)))
  }

  @Test func rule2NoMarkIsAssignedTwice() throws {
    let id = TodoID("k3f9q2m7x0v5t8b1")
    let first = TodoMark(of: id)
    let other = TodoID("k3f9q2m7x0v5t8b2")
    try store.database.change { connection throws(TodoError) in
      let marks = connection.tables.marks
      try marks.assign(to: [id], in: 1)
      try marks.assign(to: [other, id], in: 1)
    }
    let known = try store.database.read { connection throws(TodoError) in
      try connection.tables.marks.marks(in: 1)
    }
    #expect(known.todos[id] == first)
    #expect(known.todos[other] != nil && known.todos[other] != first)
  }

  @Test func rule2AMarkStaysThatOfARemovedTodo() throws {
    let todo = try add("Milk")
    let line = try "- [ ] Milk ^\(mark(of: todo.id).text)"
    _ = try keeper.text()
    try keeper.save(try keeper.text().replacing("\(line)\n", with: ""))
    #expect(try contents.isEmpty)
    try keeper.save(try type(line))
    #expect(try store.todos(TodoQuery(), in: keeper.list).elements.map(\.id) == [todo.id])
  }

  @Test func rule2CapitalLettersCountLikeSmallOnes() throws {
    let todo = try add("Milk")
    let mark = try mark(of: todo.id).text
    let text = try keeper.text()
    try keeper.save(
      text.replacing("Milk ^\(mark)", with: "Oat milk ^\(mark.uppercased())"))
    #expect(try contents.map(\.title) == ["Oat milk"])
  }

  @Test func rule2EveryOtherWordIsText() throws {
    for word in ["^abcdef", "^note1", "^k3f9q2", "^"] {
      try keeper.save(try type("- [ ] See \(word)"))
    }
    #expect(try contents.map(\.title) == ["See ^abcdef", "See ^note1", "See ^k3f9q2", "See ^"])
  }

  @Test func rule2NoMarkIsAssignedThatOccursInAText() throws {
    let todo = try add("Milk")
    let first = TodoMark(of: todo.id).text
    _ = try add("See ^\(first)")
    #expect(try mark(of: todo.id).text != first)
    let text = try keeper.text()
    #expect(try keeper.save(text).isEmpty)
  }

  @Test func rule2TheGenerationHasTheVersion() throws {
    let todo = try add("Milk", note: "Two litres")
    let old = try keeper.text()
    _ = try store.edit(todo.id, try TodoEdit(note: "Three litres"), in: keeper.list)
    _ = try keeper.text()
    try keeper.save(old.replacing("] Milk", with: "] Oat milk"))
    #expect(
      try contents == [TodoContent(title: "Oat milk", note: "Three litres", isDone: false)])
  }

  @Test(arguments: ["2 l", " 2 l", ", 2 l", ".5 l", " ^a1b2", "1500 EUR"])
  func rule2TextAfterAMarkBelongsToTheTitle(text: String) throws {
    let todo = try add("Milk")
    let mark = try mark(of: todo.id).text
    try keeper.save(try keeper.text().replacing("^\(mark)", with: "^\(mark)\(text)"))
    #expect(try contents.map(\.title) == ["Milk \(text.trimmed)"])
    #expect(try store.todos(TodoQuery(), in: keeper.list).elements.map(\.id) == [todo.id])
  }

  @Test func rule2AForeignMarkStaysLast() throws {
    let todo = try add("Milk ^a1b2")
    let mark = try mark(of: todo.id).text
    let text = try keeper.text()
    #expect(text.contains("\n- [ ] Milk ^\(mark) ^a1b2\n"))
    #expect(try keeper.save(text).isEmpty)
  }

  @Test func rule2AMarkOfAnotherListMakesAnAdditionWithoutTheMark() throws {
    let other = TodoListKey(profile: "bob", source: "")
    _ = try store.openDocument("/bob.md", in: other)
    _ = try add("Of Bob", to: other)
    let mark = try #require(try store.readDocument("/bob.md", in: other).todos.first?.mark)
    try keeper.save(try type("- [ ] Milk ^\(mark.text)"))
    #expect(try contents.map(\.title) == ["Milk"])
    #expect(try store.todos(TodoQuery(), in: other).elements.map(\.content.title) == ["Of Bob"])
  }

  /// In the older format, a mark is the ID and the version.
  @Test func rule2FilesInTheOldFormatAreTakenOver() throws {
    let (milk, rent) = (try add("Milk", note: "Two litres"), try add("Rent"))
    var old = try keeper.text()
    for todo in [milk, rent] {
      old = old.replacing(
        "^\(try mark(of: todo.id).text)", with: "^\(todo.id.text).\(todo.version)")
    }
    #expect(try keeper.save(old).isEmpty)
    _ = try store.edit(milk.id, try TodoEdit(note: "Three litres"), in: keeper.list)
    _ = try keeper.text()
    try keeper.save(old.replacing("] Milk", with: "] Oat milk"))
    #expect(
      try contents == [
        TodoContent(title: "Rent", note: "", isDone: false),
        TodoContent(title: "Oat milk", note: "Three litres", isDone: false),
      ])
  }

  @Test func rule16AReservedMarkMakesAnAdditionWithThisMark() throws {
    let reserved = try store.reserveMarks(2, in: keeper.list)
    #expect(Set(reserved.map(\.mark)).count == 2)
    try keeper.save(try type("- [ ] Milk ^\(reserved[0].mark.text)"))
    let todo = try #require(try store.todos(TodoQuery(), in: keeper.list).elements.first)
    #expect(todo.id == reserved[0].id && todo.content.title == "Milk")
    #expect(try mark(of: todo.id) == reserved[0].mark)
  }

  /// A line, such as one from an old buffer, contains an earlier text of its todo (rule 8 for
  /// documents).
  @Test func rule8AnEarlierLineConflictsIfOthersHaveChangedTheTodo() throws {
    let todo = try add("Milk")
    let old = try keeper.text()
    _ = try store.edit(todo.id, try TodoEdit(title: "Oat milk"), in: keeper.list)
    let new = try keeper.text()
    let report = try keeper.save(new.replacing("] Oat milk", with: "] Milk"))
    #expect(report.conflictCount == 1)
    #expect(try contents.map(\.title) == ["Oat milk"])
    #expect(try keeper.save(old).isEmpty)
  }

  @Test func rule8AnEarlierLineIsAnEditIfTheDocumentHasChangedTheTodo() throws {
    _ = try add("Milk")
    try keeper.save(try keeper.text().replacing("] Milk", with: "] Oat milk"))
    try keeper.save(try keeper.text().replacing("] Oat milk", with: "] Milk"))
    #expect(try contents.map(\.title) == ["Milk"])
  }

  @Test func exportContainsTheMarksOfRemovedTodosToo() throws {
    let (milk, rent) = (try add("Milk"), try add("Rent"))
    let marks = [try mark(of: milk.id), try mark(of: rent.id)]
    try store.remove(milk.id, expectedVersion: nil, in: keeper.list)
    let other = try SQLiteStore(at: .memory, environment: .counting())
    var export: [UInt8] = []
    try store.exportLines(of: .all) { export += $0 }
    let text = String(decoding: export, as: UTF8.self)
    _ = try other.importLines(LineReader(text: text), profile: nil)
    let known = try other.database.read { connection throws(TodoError) in
      try connection.tables.marks.marks(in: 1)
    }
    #expect([known.todos[milk.id], known.todos[rent.id]] == marks)
  }
}
