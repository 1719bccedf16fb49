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
    case whole, wholeWithoutNote, row, rowWithPreview

    var columns: String {
      let row = "todo.name, todo.title, todo.is_done, todo.sync, todo.origin_number"
      let rest = "todo.version, todo.created_at, todo.updated_at, todo.origin_url"
      return switch self {
      case .row: "\(row), todo.origin_url, NULL"
      // Asked for of the page's own todos only, not of those that are walked over.
      case .rowWithPreview:
        """
        \(row), todo.origin_url, (SELECT substr(CAST(text AS BLOB), 1, \(Self.previewBytes))
        FROM note WHERE todo = todo.id)
        """
      case .wholeWithoutNote: "\(row), \(rest), ''"
      case .whole: "\(row), \(rest), note.text"
      }
    }

    /// Enough for `TodoRow.preview`.
    private static let previewBytes = TodoRow.previewBytesMax + 4

    var tables: String {
      switch self {
      case .row, .rowWithPreview, .wholeWithoutNote: "todo"
      case .whole: "todo JOIN note ON note.todo = todo.id"
      }
    }

    /// A list is shown as a whole; todos that are asked for have a limit together.
    fileprivate var bytesMax: Int {
      switch self {
      case .row, .rowWithPreview: .max
      case .whole, .wholeWithoutNote: TodoQuery.answerBytesMax
      }
    }

    fileprivate func byteCount(_ row: Row) -> Int {
      switch self {
      case .row, .rowWithPreview, .wholeWithoutNote: row.byteCount(1)
      case .whole: row.byteCount(1) + row.byteCount(9)
      }
    }
  }

  /// One page, and how many todos there are on all of them, both of the same moment.
  func page<Element: Sendable & Equatable>(
    _ query: TodoQuery, of list: TodoListKey, part: Part, read: @escaping (Row) -> Element
  ) throws(TodoError) -> TodoPage<Element> {
    let (offset, limit) = (max(0, query.offset), max(0, query.limit))
    return try snapshot { () throws(TodoError) in
      let nothing = TodoPage<Element>(elements: [], total: 0, offset: offset)
      guard let list = try state(of: list) else { return nothing }
      var page = PageReading(part: part, read: read)
      let total: Int
      switch try SearchText(query.text, tokenizer) {
      case .nothing: return nothing
      case .everything:
        total = list[query.isDone]
        if let order = try orderWorthMaking(query, list) {
          let rows = order.rows.dropFirst(offset).prefix(limit)
          try self.read(rows, &page)
        } else {
          try scan(query, list, &page)
        }
      case .words(let words):
        let order = try order(list.key(query), list.versions)
        let hits = try hits(of: words, in: order, textVersion: list.versions.text)
        total = hits?.count ?? 0
        let places = hits?.places(offset: offset, limit: limit) ?? []
        try self.read(places.map { order.rows[$0] }, &page)
      }
      return TodoPage(
        elements: page.elements, total: total, offset: offset, isTruncated: page.isTruncated)
    }
  }

  /// Up to here a page is found by walking to it.
  private static let walkedCountMax = 1_000

  /// Nil where it is quicker to walk along the user's order.
  private func orderWorthMaking(
    _ query: TodoQuery, _ list: ListState
  ) throws(TodoError) -> ListOrder? {
    let key = list.key(query)
    if let known = orders.known(key, list.versions) { return known }
    if query.sort == TodoSort() {
      // The first page far down that is asked for may be the only one.
      let isNear = query.offset <= Self.walkedCountMax
      if isNear || !orders.isWantedAgain(key, list.versions) { return nil }
    }
    return try order(key, list.versions)
  }

  private func scan<Element>(
    _ query: TodoQuery, _ list: ListState, _ page: inout PageReading<Element>
  ) throws(TodoError) {
    let done = query.isDone.map { [SQLValue($0)] } ?? []
    try each(
      """
      SELECT \(page.part.columns) FROM \(page.part.tables)
      WHERE todo.list = ? AND todo.is_removed = 0\(done.isEmpty ? "" : " AND todo.is_done = ?")
      ORDER BY todo.place, todo.id LIMIT ? OFFSET ?
      """,
      [.integer(list.number)] + done
        + [.integer(Int64(max(0, query.limit))), .integer(Int64(max(0, query.offset)))]
    ) { row throws(TodoError) in page.add(row) }
  }

  private func read<Element>(
    _ rows: some Sequence<Int64>, _ page: inout PageReading<Element>
  ) throws(TodoError) {
    let sql = "SELECT \(page.part.columns) FROM \(page.part.tables) WHERE todo.id = ?"
    for row in rows {
      var hasRoom = true
      try each(sql, [.integer(row)]) { row throws(TodoError) in
        hasRoom = page.add(row)
        return false
      }
      if !hasRoom { return }
    }
  }
}

/// The todos of a page, as many as fit into an answer.
private struct PageReading<Element> {
  let part: Connection.Part
  let read: (Row) -> Element
  private(set) var elements: [Element] = []
  private(set) var isTruncated = false
  private var byteCount = 0

  init(part: Connection.Part, read: @escaping (Row) -> Element) {
    self.part = part
    self.read = read
  }

  /// False when there is no room for this one. One todo is answered however large it is.
  mutating func add(_ row: Row) -> Bool {
    byteCount += part.byteCount(row)
    guard byteCount <= part.bytesMax || elements.isEmpty else {
      isTruncated = true
      return false
    }
    elements.append(read(row))
    return true
  }
}

/// What the database counts of a list, so that nothing is counted for a page.
struct ListState {
  var number: Int64
  var total: Int
  var done: Int
  var versions: ListVersions

  subscript(isDone: Bool?) -> Int {
    switch isDone {
    case nil: total
    case true?: done
    case false?: total - done
    }
  }

  func key(_ query: TodoQuery) -> ListOrders.Key {
    ListOrders.Key(list: number, isDone: query.isDone, sort: query.sort)
  }
}

extension Connection {
  /// Nil where nothing was ever kept in the list.
  func state(of list: TodoListKey) throws(TodoError) -> ListState? {
    try first(
      """
      SELECT id, total, done, order_version, text_version, edit_version FROM list
      WHERE profile = ? AND source = ?
      """, [.text(list.profile), .text(list.source)]
    ) { row in
      ListState(
        number: row.integer(0), total: Int(row.integer(1)), done: Int(row.integer(2)),
        versions: ListVersions(
          order: row.integer(3), text: row.integer(4), edit: row.integer(5)))
    }
  }
}

extension Row {
  /// A todo without its note. The columns are those of `Part.row`.
  var todoRow: TodoRow {
    TodoRow(
      id: TodoID(text(0)), title: text(1), isDone: flag(2), sync: sync(3),
      number: optionalInteger(4), url: optionalText(5),
      preview: optionalText(6).flatMap { TodoRow.preview(of: $0) })
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
