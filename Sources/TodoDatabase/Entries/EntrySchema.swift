import SQLiteDatabase
import TodoModel

/// The plain lines of lists, since schema version 20. They share one order with the todos: each
/// todo and each plain line has a place, a number by which they are sorted (see `EntryOrder`).
///
/// Before version 20, each document had its own plain lines (`document_text`), each anchored to a
/// todo.
package struct EntrySchema: SchemaPart {
  package init() {}

  package var scripts: [String] { [Self.lineTable] }

  package func update(from version: Int, over connection: Connection) throws(TodoError) {
    guard version < 20 else { return }
    try make(over: connection)
    if version >= 6 { try PlainLineUpdate(over: connection).moveLines() }
  }

  package func renew(over connection: Connection) throws(TodoError) {}

  /// The script that creates the table. The column `heading` contains the text of a heading; it is
  /// null for other lines.
  private static let lineTable = """
    CREATE TABLE plain_line (
      id INTEGER PRIMARY KEY,
      list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
      place INTEGER NOT NULL,
      text TEXT NOT NULL,
      heading TEXT,
      is_removed INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX plain_line_place ON plain_line (list, place, id) WHERE is_removed = 0;
    CREATE INDEX plain_line_heading ON plain_line (list, place, heading)
      WHERE heading IS NOT NULL AND is_removed = 0;
    CREATE INDEX plain_line_removed ON plain_line (list) WHERE is_removed = 1;
    """
}

/// The migration that moves the plain lines of each document to its list.
///
/// Each line stays below the todo that was above it.
private struct PlainLineUpdate {
  private let connection: Connection

  init(over connection: Connection) { self.connection = connection }

  func moveLines() throws(TodoError) {
    let lists = try Statement(
      """
      SELECT DISTINCT list FROM document
      WHERE id IN (SELECT document FROM document_text) ORDER BY list
      """, on: connection
    ).all { row in row.integer(0) }
    for list in lists { try moveLines(of: list) }
    try connection.execute("DROP TABLE document_text")
  }

  private struct OldLine {
    var id: Int64
    var below: String?
  }

  private func moveLines(of list: Int64) throws(TodoError) {
    let lines = try Statement(
      """
      SELECT line.id, below
      FROM document_text AS line JOIN document ON document.id = line.document
      WHERE list = ?1 ORDER BY document.id, line.place, line.id
      """, on: connection
    ).all(.integer(list)) { row in
      OldLine(id: row.integer(0), below: row.optionalText(1))
    }
    let todos = try Statement(
      "SELECT id, name FROM todo WHERE list = ? ORDER BY place, id", on: connection
    ).all(.integer(list)) { row in (row: row.integer(0), name: row.text(1)) }
    let names = Set(todos.map(\.name))
    var below = Dictionary(grouping: lines) { line in
      line.below.flatMap { names.contains($0) ? $0 : nil }
    }
    var place: Int64 = 0
    let moveTodo = Statement("UPDATE todo SET place = ? WHERE id = ?", on: connection)
    let addLine = Statement(
      """
      INSERT INTO plain_line (id, list, place, text, heading, is_removed)
      SELECT id, ?, ?, text, ?, is_removed FROM document_text WHERE id = ?
      """, on: connection)
    let text = Statement("SELECT text FROM document_text WHERE id = ?", on: connection)
    func add(_ lines: [OldLine]) throws(TodoError) {
      for line in lines {
        let heading = try text.first(.integer(line.id)) { row in Heading.text(of: row.text(0)) }
        try addLine.run(
          .integer(list), .integer(place), SQLValue(heading ?? nil), .integer(line.id))
        place += EntryOrder.gap
      }
    }
    try add(below.removeValue(forKey: nil) ?? [])
    for todo in todos {
      try moveTodo.run(.integer(place), .integer(todo.row))
      place += EntryOrder.gap
      try add(below.removeValue(forKey: todo.name) ?? [])
    }
  }
}
