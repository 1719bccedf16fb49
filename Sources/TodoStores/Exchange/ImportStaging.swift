import TodoModel

/// Where an import keeps todos until there are many of them: one statement for thousands of rows is
/// several times faster than thousands for one, above all for the search index.
struct ImportStaging {
  private let connection: Connection
  private var rowCount = 0
  private var byteCount = 0

  private static let rowsMax = 20_000
  private static let bytesMax = 32 << 20

  /// Makes an empty table of this connection's own.
  init(over connection: Connection) throws(TodoError) {
    self.connection = connection
    try connection.execute(
      """
      CREATE TEMP TABLE IF NOT EXISTS staged (
        id INTEGER PRIMARY KEY, list, name, title, is_done, version, created_at, updated_at,
        origin_url, origin_number, place, sync, is_removed, note, search_title, search,
        base_title, base_note, base_done, theirs_title, theirs_note, theirs_done,
        UNIQUE (list, name), UNIQUE (list, origin_number));
      DELETE FROM staged;
      """)
  }

  /// False when one with the same id or the same issue waits here already.
  mutating func add(_ stored: StoredTodo, to list: Int64) throws(TodoError) -> Bool {
    let todo = stored.todo
    let sides = [stored.base, stored.theirs].flatMap { side in
      [SQLValue(side?.title), SQLValue(side?.note), side.map { SQLValue($0.isDone) } ?? .null]
    }
    let isNew = try connection.first(
      """
      INSERT INTO staged (list, name, title, is_done, version, created_at, updated_at, origin_url,
        origin_number, place, sync, is_removed, note, search_title, search, base_title, base_note,
        base_done, theirs_title, theirs_note, theirs_done)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING RETURNING 1
      """,
      [
        .integer(list), .text(todo.id.text), .text(todo.content.title),
        SQLValue(todo.content.isDone), .integer(todo.version),
        .integer(todo.createdAt.milliseconds), .integer(todo.updatedAt.milliseconds),
        SQLValue(todo.origin?.url), SQLValue(todo.origin?.number), .integer(stored.place),
        .text(todo.sync.rawValue), SQLValue(stored.isRemoved), .text(todo.content.note),
        SQLValue(SearchFolding.folded(todo.content.title)),
        SQLValue(SearchFolding.folded(todo.content.note)),
      ] + sides
    ) { _ in true }
    guard isNew != nil else { return false }
    rowCount += 1
    byteCount += todo.content.note.utf8.count
    if rowCount >= Self.rowsMax || byteCount >= Self.bytesMax { try empty() }
    return true
  }

  /// Moves everything to where it belongs.
  mutating func empty() throws(TodoError) {
    let last = try connection.first("SELECT max(id) FROM todo") { row in row.integer(0) } ?? 0
    try connection.run(
      """
      INSERT INTO todo (id, list, name, title, is_done, version, created_at, updated_at,
        origin_url, origin_number, place, sync, is_removed, search_title)
      SELECT ? + id, list, name, title, is_done, version, created_at, updated_at, origin_url,
        origin_number, place, sync, is_removed, search_title FROM staged ORDER BY id
      """, .integer(last))
    try connection.run(
      """
      INSERT INTO note (todo, text, search) SELECT ? + id, note, search FROM staged ORDER BY id
      """, .integer(last))
    for side in ["base", "theirs"] {
      try connection.run(
        """
        INSERT INTO delivery (todo, side, title, note, is_done)
        SELECT ? + id, '\(side)', \(side)_title, \(side)_note, \(side)_done FROM staged
        WHERE \(side)_title IS NOT NULL
        """, .integer(last))
    }
    try connection.run("DELETE FROM staged")
    (rowCount, byteCount) = (0, 0)
  }
}
