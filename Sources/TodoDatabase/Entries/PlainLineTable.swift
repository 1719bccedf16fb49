import SQLiteDatabase
import TodoModel

/// The plain lines of lists: headings, paragraphs and other lines that are not todos.
final class PlainLineTable {
  private unowned let connection: Connection
  private let order: EntryOrder
  private lazy var all = Statement(
    """
    SELECT id, text, place FROM plain_line WHERE list = ? AND is_removed = 0 ORDER BY place, id
    """, on: connection)
  private lazy var todoAbove = Statement(
    """
    SELECT name FROM todo WHERE list = ? AND is_removed = 0 AND place < ?
    ORDER BY place DESC, id DESC LIMIT 1
    """, on: connection)
  private lazy var placeBelow = Statement(
    """
    SELECT place FROM todo WHERE list = ? AND is_removed = 0 AND place >= ?
    ORDER BY place LIMIT 1
    """, on: connection)
  private lazy var find = Statement(
    "SELECT text FROM plain_line WHERE list = ? AND id = ? AND is_removed = 0", on: connection)
  private lazy var add = Statement(
    "INSERT INTO plain_line (list, place, text, heading) VALUES (?, ?, ?, ?)", on: connection)
  private lazy var replace = Statement(
    "UPDATE plain_line SET text = ? WHERE list = ? AND id = ?", on: connection)
  private lazy var changePlace = Statement(
    "UPDATE plain_line SET place = ? WHERE id = ?", on: connection)
  private lazy var remove = Statement(
    "UPDATE plain_line SET is_removed = 1 WHERE list = ? AND id = ?", on: connection)
  // The newest row stays: SQLite would use its id again, and a front-end that still has the old
  // line could then remove the new one.
  private lazy var deleteUnreferenced = Statement(
    """
    DELETE FROM plain_line WHERE list = ? AND is_removed = 1
      AND id < (SELECT max(id) FROM plain_line) AND NOT EXISTS (
        SELECT 1 FROM document JOIN document_text_span AS span ON span.document = document.id
        WHERE document.list = plain_line.list AND span.text = plain_line.id)
    """, on: connection)

  init(over connection: Connection, order: EntryOrder) {
    (self.connection, self.order) = (connection, order)
  }

  /// Returns the lines of a list, each with the todo above it.
  func lines(in list: Int64) throws(TodoError) -> [PlainLine] {
    var lines: [PlainLine] = []
    var above: TodoID?
    // Fast path: many lines may follow each other without a todo between them.
    var nextTodo: Int64? = .min
    try all.each([.integer(list)]) { row throws(TodoError) in
      let place = row.number(2)
      if let next = nextTodo, next < place {
        above = try todoAbove.first(.integer(list), .integer(place)) { TodoID($0.text(0)) }
        nextTodo = try placeBelow.first(.integer(list), .integer(place)) { $0.number(0) }
      }
      lines.append(PlainLine(id: row.integer(0), text: row.text(1), after: above))
      return true
    }
    return lines
  }

  /// Returns the text of a line; `nil` if the line was removed.
  func text(_ id: Int64, in list: Int64) throws(TodoError) -> String? {
    try find.first(.integer(list), .integer(id)) { row in row.text(0) }
  }

  /// Adds lines at a position, each below the previous one, and returns their ids.
  func add(
    _ texts: [String], _ position: EntryOrder.Position, to list: Int64
  ) throws(TodoError) -> [Int64] {
    var position = position
    return try texts.map { text throws(TodoError) in
      let place = try order.place(position, in: list)
      try add.run(
        .integer(list), .integer(place), .text(text), SQLValue(Heading.text(of: text)))
      position = .below(.text(connection.lastInsertedRow))
      return connection.lastInsertedRow
    }
  }

  /// Replaces the stored text of a line, which includes the blank lines around the line. The new
  /// text differs only in these blank lines.
  func replace(_ id: Int64, with text: String, in list: Int64) throws(TodoError) {
    try replace.run(.text(text), .integer(list), .integer(id))
  }

  func move(_ id: Int64, to place: Int64) throws(TodoError) {
    try changePlace.run(.integer(place), .integer(id))
  }

  /// Removes a line. The line stays stored while a generation (a recorded version) of a document
  /// contains it.
  func remove(_ id: Int64, from list: Int64) throws(TodoError) {
    try remove.run(.integer(list), .integer(id))
  }

  /// Deletes the removed lines that no generation (recorded version) of a document contains.
  func deleteUnreferenced(in list: Int64) throws(TodoError) {
    try deleteUnreferenced.run(.integer(list))
  }
}
