import Synchronization
import TestSupport
import Testing
import TodoDocument
import TodoModel

@testable import TodoDatabase

/// Tests the common order of the todos and the plain lines of a list.
@Suite struct EntryOrderTests {
  private let keeper: DocumentKeeper

  init() throws { keeper = try DocumentKeeper(.local) }

  private var store: SQLiteStore { keeper.store }
  private var list: TodoListKey { keeper.list }

  /// The lines of the document, without marks.
  private var lines: [String] {
    get throws {
      try keeper.text().split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
        .dropLast(2).map { line in String(line.prefix { $0 != "^" }).trimmed }
    }
  }

  private func save(_ lines: String...) throws {
    _ = try keeper.text()
    let heading = try #require(try keeper.text().split(separator: "\n").first)
    try keeper.save("\(heading)\n\(lines.joined(separator: "\n"))\n<!-- end -->\n")
  }

  private func id(_ title: String) throws -> TodoID {
    try #require(try todos.first { $0.content.title == title }).id
  }

  private var todos: [Todo] {
    get throws { try store.todos(TodoQuery(limit: .max), in: list).elements }
  }

  private var titles: [String] { get throws { try todos.map(\.content.title) } }

  @discardableResult
  private func move(_ title: String, _ direction: MoveDirection, query: String = "") throws -> Todo
  {
    try store.move(id(title), direction, among: TodoQuery(text: query), in: list)
  }

  // MARK: Moves

  @Test func moveChangesNoVersion() throws {
    for title in ["c", "b", "a"] { _ = try store.add(NewTodo(title: title), to: list) }
    let moved = try store.move(id("c"), to: .before(id("a")), in: list)
    #expect(moved.version == 1)
    #expect(try titles == ["c", "a", "b"])
    _ = try store.move(id("c"), to: .after(id("a")), in: list)
    #expect(try titles == ["a", "c", "b"])
  }

  @Test func moveNextToATodoOfAnotherListFails() throws {
    let todo = try store.add(NewTodo(title: "a"), to: list)
    let other = try store.add(NewTodo(title: "b"), to: TodoListKey(profile: "bob", source: ""))
    for (id, target) in [(todo.id, other.id), (other.id, todo.id)] {
      let error = #expect(throws: TodoError.self) {
        try store.move(id, to: .before(target), in: list)
      }
      #expect(error?.kind == .notFound)
    }
  }

  /// New items of a source may arrive newest first. Each of them is then placed directly above the
  /// same older item.
  @Test func additionsAboveOneEntryDoNotRenumberTheList() throws {
    for number in 0..<2_000 { _ = try store.add(NewTodo(title: "\(number)"), to: list) }
    let old = try id("1000")
    func count() throws -> Int64 {
      try store.database.change { connection throws(TodoError) in
        try connection.number("SELECT total_changes()")
      }
    }
    let before = try count()
    for number in 0..<200 {
      let added = try store.add(NewTodo(title: "new \(number)"), to: list)
      _ = try store.move(added.id, to: .before(old), in: list)
    }
    #expect(try count() - before < 20_000)
    let expected = (0..<200).map { "new \($0)" } + ["1000"]
    #expect(try Array(titles.drop { $0 != "new 0" }.prefix(201)) == expected)
  }

  /// Many moves to one place use up the numbers between two entries. Then the entries of the list
  /// get new numbers.
  @Test func thereIsAlwaysRoomForAnotherEntry() throws {
    for title in ["end", "x", "y"] { _ = try store.add(NewTodo(title: title), to: list) }
    let (x, y, end) = (try id("x"), try id("y"), try id("end"))
    for step in 0..<4_000 {
      _ = try store.move(step % 2 == 0 ? x : y, to: .before(end), in: list)
    }
    #expect(try titles == ["x", "y", "end"])
  }

  @Test func moveUpOfTheFirstOfASectionMakesItTheLastOfTheSectionAbove() throws {
    try save("- [ ] a", "# Work", "About work", "- [ ] b", "- [ ] c")
    try move("b", .up)
    #expect(try lines == ["- [ ] a", "- [ ] b", "# Work", "About work", "- [ ] c"])
    try move("b", .up)
    #expect(try lines == ["- [ ] b", "- [ ] a", "# Work", "About work", "- [ ] c"])
    try move("b", .up)
    #expect(try titles == ["b", "a", "c"])
  }

  @Test func moveDownOfTheLastOfASectionMakesItTheFirstOfTheNext() throws {
    try save("- [ ] a", "# Work", "About work", "- [ ] b", "# Empty", "# Shop")
    try move("a", .down)
    #expect(
      try lines == ["# Work", "About work", "- [ ] a", "- [ ] b", "# Empty", "# Shop"])
    try move("b", .down)
    try move("b", .down)
    try move("b", .down)
    #expect(
      try lines == ["# Work", "About work", "- [ ] a", "# Empty", "# Shop", "- [ ] b"])
  }

  @Test func moveGoesPastTheRowThatAFilterShows() throws {
    for title in ["pear", "kiwi", "plum"] { _ = try store.add(NewTodo(title: title), to: list) }
    try move("plum", .down, query: "p")
    #expect(try titles == ["kiwi", "pear", "plum"])
  }

  // MARK: Undo

  @Test func undoPutsATodoBelowItsFormerNeighbor() throws {
    for title in ["d", "c", "b", "a"] { _ = try store.add(NewTodo(title: title), to: list) }
    _ = try store.move(id("b"), to: .after(id("d")), in: list)
    // Others have moved its neighbor since.
    let other = SQLiteStore(over: store.database, environment: .counting(idsFrom: 50))
    _ = try other.move(id("a"), to: .after(id("c")), in: list)
    #expect(try titles == ["c", "a", "d", "b"])
    let undone = try store.undo(in: list)
    #expect((undone.change, undone.id, undone.todo?.version) == (.move, try id("b"), 1))
    #expect(try titles == ["c", "a", "b", "d"])
    #expect(try store.redo(in: list).change == .move)
    #expect(try titles == ["c", "a", "d", "b"])
  }

  @Test func movesToAndFromTheTopAreUndone() throws {
    for title in ["b", "a"] { _ = try store.add(NewTodo(title: title), to: list) }
    _ = try store.move(id("b"), to: .before(id("a")), in: list)
    _ = try store.move(id("b"), to: .after(id("a")), in: list)
    _ = try store.undo(in: list)
    #expect(try titles == ["b", "a"])
    _ = try store.undo(in: list)
    #expect(try titles == ["a", "b"])
  }

  // MARK: Sections

  @Test func sectionIsTheNearestHeadingAbove() throws {
    try save("- [ ] a", "# Home", "- [ ] b", "Text", "- [ ] c", "### Work ##", "- [ ] d")
    #expect(try todos.map(\.section) == [nil, "Home", "Home", "Work"])
    #expect(
      try store.rows(TodoQuery(), in: list).elements.map(\.section) == [
        nil, "Home", "Home", "Work",
      ])
    #expect(try store.todo(id("c"), in: list).section == "Home")
    #expect(try store.edit(id("d"), TodoEdit(isDone: true), in: list).section == "Work")
    // A sorted list shows no headings.
    let sorted = TodoQuery(sort: TodoSort(.title))
    #expect(try store.rows(sorted, in: list).elements.allSatisfy { $0.section == nil })
    #expect(
      try store.todos(sorted, in: list).elements.map(\.section) == [nil, "Home", "Home", "Work"])
  }

  @Test func newTodoIsAboveTheFirstOneAndInItsSection() throws {
    try save("# Home", "", "About the house", "- [ ] a")
    #expect(try store.add(NewTodo(title: "b"), to: list).section == "Home")
    #expect(try lines == ["# Home", "", "About the house", "- [ ] b", "- [ ] a"])
  }

  // MARK: Documents

  /// Plain lines stay in their place, whatever happens to the todos around them (rule 1 for
  /// documents).
  @Test func removalMovesNoHeading() throws {
    try save("# Home", "- [ ] a", "# Work", "- [ ] b", "# Shop", "- [ ] c")
    for title in ["a", "b"] {
      try store.remove(id(title), expectedVersion: nil, in: list)
    }
    #expect(try lines == ["# Home", "# Work", "# Shop", "- [ ] c"])
    _ = try store.undo(in: list)
    #expect(try lines == ["# Home", "# Work", "- [ ] b", "# Shop", "- [ ] c"])
  }

  /// A new line stays where it was typed (rule 11 for documents).
  @Test func typedLinesStayWhereTheyWereTyped() throws {
    try save("# Home", "- [ ] a", "# Work", "- [ ] b", "- [ ] c", "# Shop")
    #expect(try lines == ["# Home", "- [ ] a", "# Work", "- [ ] b", "- [ ] c", "# Shop"])
    let text = try keeper.text()
    try keeper.save(
      text.replacing("# Work\n", with: "- [ ] n\n# Work\nFirst\n").replacing(
        "<!-- end", with: "- [ ] z\n# New\n- [ ] y\n<!-- end"))
    #expect(
      try lines == [
        "# Home", "- [ ] a", "- [ ] n", "# Work", "First", "- [ ] b", "- [ ] c", "# Shop",
        "- [ ] z", "# New", "- [ ] y",
      ])
  }

  @Test func movedLinesAreMoved() throws {
    try save("# Home", "- [ ] a", "# Work", "- [ ] b", "- [ ] c")
    let text = try keeper.text()
    let c = try #require(text.split(separator: "\n").first { $0.contains("] c") })
    let moved = text.replacing("\(c)\n", with: "").replacing("# Home\n", with: "# Home\n\(c)\n")
    #expect(try keeper.save(moved).movedCount == 1)
    #expect(try lines == ["# Home", "- [ ] c", "- [ ] a", "# Work", "- [ ] b"])
    #expect(try todos.map(\.version) == [1, 1, 1])
    _ = try store.undo(in: list)
    #expect(try lines == ["# Home", "- [ ] a", "# Work", "- [ ] b", "- [ ] c"])
  }

  /// An old buffer does not revert the moves that others have made.
  @Test func aSavedDocumentKeepsMovesMadeElsewhere() throws {
    try save("# Home", "- [ ] a", "- [ ] b", "# Work", "- [ ] c")
    let text = try keeper.text()
    _ = try store.move(id("a"), to: .after(id("c")), in: list)
    try keeper.save(text.replacing("] b", with: "] B"))
    #expect(try lines == ["# Home", "- [ ] B", "# Work", "- [ ] c", "- [ ] a"])
  }

  @Test func secondDocumentHasTheSameTextsBelowItsOwn() throws {
    try save("# Home", "- [ ] a", "The end")
    let path = "/home/ann/second.md"
    _ = try store.openDocument(path, in: list)
    let document = Document(reading: Array("Intro\n# Shop\n- [ ] s\n".utf8), on: .first)
    let merge = DocumentMerge(
      document, madeFrom: nil, now: try store.readDocument(path, in: list), path: path)
    _ = try store.saveDocument(merge.save, in: list)
    #expect(try lines == ["# Home", "- [ ] a", "The end", "Intro", "# Shop", "- [ ] s"])
    #expect(
      try store.readDocument(path, in: list).texts
        == store.readDocument(keeper.path, in: list).texts)
  }

  /// If a save has removed a line, and the line returns with its mark, the line is the same todo as
  /// before (rule 10 for documents).
  @Test func lineThatIsCutAndPastedIsTheSameTodo() throws {
    let number = Mutex(1_000)
    var environment = Environment.counting()
    environment.newID = {
      let next = number.withLock { number in
        number += 1
        return number
      }
      return TodoID("k3f9abcdefgh\(next)")
    }
    let keeper = try DocumentKeeper(list, environment: environment)
    try keeper.save("# Home\n- [x] a #ui\n  Note\n# Work\n- [ ] b\n<!-- end -->\n")
    let todos = try keeper.store.todos(TodoQuery(), in: list).elements
    let text = try keeper.text()
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let cut = lines.filter { $0.contains("] a") || $0.contains("Note") }.joined(separator: "\n")
    #expect(try keeper.save(text.replacing("\(cut)\n", with: "")).removedCount == 1)
    let pasted = try keeper.text().replacing("<!-- end", with: "\(cut)\n<!-- end")
    for _ in 0..<2 {
      try keeper.save(pasted)
      let now = try keeper.store.todos(TodoQuery(), in: list).elements
      #expect(now.map(\.id) == todos.reversed().map(\.id))
      #expect(now.map(\.content) == todos.reversed().map(\.content))
      #expect(now.map(\.section) == ["Work", "Work"])
    }
    #expect(try keeper.store.removedTodos(in: list).isEmpty)
    // Another user's removal stays.
    let last = try keeper.text()
    try keeper.store.remove(todos[0].id, expectedVersion: nil, in: list)
    try keeper.save(last)
    try keeper.save(keeper.text().replacing("<!-- end", with: "\(cut)\n<!-- end"))
    #expect(try keeper.store.todos(TodoQuery(), in: list).elements.map(\.id) == [todos[1].id])
  }

  /// Identical plain lines are distinguished by the todo above each of them.
  @Test func identicalTextsAreKnownByTheirNeighbors() throws {
    try save("---", "- [ ] a", "---", "- [ ] b", "---", "- [ ] c")
    let before = try store.readDocument(keeper.path, in: list).texts
    let text = try keeper.text()
    let first = try #require(text.range(of: "---\n"))
    try keeper.save(String(text[..<first.lowerBound]) + text[first.upperBound...])
    #expect(try store.readDocument(keeper.path, in: list).texts == Array(before.dropFirst()))
    #expect(try lines == ["- [ ] a", "---", "- [ ] b", "---", "- [ ] c"])
  }

  // MARK: Exchange

  @Test func exportHasTheOrderOfAllEntries() throws {
    try save("# Home", "- [ ] b", "# Work", "- [ ] a", "The end")
    _ = try store.move(id("a"), to: .before(id("b")), in: list)
    _ = try store.move(id("b"), to: .after(id("a")), in: list)
    try move("b", .down)
    var export: [UInt8] = []
    try store.exportLines(of: .all) { export += $0 }
    let copy = try DocumentKeeper(list)
    let text = String(decoding: export, as: UTF8.self)
    let report = try copy.store.importLines(LineReader(text: text), profile: nil)
    #expect((report.addedCount, report.textCount) == (2, 3))
    #expect(
      try String(copy.text().drop { $0 != "\n" }) == String(keeper.text().drop { $0 != "\n" }))
    #expect(
      try copy.store.todos(TodoQuery(), in: list).elements.map(\.section) == ["Home", "Work"])
    let again = try copy.store.importLines(LineReader(text: text), profile: nil)
    #expect((again.addedCount, again.textCount) == (0, 0))
    _ = try copy.store.move(
      TodoID(id("b").text), to: .before(TodoID(id("a").text)), in: list)
  }

  /// In version 2 of the export format, the `below` of a plain line names the todo above the line.
  @Test func exportOfVersionTwoKeepsTheLinesBelowTheirTodos() throws {
    let text = """
      {"format":"todo-server","version":2}
      {"list":{"name":"ann","source":"local"}}
      {"id":"a","title":"a","order":-2}
      {"id":"b","title":"b","order":-1}
      {"document":{"path":"/home/ann/todos.md","generation":7}}
      {"text":{"number":1,"text":"# Home"}}
      {"text":{"number":2,"text":"About"}}
      {"text":{"number":3,"text":"# Work","below":"a"}}
      {"text":{"number":4,"text":"More","below":"a"}}
      {"end":{"lines":9}}

      """
    _ = try store.importLines(LineReader(text: text), profile: nil)
    #expect(try lines == ["# Home", "About", "- [ ] a", "# Work", "More", "- [ ] b"])
  }
}

extension EntryOrderTests {
  /// A new item of a source comes directly above the next older one.
  @Test func newItemIsAboveTheNextOlderOne() throws {
    let list = TodoListKey(profile: "ann", source: "github:octo/tasks")
    let store = try SQLiteStore(at: .memory, environment: .counting())
    func deliver(_ numbers: Int64...) throws {
      _ = try store.mergeRemote(
        numbers.map { RemoteItem(.sample($0, title: "\($0)")) }, of: nil, to: list)
    }
    func id(_ number: Int64) throws -> TodoID {
      try #require(
        try store.todos(TodoQuery(), in: list).elements.first { $0.origin?.number == number }
      ).id
    }
    func numbers() throws -> [Int64?] {
      try store.rows(TodoQuery(), in: list).elements.map(\.number)
    }
    try deliver(9, 7, 3)
    _ = try store.add(NewTodo(title: "own"), to: list)
    _ = try store.move(id(9), to: .after(id(3)), in: list)
    #expect(try numbers() == [nil, 7, 3, 9])
    try deliver(12, 8, 5, 1)
    // No later load moves what the user has placed.
    try deliver(12, 9, 8, 7, 5, 3, 1)
    #expect(try numbers() == [nil, 8, 7, 5, 3, 12, 9, 1])
  }
}
