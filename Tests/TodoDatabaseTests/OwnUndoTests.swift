import TestSupport
import Testing
import TodoDatabase
import TodoModel

/// The undo of one todo, which reverses only changes made through this open store.
struct OwnUndoTests {
  private let folder = TemporaryFolder()
  private let list = TodoListKey(profile: "ann", source: "")

  private func open() throws -> SQLiteStore {
    try SQLiteStore(at: .file(folder.path("todos.sqlite")), environment: .live)
  }

  private func error(_ body: () throws -> Void) -> TodoError? {
    #expect(throws: TodoError.self) { try body() }
  }

  @Test func changesOfATodoAreUndoneOneByOne() throws {
    let store = try open()
    let id = try store.add(NewTodo(title: "a"), to: list).id
    _ = try store.edit(id, TodoEdit(title: "b"), in: list)
    let other = try store.add(NewTodo(title: "later"), to: list)
    let undone = try store.undo(id, version: 2, in: list)
    #expect(undone.todo?.content.title == "a")
    #expect(undone.change == .edit)
    #expect(try store.undo(id, version: 3, in: list).change == .add)
    #expect(error { _ = try store.undo(id, version: 3, in: list) } == .nothingOwnToUndo)
    #expect(try store.todo(other.id, in: list) == other)
  }

  @Test func aRemovalIsUndoneByTheVersionThatWasRemoved() throws {
    let store = try open()
    let id = try store.add(NewTodo(title: "a"), to: list).id
    try store.remove(id, expectedVersion: 1, in: list)
    #expect(error { _ = try store.undo(id, version: 7, in: list) }?.kind == .conflict)
    #expect(try store.undo(id, version: 1, in: list).todo?.content.title == "a")
  }

  @Test func changesOfOthersAndOfEarlierSessionsAreNotUndone() throws {
    let before = try open().add(NewTodo(title: "before"), to: list)
    let (mine, theirs) = (try open(), try open())
    let todo = try theirs.add(NewTodo(title: "theirs"), to: list)
    for id in [before.id, todo.id, TodoID("nope")] {
      #expect(error { _ = try mine.undo(id, version: 1, in: list) } == .nothingOwnToUndo)
    }
    #expect(try mine.todo(before.id, in: list) == before)
    #expect(try mine.todo(todo.id, in: list) == todo)
  }

  @Test func anUndoConflictsWithALaterChangeByAnotherClient() throws {
    let (mine, theirs) = (try open(), try open())
    let id = try mine.add(NewTodo(title: "a"), to: list).id
    _ = try mine.edit(id, TodoEdit(title: "b"), in: list)
    let changed = try theirs.edit(id, TodoEdit(title: "c"), in: list)
    for version: Int64 in [2, 3] {
      let conflict = error { _ = try mine.undo(id, version: version, in: list) }?.conflict
      #expect(conflict?.theirs == changed.content)
      #expect(conflict?.theirVersion == 3)
      #expect(conflict?.mine.title == "a")
    }
    #expect(try mine.todo(id, in: list) == changed)
  }
}
