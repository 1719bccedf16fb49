import SQLiteDatabase
import TodoModel

/// Where an import keeps todos until there are many of them: one statement for thousands of rows is
/// several times faster than thousands for one, above all for the search index.
final class ImportStaging {
  private unowned let connection: Connection
  private var rowCount = 0
  private var byteCount = 0
  private lazy var add = Statement(
    """
    INSERT INTO staged (list, note, search, base, theirs, \(todoColumns))
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, \(TodoColumns.fields.map { _ in "?" }.joined(separator: ", ")))
    ON CONFLICT DO NOTHING RETURNING 1
    """, on: connection)
  private lazy var addLabel = Statement(
    "INSERT INTO staged_label (staged, key, text) VALUES (?, ?, ?)", on: connection)
  private lazy var moves = [
    """
    INSERT INTO todo (id, list, \(todoColumns))
    SELECT ? + id, list, \(todoColumns) FROM staged ORDER BY id
    """,
    "INSERT INTO note (todo, text, search) SELECT ? + id, note, search FROM staged ORDER BY id",
    Self.moveSide("base"), Self.moveSide("theirs"),
    """
    INSERT INTO label (list, key, todo, text)
    SELECT list, key, ? + id, text FROM staged_label JOIN staged ON staged.id = staged
    """,
  ].map { Statement($0, on: connection) }

  private static let rowsMax = 20_000
  private static let bytesMax = 32 << 20

  /// Makes an empty table of this connection's own.
  init(over connection: Connection) throws(TodoError) {
    self.connection = connection
    try connection.execute(
      """
      CREATE TEMP TABLE IF NOT EXISTS staged (
        id INTEGER PRIMARY KEY, list, \(todoColumns), note, search,
        base, theirs,
        UNIQUE (list, name), UNIQUE (list, remote_key));
      CREATE TEMP TABLE IF NOT EXISTS staged_label (staged INTEGER, key TEXT, text TEXT);
      DELETE FROM staged;
      DELETE FROM staged_label;
      """)
  }

  private static func moveSide(_ side: String) -> String {
    """
    INSERT INTO delivery (todo, side, content)
    SELECT ? + id, '\(side)', \(side) FROM staged WHERE \(side) IS NOT NULL
    """
  }

  /// False when one with the same id or the same issue waits here already.
  func add(_ stored: StoredTodo, to list: Int64) throws(TodoError) -> Bool {
    let todo = stored.todo
    let values: [SQLValue] = [
      .integer(list), .text(todo.content.note), SQLValue(SearchFolding.folded(todo.content.note)),
      SQLValue(stored.base.map { ContentText.text(of: $0) }),
      SQLValue(stored.theirs.map { ContentText.text(of: $0) }), .text(todo.id.text),
      .integer(todo.version), .integer(todo.createdAt.milliseconds),
      .integer(todo.updatedAt.milliseconds), SQLValue(stored.key), SQLValue(todo.origin?.url),
      .integer(stored.place), .text(todo.sync.rawValue), SQLValue(stored.isRemoved),
      SQLValue(SearchFolding.folded(todo.content.title)),
    ]
    let isNew = try add.first(values + todo.content.sqlValues) { _ in true }
    guard isNew != nil else { return false }
    let row = connection.lastInsertedRow
    for text in todo.content.labels.texts {
      try addLabel.run(.integer(row), .text(LabelSet.key(of: text)), .text(text))
    }
    rowCount += 1
    byteCount += todo.content.note.utf8.count
    if rowCount >= Self.rowsMax || byteCount >= Self.bytesMax { try empty() }
    return true
  }

  /// Moves everything to where it belongs.
  func empty() throws(TodoError) {
    let last = try connection.number("SELECT max(id) FROM todo")
    for move in moves { try move.run(.integer(last)) }
    try connection.execute("DELETE FROM staged; DELETE FROM staged_label")
    (rowCount, byteCount) = (0, 0)
  }
}

private let todoColumns = """
  name, version, created_at, updated_at, remote_key, remote_url, place, sync, is_removed, \
  search_title, \(TodoColumns.fields.joined(separator: ", "))
  """
