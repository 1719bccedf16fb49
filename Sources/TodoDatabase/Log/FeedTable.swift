import SQLiteDatabase
import TodoModel

/// The statements that read the log of changes in order, for clients that watch for changes.
final class FeedTable {
  private unowned let connection: Connection
  private lazy var later = Statement(
    """
    SELECT sequence, profile, source, entry, version, what, who
    FROM change JOIN list ON list.id = change.list
    WHERE sequence > ? AND entry GLOB 'todo/*' ORDER BY sequence LIMIT ?
    """, on: connection)

  init(over connection: Connection) { self.connection = connection }

  func changes(after position: Int64, limit: Int) throws(TodoError) -> [LoggedChange] {
    try later.all(.integer(position), .integer(Int64(limit))) { row in
      LoggedChange(
        position: row.integer(0),
        list: TodoListKey(profile: row.text(1), source: row.text(2)),
        id: EntryID(row.text(3))?.todoID ?? TodoID(""), version: row.number(4),
        kind: ChangeKind(rawValue: row.text(5)) ?? .edit,
        author: ChangeAuthor(rawValue: row.text(6)) ?? .local)
    }
  }
}

extension SQLiteStore: ChangeFeed {
  package func endPosition() throws(TodoError) -> Int64 {
    try database.read { connection throws(TodoError) in try connection.tables.log.lastSequence() }
  }

  package func changes(
    after position: Int64, limit: Int
  ) throws(TodoError) -> [LoggedChange] {
    try database.read { connection throws(TodoError) in
      try connection.tables.feed.changes(after: position, limit: limit)
    }
  }

  package func watchLog(
    after position: Int64, _ onChange: @escaping @Sendable () -> Void
  ) async {
    await database.watch(
      { () throws(TodoError) in try self.endPosition() }, since: position, onChange)
  }
}
