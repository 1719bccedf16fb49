import SQLiteDatabase
import TodoModel

/// Long reads on another thread.
extension SQLiteStore: BackgroundReads {
  package func isSlow(_ read: TodoRead, in list: TodoListKey) throws(TodoError) -> Bool {
    let filter = try read.query.filter(on: days)
    return try database.read { connection throws(TodoError) in
      try connection.tables.pages.isSlow(read, filter, in: list)
    }
  }

  package func answer(
    _ read: TodoRead, in list: TodoListKey
  ) throws(TodoError) -> TodoRead.Answer {
    let filter = try read.query.filter(on: days)
    return try self.read(list) { tables throws(TodoError) in
      try tables.pages.answer(read, filter, in: list)
    }
  }

  package func reader(of list: TodoListKey) throws(TodoError) -> (any TodoReader)? {
    guard let snapshot = try database.beginSnapshot() else { return nil }
    return SnapshotReader(snapshot: snapshot, list: list, days: days)
  }
}

/// A reader of a snapshot of a list.
private struct SnapshotReader: TodoReader {
  let snapshot: DatabaseSnapshot
  let list: TodoListKey
  let days: DayClock

  func answer(_ read: TodoRead) throws(TodoError) -> TodoRead.Answer {
    let filter = try read.query.filter(on: days)
    return try snapshot.read { connection throws(TodoError) in
      try connection.tables.pages.answer(read, filter, in: list)
    }
  }

  func cancel() { snapshot.cancel() }
}
