import System
import TestSupport
import Testing
import TodoModel

@testable import TodoDatabase

/// Tests how the store imports the drafts of ended processes.
@Suite struct DraftImportTests {
  private let world: DraftWorld

  init() throws { world = try DraftWorld() }

  private func record(
    _ note: String, _ todo: Todo, in log: FileDraftLog, continuing stored: [StoredDraft] = []
  ) {
    let draft = world.draft(todo, note: note)
    log.record(
      UnsavedText(draft, title: todo.content.title, restored: stored),
      at: Timestamp(milliseconds: 2), isNext: false)
  }

  @Test func theDraftsOfARunningProcessAreNotImported() throws {
    let log = world.makeLog()
    record("one", world.milk, in: log)
    log.flush()
    try world.store.importDrafts()
    #expect(try world.notes().isEmpty)
    #expect(world.files.count == 1)
    log.close()
    try world.store.importDrafts()
    #expect(try world.notes() == ["one"])
  }

  @Test func releasedDraftsAreImported() throws {
    let log = world.makeLog()
    for note in ["one", "another"] {
      record(note, world.milk, in: log)
      log.release()
      // Drafts recorded after the release are not imported yet.
      record("\(note) bread", world.bread, in: log)
      log.flush()
      try world.store.importDrafts()
      #expect(try !world.notes().contains("\(note) bread"))
      #expect(try world.notes().contains(note))
      log.end(world.bread.id, in: world.list)
    }
    log.close()
    #expect(world.files.isEmpty)
  }

  @Test func draftsOfATodoAreListedNewestFirst() throws {
    world.leave(["one"], of: world.milk, at: 10)
    world.leave(["three"], of: world.milk, at: 30)
    world.leave(["two"], of: world.bread, at: 20)
    try world.store.importDrafts()
    #expect(try world.notes() == ["three", "two", "one"])
    let milk = try world.store.drafts(of: world.milk.id, in: world.list)
    #expect(milk.map(\.typedAt.milliseconds) == [30, 10])
    try world.store.remove(world.bread.id, expectedVersion: nil, in: world.list)
    #expect(
      try world.store.draftedTodos(in: world.list) == [
        DraftedTodo(
          id: world.milk.id, draftCount: 2, typedAt: Timestamp(milliseconds: 30), title: "Milk",
          isGone: false),
        DraftedTodo(
          id: world.bread.id, draftCount: 1, typedAt: Timestamp(milliseconds: 20),
          title: "Bread", isGone: true),
      ])
    try world.store.discardDrafts([milk[0].number, 17], in: world.list)
    #expect(try world.notes() == ["two", "one"])
  }

  @Test func aForgottenTodoHasNoDraftsOfEndedProcesses() throws {
    try world.store.remove(world.milk.id, expectedVersion: nil, in: world.list)
    world.leave(["one"], of: world.milk, at: 10)
    try world.store.forget(world.milk.id, in: world.list)
    try world.store.importDrafts()
    #expect(try world.notes().isEmpty)
    #expect(world.files.isEmpty)
  }

  @Test func draftsBelongToTheirUserAndList() throws {
    world.leave(["one"], of: world.milk)
    try world.store.importDrafts()
    let number = try #require(try world.store.drafts(in: world.list).first?.number)
    for other in [.source, TodoListKey(profile: "bob", source: "")] {
      _ = try world.store.add(try NewTodo(title: "Other"), to: other)
      #expect(try world.store.drafts(in: other).isEmpty)
      #expect(try world.store.draftedTodos(in: other).isEmpty)
      try world.store.discardDrafts([number], in: other)
    }
    #expect(try world.notes() == ["one"])
  }

  @Test func aDraftOfAListWithoutTodosIsImported() throws {
    let list = TodoListKey(profile: "bob", source: "github:octo/tasks")
    let draft = Draft(
      base: EditBase(list: list, id: TodoID("t9"), version: 3), edit: .merged("Text"))
    let log = world.makeLog()
    log.record(
      UnsavedText(draft, title: "Gone"), at: Timestamp(milliseconds: 5), isNext: false)
    log.close()
    try world.store.importDrafts()
    #expect(try world.store.drafts(in: list).map(\.draft) == [draft])
    #expect(try world.store.draftedTodos(in: list).map(\.isGone) == [true])
  }

  /// The process was killed between the transaction and the deletion of the file.
  @Test func aFileIsImportedOnce() throws {
    world.leave(["one"], of: world.milk)
    let name = try #require(world.files.first)
    let path = world.folder.path(name)
    let bytes = try #require(RecordedResponse.bytes(of: path))
    try world.store.importDrafts()
    let stored = try world.store.drafts(in: world.list)
    try world.store.discardDrafts(stored.map(\.number), in: world.list)
    try write(bytes, to: path)
    try world.store.importDrafts()
    #expect(try world.notes().isEmpty)
    #expect(world.files.isEmpty)
    // Once the file is deleted, the next import deletes the record of its name.
    world.leave(["two"], of: world.milk)
    try world.store.importDrafts()
    let names = try world.store.withConnection { connection throws(TodoError) in
      try connection.texts("SELECT name FROM draft_file")
    }
    #expect(names.count == 1 && names != [name])
  }

  private func write(_ bytes: [UInt8], to path: String) throws {
    let file = try #require(fopen(path, "wb"))
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
    chmod(path, 0o600)
  }

  @Test func importsAtTheSameTimeImportEachFileOnce() async throws {
    for round in 0..<20 {
      world.leave(["\(round) notes"], of: round % 2 == 0 ? world.milk : world.bread)
    }
    let path = world.folder.path("todos.sqlite")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        let store = try SQLiteStore(at: .file(path), environment: .counting())
        group.addTask { try store.importDrafts() }
      }
      try await group.waitForAll()
    }
    // An import skips files that another one has locked.
    try world.store.importDrafts()
    #expect(try world.notes().sorted() == (0..<20).map { "\($0) notes" }.sorted())
    #expect(world.files.isEmpty)
  }

  @Test func aTextThatContinuesADraftReplacesIt() throws {
    world.leave(["Tw"], of: world.milk, at: 1)
    try world.store.importDrafts()
    world.leave(["Two litres"], of: world.milk, at: 2)
    world.leave(["Two"], of: world.milk, at: 3)
    world.leave(["Three"], of: world.milk, at: 4)
    try world.store.importDrafts()
    #expect(try world.notes() == ["Three", "Two litres"])
  }

  @Test func aContinuedDraftEndsOnceTheTextIsDurable() throws {
    world.leave(["Tw"], of: world.milk, at: 1)
    try world.store.importDrafts()
    let log = world.makeLog()
    record(
      "No, three", world.milk, in: log, continuing: try world.store.drafts(in: world.list))
    log.flush()
    #expect(try world.notes().isEmpty)
    log.close()
    try world.store.importDrafts()
    #expect(try world.notes() == ["No, three"])
  }

  @Test func draftStaysWhileItsContinuationIsTooLarge() throws {
    world.leave(["Tw"], of: world.milk, at: 1)
    try world.store.importDrafts()
    let log = world.makeLog(draftBytesMax: 1 << 16)
    let restored = try world.store.drafts(in: world.list)
    let long = "Tw" + String(repeating: "x", count: 1 << 16)
    record(long, world.milk, in: log, continuing: restored)
    log.flush()
    // Writes of other todos do not discard it either.
    record("one", world.bread, in: log)
    log.flush()
    #expect(try world.notes() == ["Tw"])
    let next = UnsavedText(world.draft(world.milk, note: "Two"), title: "Milk", restored: restored)
    log.record(next, at: Timestamp(milliseconds: 5), isNext: false)
    log.flush()
    // The thread of the log may have written the text, and then discards the draft.
    while try !world.notes().isEmpty { usleep(1_000) }
    log.close()
    try world.store.importDrafts()
    #expect(try Set(world.notes()) == ["Two", "one"])
  }

  /// The process ended after saving the text, but before ending its draft.
  @Test func aSavedTextIsNotImported() throws {
    _ = try world.store.edit(
      world.milk.id, try TodoEdit(note: "Two litres"), in: world.list)
    world.leave(["Two litres"], of: world.milk)
    try world.store.importDrafts()
    #expect(try world.notes().isEmpty)
    #expect(world.files.isEmpty)
  }

  /// The process ended after saving two texts, but before ending the draft of the first one.
  @Test func aSavedTextThatALaterSaveReplacedIsNotImported() throws {
    for note in ["Two litres", "Three litres"] {
      _ = try world.store.edit(world.milk.id, try TodoEdit(note: note), in: world.list)
    }
    world.leave(["Two litres"], of: world.milk)
    try world.store.importDrafts()
    #expect(try world.notes().isEmpty)
    // A text that was typed after both saves is unsaved, even if it was stored before.
    let milk = try world.store.todo(world.milk.id, in: world.list)
    world.leave(["Two litres"], of: milk)
    try world.store.importDrafts()
    #expect(try world.notes() == ["Two litres"])
  }

  /// A front-end sent the text without a readable base.
  @Test func aTextWithoutAKnownVersionIsComparedOnlyWithTheStoredText() throws {
    for note in ["One litre", "Two litres"] {
      _ = try world.store.edit(world.milk.id, try TodoEdit(note: note), in: world.list)
    }
    var milk = world.milk
    milk.version = 0
    world.leave(["Two litres"], of: milk)
    world.leave(["One litre"], of: milk)
    try world.store.importDrafts()
    #expect(try world.notes() == ["One litre"])
  }

  @Test func aSavedMergedTextIsNotImported() throws {
    _ = try world.store.edit(
      world.milk.id, try TodoEdit(title: "Oat milk", note: "Two litres"), in: world.list)
    for text in ["Oat milk\n\nTwo litres", "Oat milk\n\nThree litres"] {
      let base = EditBase(list: world.list, id: world.milk.id, version: world.milk.version)
      let log = world.makeLog()
      log.record(
        UnsavedText(Draft(base: base, edit: .merged(text)), title: "Milk"),
        at: Timestamp(milliseconds: 1), isNext: false)
      log.close()
    }
    try world.store.importDrafts()
    #expect(
      try world.store.drafts(in: world.list).map(\.draft.edit)
        == [.merged("Oat milk\n\nThree litres")])
  }

  @Test func theOldestDraftsOfAListAreDropped() throws {
    let extra = 3
    let numbers = 0..<DraftLimits.listDraftsMax + extra
    for first in stride(from: 0, to: numbers.count, by: 100) {
      let log = world.makeLog()
      for number in numbers.dropFirst(first).prefix(100) {
        let base = EditBase(list: world.list, id: TodoID("x\(number)"), version: 1)
        log.record(
          UnsavedText(Draft(base: base, edit: .merged("\(number)")), title: ""),
          at: Timestamp(milliseconds: Int64(number)), isNext: false)
      }
      log.close()
    }
    try world.store.importDrafts()
    let stored = try world.store.drafts(in: world.list)
    #expect(stored.count == DraftLimits.listDraftsMax)
    #expect(stored.last?.draft.base.id == TodoID("x\(extra)"))
  }

  @Test func otherFilesStayUnchanged() throws {
    world.leave(["one"], of: world.milk)
    let name = try #require(world.files.first)
    let path = world.folder.path(name)
    let bytes = try #require(RecordedResponse.bytes(of: path))
    unlink(path)
    let names = ["0123456789abcdef", "1123456789abcdef", "2123456789abcdef", "3", "4.sqlite"]
    let paths = names.map { world.folder.path("todos.sqlite.drafts-\($0)") }
    try write(Array("todo-server drafts 2\n".utf8), to: paths[0])
    try write(bytes, to: paths[1])
    chmod(paths[1], 0o622)
    symlink(world.folder.path("elsewhere"), paths[2])
    try write(bytes, to: world.folder.path("elsewhere"))
    try write(bytes, to: paths[3])
    try write(bytes, to: paths[4])
    try world.store.importDrafts()
    #expect(try world.notes().isEmpty)
    #expect(world.files.count == names.count)
  }
}
