import TestSupport
import TodoModel

@testable import TodoDatabase

/// A store with two todos, and the draft logs of processes beside it.
struct DraftWorld {
  let folder = TemporaryFolder()
  let store: SQLiteStore
  let list = TodoListKey.local
  let milk: Todo
  let bread: Todo

  init() throws {
    store = try SQLiteStore(
      at: .file(folder.path("todos.sqlite")), environment: .counting())
    milk = try store.add(try NewTodo(title: "Milk"), to: list)
    bread = try store.add(try NewTodo(title: "Bread"), to: list)
  }

  /// Creates the draft log of another process.
  func makeLog(draftBytesMax: Int = DraftLimits.draftBytesMax) -> FileDraftLog {
    FileDraftLog(
      beside: folder.path("todos.sqlite"), store: store, draftBytesMax: draftBytesMax)
  }

  /// The names of the draft files.
  var files: [String] { FileTree.names(in: folder.path).filter { $0.contains(".drafts-") } }

  func draft(_ todo: Todo, note: String) -> Draft {
    var changes = FieldChanges()
    changes[NoteField.self] = note
    return Draft(
      base: EditBase(list: list, id: todo.id, version: todo.version), edit: .fields(changes))
  }

  /// The notes of all stored drafts, newest first.
  func notes() throws -> [String] {
    try store.drafts(in: list).compactMap { stored in
      guard case .fields(let changes) = stored.draft.edit else { return nil }
      return changes[NoteField.self]
    }
  }

  /// Records notes of a todo in a process that then ends.
  func leave(_ notes: [String], of todo: Todo, at time: Int64 = 1) {
    let log = makeLog()
    for note in notes {
      log.record(
        UnsavedText(draft(todo, note: note), title: todo.content.title),
        at: Timestamp(milliseconds: time), isNext: false)
      log.flush()
    }
    log.close()
  }
}
