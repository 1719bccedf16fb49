import SQLiteDatabase
import TodoModel

/// Long reads that run on another thread.
extension SQLiteStore: BackgroundReads {
  package func isSlow(_ read: TodoRead, in list: TodoListKey) throws(TodoError) -> Bool {
    let filter = try filter(read.query, in: list)
    return try database.read { connection throws(TodoError) in
      try connection.tables.pages.isSlow(read, filter, in: list)
    }
  }

  package func answer(
    _ read: TodoRead, in list: TodoListKey
  ) throws(TodoError) -> TodoRead.Answer {
    let filter = try filter(read.query, in: list)
    return try self.read(list) { tables throws(TodoError) in
      try tables.pages.answer(read, filter, in: list)
    }
  }

  package func reader(of list: TodoListKey) throws(TodoError) -> (any TodoReader)? {
    guard let snapshot = try database.beginSnapshot() else { return nil }
    return SnapshotReader(snapshot: snapshot, list: list, store: self)
  }
}

/// A reader of a list in a snapshot of the database.
private struct SnapshotReader: TodoReader {
  let snapshot: DatabaseSnapshot
  let list: TodoListKey
  let store: SQLiteStore

  func answer(_ read: TodoRead) throws(TodoError) -> TodoRead.Answer {
    let filter = try store.filter(read.query, in: list)
    return try snapshot.read { connection throws(TodoError) in
      try connection.tables.pages.answer(read, filter, in: list)
    }
  }

  func cancel() { snapshot.cancel() }
}
