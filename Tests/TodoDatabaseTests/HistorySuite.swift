import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase
@testable import TodoDatabase

/// The kinds of store that keep a history.
enum HistoryCase: CaseIterable {
  case memory, file

  func makeWorld() throws -> (store: SQLiteStore, needs: TemporaryFolder) {
    let folder = TemporaryFolder()
    let location: SQLiteLocation =
      switch self {
      case .memory: .memory
      case .file: .file(folder.path("todos.sqlite"))
      }
    return (try SQLiteStore(at: location, environment: .counting()), folder)
  }
}

/// Tests undo and redo in every kind of store with a history.
@Suite struct HistorySuite {
  let list = TodoListKey.local
  static let kinds = HistoryCase.allCases

  private func titles(in store: SQLiteStore) throws -> [String] {
    try store.todos(TodoQuery(), in: list).elements.map(\.content.title)
  }

  private func gone(_ todo: Todo, _ change: RestoredTodo.Change) -> RestoredTodo {
    RestoredTodo(id: todo.id, change: change, title: todo.content.title, todo: nil)
  }

  @Test(arguments: kinds)
  func undoAndRedoReportTheChangeAndTheTitle(_ kind: HistoryCase) throws {
    let world = try kind.makeWorld()
    let store = world.store
    let todo = try store.add(NewTodo(title: "a"), to: list)
    _ = try store.edit(todo.id, TodoEdit(title: "b"), in: list)
    _ = try store.edit(todo.id, TodoEdit(isDone: true), in: list)
    _ = try store.edit(todo.id, TodoEdit(note: "n", isDone: false), in: list)
    try store.remove(todo.id, expectedVersion: nil, in: list)
    let changes: [RestoredTodo.Change] = [.add, .edit, .done, .edit, .remove]
    for (change, title) in zip(changes.reversed(), ["b", "b", "b", "a", "a"]) {
      let undone = try store.undo(in: list)
      #expect((undone.change, undone.title) == (change, title))
    }
    for (change, title) in zip(changes, ["a", "b", "b", "b", "b"]) {
      let redone = try store.redo(in: list)
      #expect((redone.change, redone.title) == (change, title))
    }
  }

  @Test(arguments: kinds)
  func newStoreHasNothingToUndoOrRedo(_ kind: HistoryCase) async throws {
    let world = try kind.makeWorld()
    #expect(await failure { try world.store.undo(in: list) } == .nothingToUndo)
    #expect(await failure { try world.store.redo(in: list) } == .nothingToRedo)
  }

  @Test(arguments: kinds)
  func everyChangeCanBeUndoneAndRedone(_ kind: HistoryCase) async throws {
    let world = try kind.makeWorld()
    let store = world.store
    let added = try store.add(NewTodo(title: "a", note: "n"), to: list)
    let other = try store.add(NewTodo(title: "b"), to: list)
    let edited = try store.edit(added.id, TodoEdit(note: "m", isDone: true), in: list)
    try store.remove(added.id, expectedVersion: nil, in: list)

    let first = try store.undo(in: list)
    #expect(first.id == added.id)
    #expect(first.todo?.content == edited.content)
    #expect(first.todo?.createdAt == added.createdAt)
    #expect(try titles(in: store) == ["b", "a"])
    #expect(try store.undo(in: list).todo?.content == added.content)
    #expect(try store.undo(in: list) == gone(other, .add))
    #expect(try store.undo(in: list) == gone(added, .add))
    #expect(try titles(in: store) == [])
    #expect(await failure { try store.undo(in: list) } == .nothingToUndo)

    #expect(try store.redo(in: list).todo?.content == added.content)
    #expect(try store.redo(in: list).todo?.content == other.content)
    #expect(try store.redo(in: list).todo?.content == edited.content)
    #expect(try store.redo(in: list) == gone(added, .remove))
    #expect(try titles(in: store) == ["b"])
    #expect(await failure { try store.redo(in: list) } == .nothingToRedo)
  }

  @Test(arguments: kinds)
  func aVersionNeverComesBack(_ kind: HistoryCase) async throws {
    let world = try kind.makeWorld()
    let store = world.store
    let added = try store.add(NewTodo(title: "a"), to: list)
    var last = try store.edit(added.id, TodoEdit(title: "b"), in: list).version
    for _ in 0..<3 {
      for restored in [try store.undo(in: list), try store.redo(in: list)] {
        let version = try #require(restored.todo?.version)
        #expect(version > last)
        last = version
      }
    }
    _ = try store.undo(in: list)
    _ = try store.undo(in: list)
    let again = try #require(try store.redo(in: list).todo)
    #expect(again.version > last)
    // An edit based on a version that was undone is stale, even if the text is the same.
    #expect(
      await failure { try store.remove(added.id, expectedVersion: added.version, in: list) }?.kind
        == .conflict)
  }

  @Test(arguments: kinds)
  func aNewChangeEndsRedoing(_ kind: HistoryCase) async throws {
    let world = try kind.makeWorld()
    let store = world.store
    let todo = try store.add(NewTodo(title: "a"), to: list)
    _ = try store.add(NewTodo(title: "b"), to: list)
    _ = try store.undo(in: list)
    // An edit that changes nothing does not end the redo.
    _ = try store.edit(todo.id, TodoEdit(title: "a"), in: list)
    _ = try store.redo(in: list)
    _ = try store.undo(in: list)
    _ = try store.edit(todo.id, TodoEdit(title: "c"), in: list)
    #expect(await failure { try store.redo(in: list) } == .nothingToRedo)
    #expect(try store.undo(in: list).todo?.content.title == "a")
  }

  @Test(arguments: kinds)
  func listsOfAUserHaveOneOrder(_ kind: HistoryCase) async throws {
    let world = try kind.makeWorld()
    let (store, source) = (world.store, TodoListKey.source)
    _ = try store.rows(TodoQuery(), in: source)
    let first = try store.add(NewTodo(title: "first"), to: list)
    let second = try store.add(NewTodo(title: "second"), to: source)
    _ = try store.edit(first.id, TodoEdit(title: "third"), in: list)
    let undone = try store.undo(in: source)
    #expect((undone.list, undone.todo?.content.title) == (list, "first"))
    #expect(try store.undo(in: source) == gone(second, .add))
    #expect(try store.undo(in: source).list == list)
    #expect(await failure { try store.undo(in: list) } == .nothingToUndo)
    #expect(try store.redo(in: list).list == nil)
    // A change in one list ends redoing in the other.
    _ = try store.add(NewTodo(title: "fourth"), to: source)
    #expect(await failure { try store.redo(in: list) } == .nothingToRedo)
  }

  @Test(arguments: kinds)
  func eachUserHasTheirOwnHistory(_ kind: HistoryCase) async throws {
    let world = try kind.makeWorld()
    let store = world.store
    let bob = TodoListKey(profile: "bob", source: "")
    _ = try store.add(NewTodo(title: "a"), to: list)
    #expect(await failure { try store.undo(in: bob) } == .nothingToUndo)
    _ = try store.add(NewTodo(title: "b"), to: bob)
    _ = try store.undo(in: list)
    #expect(try store.todos(TodoQuery(), in: bob).total == 1)
  }

  @Test func allChangesOfThirtyDaysCanBeUndone() async throws {
    let store = try SQLiteStore(at: .memory, environment: .counting())
    try store.limitLog { $0.countMin = 50 }
    let todo = try store.add(NewTodo(title: "0"), to: list)
    let count = 60
    for index in 1...count {
      _ = try store.edit(todo.id, TodoEdit(title: "\(index)"), in: list)
    }
    for index in (0..<count).reversed() {
      #expect(try store.undo(in: list).todo?.content.title == "\(index)")
    }
    #expect(try store.undo(in: list).todo == nil)
    #expect(await failure { try store.undo(in: list) } == .nothingToUndo)
    for _ in 0...count { _ = try store.redo(in: list) }
    #expect(try titles(in: store) == ["\(count)"])
  }

  /// Compares the todos after each undo and redo with a list of all states: byte for byte, and in
  /// the same order. A store in a file uses different connections for reads and for writes.
  @Test(arguments: [(HistoryCase.memory, 1), (.file, 3)])
  func asManyUndosRevertRandomChanges(_ kind: HistoryCase, seed: Int) async throws {
    let world = try kind.makeWorld()
    let store = world.store
    var texts = RandomTexts(seed: UInt64(seed))
    for _ in 0..<8 { _ = try store.add(texts.draft(), to: list) }
    var past = [try state(of: store)]
    for _ in 0..<150 {
      let ids = past[past.count - 1].map(\.id)
      switch (texts.below(10), texts.pick(ids)) {
      case (0...2, _), (_, nil): _ = try store.add(texts.draft(), to: list)
      case (3...4, let id?): try store.remove(id, expectedVersion: nil, in: list)
      case (5...6, let id?):
        let isDone = past[past.count - 1].first { $0.id == id }?.content.isDone ?? false
        _ = try store.edit(id, TodoEdit(isDone: !isDone), in: list)
      case (_, let id?):
        let edit = try TodoEdit(title: texts.title(), note: texts.note(), isDone: texts.flag())
        _ = try store.edit(id, edit, in: list)
      }
      let now = try state(of: store)
      if now != past[past.count - 1] { past.append(now) }
    }
    // Undoes everything, redoes everything, and repeats both in steps of random length.
    var index = past.count - 1
    for target in [0, past.count - 1] + (0..<4).map({ _ in texts.below(past.count) }) + [0] {
      while index != target {
        _ =
          if target < index { try store.undo(in: list) } else {
            try store.redo(in: list)
          }
        index += target < index ? -1 : 1
        #expect(try state(of: store) == past[index])
      }
    }
  }

  /// After its removal, an imported todo can be restored only by undoing the changes that were made
  /// to it.
  @Test(arguments: kinds)
  func removalAfterAnUndoneEditCanBeUndone(_ kind: HistoryCase) throws {
    let world = try kind.makeWorld()
    let store = world.store
    let lines = """
      {"format":"todo-server","version":1}
      {"id":"1","title":"a"}
      """
    _ = try store.importLines(LineReader(text: lines), profile: list.profile)
    _ = try store.edit(TodoID("1"), TodoEdit(title: "b"), in: list)
    _ = try store.undo(in: list)
    try store.remove(TodoID("1"), expectedVersion: nil, in: list)
    #expect(try store.undo(in: list).change == .remove)
    #expect(try titles(in: store) == ["a"])
  }

  private struct State: Equatable {
    var id: TodoID
    var content: TodoContent
    var createdAt: Timestamp
    var sync: SyncState
  }

  private func state(of store: SQLiteStore) throws -> [State] {
    try store.todos(TodoQuery(), in: list).elements.map {
      State(id: $0.id, content: $0.content, createdAt: $0.createdAt, sync: $0.sync)
    }
  }
}
