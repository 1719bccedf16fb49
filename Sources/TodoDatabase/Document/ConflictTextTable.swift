import SQLiteDatabase
import TodoModel

/// The table of the document texts that conflict with todos.
final class ConflictTextTable {
  private unowned let connection: Connection
  private lazy var keepConflict = Statement(
    "REPLACE INTO document_held (document, name, digest, content) VALUES (?, ?, ?, ?)",
    on: connection)
  private lazy var drop = Statement(
    "DELETE FROM document_held WHERE document = ? AND name = ? AND digest = ?", on: connection)
  private lazy var texts = Statement(
    "SELECT name, content FROM document_held WHERE document = ? ORDER BY rowid",
    on: connection)
  private lazy var conflictsOf = Statement(
    "SELECT digest, content FROM document_held WHERE document = ? AND name = ?",
    on: connection)
  private lazy var orphans = Statement(
    """
    SELECT name, digest, content FROM document_held
    WHERE document = ? AND NOT EXISTS (
      SELECT 1 FROM todo WHERE todo.list = ? AND todo.name = document_held.name AND is_removed = 0)
    ORDER BY rowid
    """, on: connection)

  init(over connection: Connection) { self.connection = connection }

  func keepConflict(
    _ content: TodoContent, _ digest: Int64, against id: TodoID, in document: Int64
  ) throws(TodoError) {
    try keepConflict.run(
      .integer(document), .text(id.text), .integer(digest),
      .text(ContentText.text(of: content)))
  }

  func drop(_ digest: Int64, against id: TodoID, in document: Int64) throws(TodoError) {
    try drop.run(.integer(document), .text(id.text), .integer(digest))
  }

  func texts(in document: Int64) throws(TodoError) -> [TodoID: [TodoContent]] {
    let all = try texts.all(.integer(document)) { row in
      (TodoID(row.text(0)), ContentText.content(of: row.text(1)))
    }
    return Dictionary(grouping: all) { $0.0 }.mapValues { $0.map(\.1) }
  }

  func texts(
    against id: TodoID, in document: Int64
  ) throws(TodoError) -> [(digest: Int64, content: TodoContent)] {
    try conflictsOf.all(.integer(document), .text(id.text)) { row in
      (row.integer(0), ContentText.content(of: row.text(1)))
    }
  }

  /// Returns the texts that conflict with a todo that was removed or is no longer stored.
  func orphans(
    in document: Int64, of list: Int64
  ) throws(TodoError) -> [(id: TodoID, digest: Int64, content: TodoContent)] {
    try orphans.all(.integer(document), .integer(list)) { row in
      (TodoID(row.text(0)), row.integer(1), ContentText.content(of: row.text(2)))
    }
  }
}
