import SQLiteDatabase
import TodoModel

/// A temporary table that collects imported todos. Moving thousands of rows with one statement is
/// several times faster than adding each row with a separate statement, mainly because of the
/// search index.
final class ImportStaging {
  private unowned let connection: Connection
  private var rowCount = 0
  private var byteCount = 0
  private lazy var add = Statement(
    """
    INSERT INTO staged (\(allColumns.joined(separator: ", ")))
    VALUES (\(allColumns.map { _ in "?" }.joined(separator: ", ")))
    ON CONFLICT DO NOTHING RETURNING 1
    """, on: connection)
  private lazy var addLabel = Statement(
    "INSERT INTO staged_label (staged, key, text) VALUES (?, ?, ?)", on: connection)
  private lazy var addDetail = Statement(
    "INSERT INTO staged_detail (staged, name, value) VALUES (?, ?, ?)", on: connection)
  private lazy var moves = [
    """
    INSERT INTO todo (id, list, \(todoColumns.joined(separator: ", ")))
    SELECT ? + id, list, \(todoColumns.joined(separator: ", ")) FROM staged ORDER BY id
    """,
    "INSERT INTO note (todo, text, search) SELECT ? + id, note, search FROM staged ORDER BY id",
    Self.moveSide("base"), Self.moveSide("theirs"),
    """
    INSERT INTO outbox (todo, what, sent_at, content, marker)
    SELECT ? + id, sent_what, sent_at, sent_content, sent_marker FROM staged
    WHERE sent_what IS NOT NULL
    """,
    """
    INSERT INTO exported (todo, marker, since, content)
    SELECT ? + id, exported_marker, exported_since, exported_content FROM staged
    WHERE exported_marker IS NOT NULL
    """,
    """
    INSERT INTO label (list, key, todo, text)
    SELECT list, key, ? + id, text FROM staged_label JOIN staged ON staged.id = staged
    """,
    """
    INSERT OR IGNORE INTO detail (list, name, value, todo)
    SELECT list, staged_detail.name, value, ? + id FROM staged_detail
    JOIN staged ON staged.id = staged
    """,
  ].map { Statement($0, on: connection) }

  private static let rowsMax = 20_000
  private static let bytesMax = 16 << 20

  /// Creates the empty temporary table in a connection.
  init(over connection: Connection) throws(TodoError) {
    self.connection = connection
    try connection.execute(
      """
      DROP TABLE IF EXISTS temp.staged;
      DROP TABLE IF EXISTS temp.staged_label;
      DROP TABLE IF EXISTS temp.staged_detail;
      CREATE TEMP TABLE staged (
        id INTEGER PRIMARY KEY, \(allColumns.joined(separator: ", ")),
        UNIQUE (list, name), UNIQUE (list, remote_key));
      CREATE TEMP TABLE staged_label (staged INTEGER, key TEXT, text TEXT);
      CREATE TEMP TABLE staged_detail (staged INTEGER, name TEXT, value);
      """)
  }

  private static func moveSide(_ side: String) -> String {
    """
    INSERT INTO delivery (todo, side, content)
    SELECT ? + id, '\(side)', \(side) FROM staged WHERE \(side) IS NOT NULL
    """
  }

  /// Adds a todo to the table.
  ///
  /// - Returns: `false` if the table already has a todo with the same id or the same item.
  func add(_ stored: StoredTodo, to list: Int64) throws(TodoError) -> Bool {
    let (todo, sent, exported) = (stored.todo, stored.sent, stored.exported)
    let texts = [stored.base, stored.theirs, sent?.content, exported?.content].map { content in
      content.map { ContentText.text(of: $0) }
    }
    let values: [SQLValue] = [
      .integer(list), .text(todo.content.note), SQLValue(SearchFolding.folded(todo.content.note)),
      SQLValue(texts[0]), SQLValue(texts[1]), SQLValue(sent?.kind.rawValue),
      SQLValue(sent?.openUntil.milliseconds), SQLValue(texts[2]), SQLValue(sent?.marker?.text),
      SQLValue(exported?.marker.text), SQLValue(exported?.since.milliseconds), SQLValue(texts[3]),
      .text(todo.id.text), .integer(todo.version), .integer(todo.createdAt.milliseconds),
      .integer(todo.updatedAt.milliseconds), SQLValue(stored.key), SQLValue(todo.origin?.url),
      SQLValue(stored.revision), .integer(stored.place), .text(todo.sync.rawValue),
      SQLValue(todo.failure?.kind.rawValue), SQLValue(todo.failure?.message),
      SQLValue(stored.isRemoved), SQLValue(SearchFolding.folded(todo.content.title)),
      SQLValue(todo.origin?.details?.storedText), SQLValue(todo.effectiveDue?.description),
      SQLValue(stored.sourceOrder),
    ]
    let isNew = try add.first(values + todo.content.sqlValues) { _ in true }
    guard isNew != nil else { return false }
    let row = connection.lastInsertedRow
    for text in todo.content.labels.texts {
      try addLabel.run(.integer(row), .text(LabelSet.key(of: text)), .text(text))
    }
    for (name, value) in todo.origin?.details?.indexed ?? [] {
      try addDetail.run(.integer(row), .text(name.rawValue), value)
    }
    rowCount += 1
    byteCount += 2 * Int(todo.content.byteCount)
    for text in texts { byteCount += text?.utf8.count ?? 0 }
    if rowCount >= Self.rowsMax || byteCount >= Self.bytesMax { try empty() }
    return true
  }

  /// Moves all rows to the permanent tables of todos.
  func empty() throws(TodoError) {
    guard rowCount > 0 else { return }
    let last = try connection.number("SELECT max(id) FROM todo")
    for move in moves { try move.run(.integer(last)) }
    try connection.execute(
      "DELETE FROM staged; DELETE FROM staged_label; DELETE FROM staged_detail")
    (rowCount, byteCount) = (0, 0)
  }
}

/// The columns of the table `todo`, ending with those in `TodoColumns.fields`.
private let todoColumns =
  [
    "name", "version", "created_at", "updated_at", "remote_key", "remote_url", "remote_revision",
    "place", "sync", "failure_kind", "failure", "is_removed", "search_title", "source_details",
    "effective_due", "source_order",
  ] + TodoColumns.fields

/// The columns of the table `staged`, in the order of the values that `add` binds.
private let allColumns =
  [
    "list", "note", "search", "base", "theirs", "sent_what", "sent_at", "sent_content",
    "sent_marker", "exported_marker", "exported_since", "exported_content",
  ] + todoColumns
