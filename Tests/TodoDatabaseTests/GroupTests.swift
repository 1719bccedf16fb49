import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase
@testable import TodoDatabase

/// Tests changes of several todos as one group. One undo reverses all of them or none.
@Suite struct GroupTests {
  private let folder = TemporaryFolder()
  private let list = TodoListKey.local

  private func open() throws -> SQLiteStore {
    let ids = Int64.random(in: 1...Int64.max / 2)
    let store = try SQLiteStore(
      at: .file(folder.path("todos.sqlite")), environment: .counting(idsFrom: ids))
    _ = try store.rows(TodoQuery(), in: list)
    return store
  }

  private func add(_ titles: String..., to store: SQLiteStore) throws -> [TodoID] {
    try titles.map { try store.add(NewTodo(title: $0), to: list).id }
  }

  /// Returns the titles, oldest first. The titles of done todos are in upper case.
  private func titles(in store: SQLiteStore) throws -> String {
    let todos = try store.todos(TodoQuery(), in: list).elements.reversed().map(\.content)
    return todos.map { $0.isDone ? $0.title.uppercased() : $0.title }.joined()
  }

  private func error(_ body: () throws -> Void) -> TodoError? {
    #expect(throws: TodoError.self) { try body() }
  }

  private func changeCount(of store: SQLiteStore) throws -> Int64 {
    try store.withConnection { connection throws(TodoError) in
      try connection.number("SELECT count(*) FROM change")
    }
  }

  private func adjustment(_ field: ContentField, _ text: String) throws -> FieldAdjustment {
    try #require(FieldAdjustment(field, text))
  }

  @Test func oneUndoReversesTheGroup() throws {
    let store = try open()
    let ids = try add("a", "b", "c", "d", to: store)
    _ = try store.change([ids[3], ids[0], ids[1]], .remove, in: list)
    #expect(try titles(in: store) == "c")
    let undone = try store.undo(in: list)
    #expect(undone.all.map(\.title) == ["d", "a", "b"])
    #expect(undone.all.allSatisfy { $0.change == .remove && $0.todo != nil })
    #expect(undone.summary == "d and 2 more")
    #expect(try titles(in: store) == "abcd")
    #expect(try store.redo(in: list).all.map(\.id) == [ids[3], ids[0], ids[1]])
    #expect(try titles(in: store) == "c")
    _ = try store.undo(in: list)
    #expect(try store.undo(in: list).summary == "d", "the step before the group")
  }

  @Test func aGroupCanBeUndoneAfterReopening() throws {
    let ids = try add("a", "b", to: open())
    _ = try open().change(ids, .toggle, in: list)
    #expect(try open().undo(in: list).others.count == 1)
    #expect(try titles(in: open()) == "ab")
    #expect(try open().redo(in: list).others.count == 1)
    #expect(try titles(in: open()) == "AB")
  }

  @Test func undoOfAGroupAffectsOnlyTheTodosThatChanged() throws {
    let store = try open()
    let ids = try add("a", "b", "c", to: store)
    _ = try store.edit(ids[1], TodoEdit(isDone: true), in: list)
    _ = try store.change(ids, .toggle, in: list)
    #expect(try titles(in: store) == "ABC")
    #expect(try store.undo(in: list).all.map(\.title) == ["a", "c"])
    #expect(try titles(in: store) == "aBc")
    let count = try changeCount(of: store)
    _ = try store.change([ids[1]], .adjust(adjustment(.labels, "-x")), in: list)
    #expect(try changeCount(of: store) == count, "nothing was changed")
    #expect(try store.redo(in: list).others.count == 1, "so the redo is still there")
  }

  @Test func aGroupWithAMissingTodoIsRefused() throws {
    let store = try open()
    let ids = try add("a", "b", "c", to: store)
    try store.remove(ids[1], expectedVersion: nil, in: list)
    let count = try changeCount(of: store)
    let error = error { _ = try store.change(ids, .remove, in: list) }
    #expect(error == .gone(ids[1]))
    #expect(error?.kind == .notFound)
    #expect(try titles(in: store) == "ac")
    #expect(try changeCount(of: store) == count)
    #expect(try store.undo(in: list).title == "b")
    let other = TodoListKey(profile: "bob", source: "")
    #expect(self.error { _ = try store.change(ids, .remove, in: other) } == .gone(ids[0]))
  }

  @Test func aConflictOfOneTodoUndoesNothingAndTheNextUndoSkipsIt() throws {
    let (mine, theirs) = (try open(), try open())
    let ids = try add("a", "b", "c", to: mine)
    _ = try mine.change(ids, .adjust(adjustment(.note, "mine")), in: list)
    _ = try theirs.edit(ids[1], TodoEdit(note: "theirs"), in: list)
    let error = error { _ = try mine.undo(in: list) }
    #expect(error?.kind == .conflict)
    #expect(error?.item == ids[1])
    #expect(
      error?.message == "“b” was changed elsewhere since, so none of the 3 todos was undone. "
        + "Undo again to skip such todos.")
    func notes() throws -> [String] { try ids.map { try mine.todo($0, in: list).content.note } }
    #expect(try notes() == ["mine", "theirs", "mine"])
    #expect(try mine.undo(in: list).all.map(\.title) == ["a", "c"])
    #expect(try notes() == ["", "theirs", ""])
    #expect(try mine.redo(in: list).all.map(\.title) == ["a", "c"])
    #expect(try notes() == ["mine", "theirs", "mine"])
  }

  @Test func aRedoThatConflictsKeepsAllTodos() throws {
    let (mine, theirs) = (try open(), try open())
    let ids = try add("a", "b", to: mine)
    _ = try mine.change(ids, .remove, in: list)
    _ = try mine.undo(in: list)
    _ = try theirs.edit(ids[0], TodoEdit(title: "x"), in: list)
    #expect(error { _ = try mine.redo(in: list) }?.item == ids[0])
    #expect(try titles(in: mine) == "xb")
    #expect(try mine.redo(in: list).all.map(\.title) == ["b"])
    #expect(try titles(in: mine) == "x")
  }

  @Test func aGroupOfConflictsIsSkippedAsAWhole() throws {
    let (mine, theirs) = (try open(), try open())
    let ids = try add("a", "b", to: mine)
    _ = try mine.edit(ids[0], TodoEdit(title: "c"), in: list)
    _ = try mine.change(ids, .adjust(adjustment(.note, "mine")), in: list)
    for id in ids { _ = try theirs.edit(id, TodoEdit(note: "theirs"), in: list) }
    #expect(error { _ = try mine.undo(in: list) }?.item == ids[0])
    #expect(try mine.undo(in: list).title == "a", "the step before the group")
  }

  @Test func aGroupThatTheLogHasInPartIsNotUndone() throws {
    let store = try open()
    try store.limitLog { ($0.countMin, $0.daysMin) = (4, 0) }
    let ids = try add("a", "b", "c", to: store)
    _ = try store.change(ids, .remove, in: list)
    let other = try add("d", "e", to: store)
    // The log has lost the first change of the group.
    #expect(try changeCount(of: store) == 4)
    _ = try store.undo(in: list)
    #expect(try store.undo(in: list).id == other[0])
    #expect(error { _ = try store.undo(in: list) } == .nothingToUndo)
    #expect(try titles(in: store) == "")
    // The removed todos cannot be restored any more, so they are deleted.
    let stored = try store.withConnection { connection throws(TodoError) in
      try connection.texts("SELECT title FROM todo ORDER BY title")
    }
    #expect(stored == ["d", "e"])
  }

  @Test func aGroupThatIsLargerThanTheLogCannotBeUndone() throws {
    let store = try open()
    let ids = try add("a", "b", "c", "d", to: store)
    try store.limitLog { $0.bytesMax = 900 }
    _ = try store.change(ids, .remove, in: list)
    #expect(error { _ = try store.undo(in: list) } == .nothingToUndo)
    #expect(try titles(in: store) == "")
    _ = try add("e", to: store)
    #expect(try store.undo(in: list).title == "e")
  }

  @Test func undoOfOneTodoOfAGroupLeavesTheOthers() throws {
    let store = try open()
    let ids = try add("a", "b", "c", to: store)
    let removed = try store.change(ids, .remove, in: list)
    _ = try store.undo(ids[1], version: removed[1].version, in: list)
    #expect(try titles(in: store) == "b")
    #expect(try store.undo(in: list).all.map(\.title) == ["a", "c"])
    #expect(try titles(in: store) == "abc")
  }

  /// Compares the todos after each undo and redo with a list of all earlier states.
  @Test(arguments: 0..<4)
  func everyStepIsReversedWhateverItsSize(seed: UInt64) throws {
    let store = try open()
    var texts = RandomTexts(seed: seed)
    func state() throws -> [TodoContent] {
      try store.todos(TodoQuery(), in: list).elements.map(\.content)
    }
    for _ in 0..<5 { _ = try store.add(texts.draft(), to: list) }
    var states = [try state()]
    for _ in 0..<40 {
      let ids = try store.todos(TodoQuery(), in: list).elements.map(\.id)
      let chosen = ids.filter { _ in texts.flag() }
      switch texts.below(5) {
      case 0: _ = try store.add(texts.draft(), to: list)
      case 1:
        _ = try store.change(chosen, .adjust(adjustment(.note, "n" + texts.note())), in: list)
      case 2 where ids.count > 3: _ = try store.change(chosen, .remove, in: list)
      case 3 where !ids.isEmpty:
        _ = try store.edit(ids[0], TodoEdit(title: texts.title()), in: list)
      default: _ = try store.change(chosen, .toggle, in: list)
      }
      let after = try state()
      if after != states.last { states.append(after) }
    }
    for earlier in states.dropLast().reversed() {
      _ = try store.undo(in: list)
      #expect(try state() == earlier)
    }
    for later in states.dropFirst() {
      _ = try store.redo(in: list)
      #expect(try state() == later)
    }
    #expect(error { _ = try store.redo(in: list) } == .nothingToRedo)
  }

  @Test func aThousandTodosAreOneStep() throws {
    let store = try open()
    let ids = try (0..<1_000).map { try store.add(NewTodo(title: "\($0)"), to: list).id }
    _ = try store.change(ids, .remove, in: list)
    #expect(try store.undo(in: list).others.count == 999)
    #expect(try store.rows(TodoQuery(), in: list).total == 1_000)
    #expect(try store.redo(in: list).others.count == 999)
    #expect(try store.rows(TodoQuery(), in: list).total == 0)
  }

  @Test func todosOfASourceAreAllPending() throws {
    let store = try open()
    let source = TodoListKey.source
    try store.mergeRemote([.sample(1), .sample(2), .sample(3)], to: source)
    let ids = try store.todos(TodoQuery(), in: source).elements.prefix(2).map(\.id)
    _ = try store.change(ids, .remove, in: source)
    #expect(try store.counts(of: source).pending == 2)
    _ = try store.undo(in: source)
    #expect(try store.counts(of: source).pending == 0)
  }
}
