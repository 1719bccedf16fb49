import TestSupport
import Testing
import TodoModel

@testable import TodoDatabase

/// Tests undo if several servers use one file, or if the todos have items of a source.
@Suite struct HistorySessionTests {
  let folder = TemporaryFolder()
  let list = TodoListKey.local

  private func open() throws -> SQLiteStore {
    let ids = Int64.random(in: 1...Int64.max / 2)
    return try SQLiteStore(
      at: .file(folder.path("todos.sqlite")), environment: .counting(idsFrom: ids))
  }

  /// Opens a store and reads the list, as a server does at login.
  private func openShowing() throws -> SQLiteStore {
    let store = try open()
    _ = try store.rows(TodoQuery(), in: list)
    return store
  }

  private func error(_ body: () throws -> Void) -> TodoError? {
    #expect(throws: TodoError.self) { try body() }
  }

  @Test func theHistoryIsStoredAfterReopening() throws {
    let id = try open().add(NewTodo(title: "a"), to: list).id
    _ = try open().edit(id, TodoEdit(title: "b"), in: list)
    _ = try open().edit(id, TodoEdit(title: "c"), in: list)
    #expect(try open().undo(in: list).todo?.content.title == "b")
    #expect(try open().undo(in: list).todo?.content.title == "a")
    #expect(try open().redo(in: list).todo?.content.title == "b")
    #expect(try open().redo(in: list).todo?.content.title == "c")
    #expect(error { _ = try open().redo(in: list) } == .nothingToRedo)
  }

  @Test func undoOfAFieldThatOthersChangedIsAConflict() throws {
    let (mine, theirs) = (try openShowing(), try openShowing())
    let todo = try mine.add(NewTodo(title: "a", note: "n"), to: list)
    _ = try mine.edit(todo.id, TodoEdit(title: "b"), in: list)
    let changed = try theirs.edit(todo.id, TodoEdit(title: "c", note: "m"), in: list)
    let error = error { _ = try mine.undo(in: list) }
    #expect(error?.kind == .conflict)
    #expect(
      error?.message == "This todo was changed elsewhere since, so the change was not undone. "
        + "Undo again to skip this change.")
    #expect(
      error?.conflict
        == TodoConflict(
          base: TodoContent(title: "b", note: "n", isDone: false),
          mine: TodoContent(title: "a", note: "n", isDone: false),
          theirs: changed.content, theirVersion: changed.version))
    #expect(try mine.todo(todo.id, in: list) == changed)
    // After they undo their change, there is no conflict any more.
    #expect(try theirs.undo(in: list).todo?.content.note == "n")
    #expect(try mine.undo(in: list).todo?.content.title == "a")
    #expect(try mine.undo(in: list).todo == nil)
  }

  @Test func undoKeepsTheOtherFieldsThatOthersChanged() throws {
    let (mine, theirs) = (try openShowing(), try openShowing())
    let todo = try mine.add(NewTodo(title: "a", note: "n"), to: list)
    _ = try mine.edit(todo.id, TodoEdit(title: "b"), in: list)
    _ = try theirs.edit(todo.id, TodoEdit(note: "m", isDone: true), in: list)
    let content = TodoContent(title: "a", note: "m", isDone: true)
    #expect(try mine.undo(in: list).todo?.content == content)
    #expect(try mine.redo(in: list).todo?.content.title == "b")
    #expect(try theirs.undo(in: list).todo?.content.note == "n")
    #expect(try mine.undo(in: list).todo?.content == todo.content)
    // The todo equals its state after the addition again.
    #expect(try mine.undo(in: list).change == .add)
  }

  @Test func undoOfARemovalThatOthersUndidKeepsTheTodo() throws {
    let mine = try openShowing()
    let todo = try mine.add(NewTodo(title: "a"), to: list)
    try mine.remove(todo.id, expectedVersion: nil, in: list)
    let theirs = try openShowing()
    _ = try theirs.undo(in: list)
    _ = try theirs.edit(todo.id, TodoEdit(title: "b"), in: list)
    #expect(error { _ = try mine.undo(in: list) }?.kind == .conflict)
    #expect(try mine.todo(todo.id, in: list).content.title == "b")
  }

  @Test func secondUndoSkipsTheConflict() throws {
    let (mine, theirs) = (try openShowing(), try openShowing())
    let first = try mine.add(NewTodo(title: "first"), to: list)
    let todo = try mine.add(NewTodo(title: "a"), to: list)
    _ = try mine.edit(first.id, TodoEdit(isDone: true), in: list)
    _ = try mine.edit(todo.id, TodoEdit(title: "b"), in: list)
    let changed = try theirs.edit(todo.id, TodoEdit(title: "c"), in: list)
    #expect(error { _ = try mine.undo(in: list) }?.kind == .conflict)
    #expect(try mine.undo(in: list).id == first.id)
    // The addition of the todo that they changed conflicts once; after that nothing is left.
    #expect(error { _ = try mine.undo(in: list) }?.kind == .conflict)
    #expect(try mine.undo(in: list).id == first.id)
    #expect(error { _ = try mine.undo(in: list) } == .nothingToUndo)
    #expect(try mine.rows(TodoQuery(), in: list).elements.map(\.title) == ["c"])
    #expect(try mine.todo(todo.id, in: list) == changed)
  }

  @Test func aRedoIsRefusedAfterAChangeByAnotherClient() throws {
    let (mine, theirs) = (try openShowing(), try openShowing())
    let todo = try mine.add(NewTodo(title: "a"), to: list)
    _ = try mine.edit(todo.id, TodoEdit(title: "b"), in: list)
    _ = try mine.undo(in: list)
    let changed = try theirs.edit(todo.id, TodoEdit(title: "c"), in: list)
    let error = error { _ = try mine.redo(in: list) }
    #expect(error?.conflict?.base?.title == "a")
    #expect(error?.conflict?.mine.title == "b")
    #expect(error?.conflict?.theirs == changed.content)
    #expect(try mine.todo(todo.id, in: list) == changed)
  }

  @Test func eachServerUndoesItsOwnChanges() throws {
    let (mine, theirs) = (try openShowing(), try openShowing())
    _ = try mine.add(NewTodo(title: "mine"), to: list)
    _ = try theirs.add(NewTodo(title: "theirs"), to: list)
    _ = try mine.undo(in: list)
    #expect(try theirs.rows(TodoQuery(), in: list).elements.map(\.title) == ["theirs"])
    #expect(error { _ = try mine.undo(in: list) } == .nothingToUndo)
    // Their new change does not end the redo of this session.
    _ = try theirs.add(NewTodo(title: "more"), to: list)
    _ = try mine.redo(in: list)
    #expect(
      try mine.rows(TodoQuery(), in: list).elements.map(\.title) == ["more", "theirs", "mine"])
  }

  @Test func undoOfATodoThatOthersRemovedIsAConflict() throws {
    let (mine, theirs) = (try openShowing(), try openShowing())
    let kept = try mine.add(NewTodo(title: "kept"), to: list)
    let gone = try mine.add(NewTodo(title: "gone"), to: list)
    _ = try mine.edit(kept.id, TodoEdit(isDone: true), in: list)
    _ = try mine.edit(gone.id, TodoEdit(isDone: true), in: list)
    try theirs.remove(gone.id, expectedVersion: nil, in: list)
    #expect(error { _ = try mine.undo(in: list) }?.kind == .conflict)
    // The next undo skips it.
    #expect(try mine.undo(in: list).id == kept.id)
    #expect(try theirs.undo(in: list).todo?.content.title == "gone")
  }

  @Test func anUndoKeepsAnAddedTodoThatAnotherClientEdited() throws {
    let (mine, theirs) = (try openShowing(), try openShowing())
    let todo = try mine.add(NewTodo(title: "a"), to: list)
    _ = try theirs.edit(todo.id, TodoEdit(title: "b"), in: list)
    #expect(error { _ = try mine.undo(in: list) }?.kind == .conflict)
    #expect(try mine.todo(todo.id, in: list).content.title == "b")
  }

  @Test func undoOfATodoThatTheSourceChangedIsAConflict() throws {
    let store = try open()
    let list = TodoListKey.source
    try store.mergeRemote([.sample(1, title: "a")], to: list)
    let id = try #require(try store.rows(TodoQuery(), in: list).elements.first).id
    _ = try store.edit(id, TodoEdit(title: "b"), in: list)
    // Another user makes the same change at the source, so that the todo is synced again.
    try store.mergeRemote([.sample(1, title: "b")], to: list)
    try store.mergeRemote([.sample(1, title: "c")], to: list)
    let error = error { _ = try store.undo(in: list) }
    #expect(error?.conflict?.base?.title == "b")
    #expect(error?.conflict?.mine.title == "a")
    #expect(error?.conflict?.theirs.title == "c")
    #expect(try store.todo(id, in: list).content.title == "c")
  }

  @Test func anUndoneEditIsInStepWithItsSource() throws {
    let store = try open()
    let list = TodoListKey.source
    try store.mergeRemote([.sample(2), .sample(1)], to: list)
    let id = try #require(try store.rows(TodoQuery(), in: list).elements.last).id
    _ = try store.edit(id, TodoEdit(title: "b"), in: list)
    try store.remove(id, expectedVersion: nil, in: list)
    #expect(try store.undo(in: list).todo?.sync == .pending)
    #expect(try store.undo(in: list).todo?.sync == .synced)
    #expect(try store.rows(TodoQuery(), in: list).elements.map(\.number) == [2, 1])
  }

  @Test func undoOfATodoThatTheSourceDeletedIsAConflict() throws {
    let store = try open()
    let list = TodoListKey.source
    try store.mergeRemote([.sample(1, title: "a")], to: list)
    let id = try #require(try store.rows(TodoQuery(), in: list).elements.first).id
    _ = try store.edit(id, TodoEdit(title: "b"), in: list)
    try store.mergeRemote([.sample(1, title: "b")], to: list)
    try store.load([], to: list)
    let conflict = error { _ = try store.undo(in: list) }?.conflict
    #expect(conflict?.isRemovedInTheirs == true)
    #expect(conflict?.base?.title == "b" && conflict?.mine.title == "a")
    // Repeating the undo skips the conflicting change.
    #expect(error { _ = try store.undo(in: list) } == .nothingToUndo)
  }

  @Test func removedTodoIsDeletedWithTheLogOfItsRemoval() throws {
    let store = try SQLiteStore(at: .memory, environment: .counting(seconds: 36_000))
    try store.limitLog { $0.countMin = 100 }
    func count() throws -> Int64? {
      try store.withConnection { connection throws(TodoError) in
        try connection.number("SELECT count(*) FROM todo")
      }
    }
    _ = try store.add(NewTodo(title: "undone"), to: list)
    _ = try store.undo(in: list)
    let todo = try store.add(NewTodo(title: "removed"), to: list)
    #expect(try count() == 2)
    try store.remove(todo.id, expectedVersion: nil, in: list)
    let other = try store.add(NewTodo(title: "other"), to: list)
    for index in 1..<97 {
      #expect(try count() == 3)
      _ = try store.edit(other.id, TodoEdit(title: "\(index)"), in: list)
    }
    for index in 97..<100 { _ = try store.edit(other.id, TodoEdit(title: "\(index)"), in: list) }
    #expect(try count() == 1)
  }
}
