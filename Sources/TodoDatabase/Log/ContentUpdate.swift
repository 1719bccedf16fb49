import SQLiteDatabase
import TodoModel

/// The migration of the tables that had a separate column for each field of a todo before schema
/// version 10. Since then, the column `content` contains all fields.
struct ContentUpdate {
  private let connection: Connection

  init(over connection: Connection) { self.connection = connection }

  func moveDeliveries() throws(TodoError) {
    try move("delivery", columns: "todo, side", to: TodoSchema.deliveryTable)
  }

  func moveOutbox() throws(TodoError) {
    try move("outbox", columns: "todo, what, sent_at", to: TodoSchema.outboxTable)
    try connection.execute(TodoSchema.setOldMarkers)
  }

  func moveConflictTexts() throws(TodoError) {
    try move(
      "document_held", columns: "document, name, digest", to: DocumentSchema.conflictTextTable)
  }

  /// Replaces the columns `title`, `note` and `is_done` of a table with the column `content`.
  ///
  /// - Parameters:
  ///   - columns: The other columns, whose values do not change.
  ///   - script: The script that creates the table in its new form.
  private func move(
    _ table: String, columns: String, to script: String
  ) throws(TodoError) {
    try connection.execute("ALTER TABLE \(table) RENAME TO old_\(table)")
    try connection.execute(script)
    let insert = Statement(
      """
      INSERT INTO \(table) (\(columns), content)
      SELECT \(columns), ? FROM old_\(table) WHERE rowid = ?
      """, on: connection)
    let contents = Statement(
      "SELECT rowid, title, note, is_done FROM old_\(table) ORDER BY rowid", on: connection)
    try contents.each { row throws(TodoError) in
      let content = TodoContent(title: row.text(1), note: row.text(2), isDone: row.flag(3))
      try insert.run(.text(ContentText.text(of: content)), .integer(row.integer(0)))
      return true
    }
    try connection.execute("DROP TABLE old_\(table)")
  }
}
