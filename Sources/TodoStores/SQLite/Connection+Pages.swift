import TodoModel

/// Answering parts of a list, and making it ready at the start.
extension Connection {
  /// Settings that hold for this connection, and the newest schema.
  func prepareForUse(at now: Timestamp) throws(TodoError) {
    if isReadOnly { throw failure.readOnly }
    try execute("PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL;")
    try Schema.check(self)
    try useWAL()
    try Schema.migrate(self, at: now)
  }

  /// How much of each todo a page has.
  enum Part {
    case whole, withoutNote

    var columns: String {
      let row = "todo.name, todo.title, todo.is_done, todo.sync, todo.origin_number"
      return switch self {
      case .withoutNote: row
      case .whole:
        row + ", todo.version, todo.created_at, todo.updated_at, todo.origin_url, note.text"
      }
    }

    var columnCount: Int32 {
      switch self {
      case .withoutNote: 5
      case .whole: 10
      }
    }

    var tables: String {
      switch self {
      case .withoutNote: "todo"
      case .whole: "todo JOIN note ON note.todo = todo.id"
      }
    }
  }

  /// One page, and how many todos there are on all of them, both of the same moment.
  func page<Element: Sendable & Equatable>(
    _ query: TodoQuery, of list: TodoListKey, part: Part, read: (Row) -> Element
  ) throws(TodoError) -> TodoPage<Element> {
    let offset = max(0, query.offset)
    let limits = [SQLValue.integer(Int64(max(0, query.limit))), .integer(Int64(offset))]
    return try snapshot { () throws(TodoError) in
      let nothing = TodoPage<Element>(elements: [], total: 0, offset: offset)
      guard let counts = try counts(of: list) else { return nothing }
      let done = query.isDone.map { [SQLValue($0)] } ?? []
      let condition =
        "todo.list = ? AND todo.is_removed = 0" + (done.isEmpty ? "" : " AND todo.is_done = ?")
      let values = [.integer(counts.list)] + done
      switch SearchText(query.text) {
      case .nothing: return nothing
      case .everything:
        let elements = try all(
          """
          SELECT \(part.columns) FROM \(part.tables) WHERE \(condition)
          ORDER BY todo.place, todo.id LIMIT ? OFFSET ?
          """, values + limits, read: { row in read(row) })
        return TodoPage(elements: elements, total: counts[query.isDone], offset: offset)
      case .match(let words):
        let hits = Self.hits(where: condition)
        let found = try all(
          """
          \(hits), page AS (SELECT id FROM hits ORDER BY place, id LIMIT ? OFFSET ?)
          SELECT \(part.columns), (SELECT count(*) FROM hits)
          FROM page CROSS JOIN \(part.tables) WHERE todo.id = page.id
          ORDER BY todo.place, todo.id
          """, [.text(words)] + values + limits
        ) { row in (element: read(row), total: Int(row.integer(part.columnCount))) }
        var total = found.first?.total
        // A page beyond the end has no row that could tell how many there are.
        if total == nil {
          total = try first("\(hits) SELECT count(*) FROM hits", [.text(words)] + values) { row in
            Int(row.integer(0))
          }
        }
        return TodoPage(elements: found.map(\.element), total: total ?? 0, offset: offset)
      }
    }
  }

  /// The todos that have the words. CROSS JOIN makes SQLite ask the index first: the other way
  /// round it would walk the whole list for a word that nothing has.
  private static func hits(where condition: String) -> String {
    """
    WITH hits AS MATERIALIZED (
      SELECT todo.id AS id, todo.place AS place
      FROM todo_text CROSS JOIN todo ON todo.id = todo_text.rowid
      WHERE todo_text MATCH ? AND \(condition)
    )
    """
  }

  /// How many todos a list has, kept by triggers, so that nothing is counted for a page.
  private struct Counts {
    var list: Int64
    var total: Int
    var done: Int

    subscript(isDone: Bool?) -> Int {
      switch isDone {
      case nil: total
      case true?: done
      case false?: total - done
      }
    }
  }

  private func counts(of list: TodoListKey) throws(TodoError) -> Counts? {
    try first(
      "SELECT id, total, done FROM list WHERE profile = ? AND source = ?",
      [.text(list.profile), .text(list.source)]
    ) { row in
      Counts(list: row.integer(0), total: Int(row.integer(1)), done: Int(row.integer(2)))
    }
  }
}

extension Row {
  /// A todo without its note. The columns are those of `Part.withoutNote`.
  var todoRow: TodoRow {
    TodoRow(
      id: TodoID(text(0)), title: text(1), isDone: flag(2), sync: sync(3),
      number: optionalInteger(4))
  }

  /// A whole todo. The columns are those of `Part.whole`.
  var todo: Todo {
    let origin = optionalInteger(4).map { TodoOrigin(url: text(8), number: $0) }
    return Todo(
      id: TodoID(text(0)),
      content: TodoContent(title: text(1), note: text(9), isDone: flag(2)),
      version: integer(5), createdAt: Timestamp(milliseconds: integer(6)),
      updatedAt: Timestamp(milliseconds: integer(7)), origin: origin, sync: sync(3))
  }

  /// A todo with all that is kept of it.
  var storedTodo: StoredTodo {
    StoredTodo(
      row: integer(10), todo: todo, place: integer(11), isRemoved: flag(12),
      base: content(13), theirs: content(16))
  }

  private func content(_ column: Int32) -> TodoContent? {
    isNull(column)
      ? nil
      : TodoContent(title: text(column), note: text(column + 1), isDone: flag(column + 2))
  }

  /// The table holds no other words; one from a damaged file counts as changed, so that no load
  /// overwrites it.
  private func sync(_ column: Int32) -> SyncState {
    SyncState(rawValue: text(column)) ?? .pending
  }
}
