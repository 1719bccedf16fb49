import TodoModel

/// Writing out what a store keeps.
extension SQLiteStore {
  /// Writes lists as lines of JSON, from one moment and a few at a time, however many there are.
  /// History and accounts stay behind.
  ///
  /// - Parameters:
  ///   - profile: Whose lists; nil: everybody's.
  ///   - source: Of which source (`""` for the local one); nil: of all.
  ///   - write: Takes the next lines.
  ///
  /// Throws `notFound` where nothing is kept under that name, `storage`, and what `write` throws.
  package func exportLines(
    profile: String?, source: String?, to write: ([UInt8]) throws(TodoError) -> Void
  ) throws(TodoError) {
    try withConnection { connection throws(TodoError) in
      try connection.snapshot { () throws(TodoError) in
        let lists = try connection.exportedLists(profile: profile, source: source)
        if let profile, lists.isEmpty {
          throw TodoError(.notFound, "There is no list of \"\(profile)\". Check --name, --source.")
        }
        var bytes: [UInt8] = []
        func add(_ line: ExchangeLine) throws(TodoError) {
          line.write(to: &bytes)
          guard bytes.count >= Self.exportBytesMax else { return }
          try write(bytes)
          bytes.removeAll(keepingCapacity: true)
        }
        try add(.header)
        for (number, list) in lists {
          try add(.list(list))
          try connection.eachExportedTodo(in: number) { stored throws(TodoError) in
            try add(.todo(stored))
          }
        }
        try write(bytes)
      }
    }
  }

  /// How much is collected before it is written.
  private static var exportBytesMax: Int { 1 << 16 }
}

extension Connection {
  fileprivate func exportedLists(
    profile: String?, source: String?
  ) throws(TodoError) -> [(number: Int64, list: ExchangeList)] {
    try all(
      """
      SELECT id, profile, source, (SELECT count(*) FROM todo WHERE todo.list = list.id AND \(isKept))
      FROM list WHERE (?1 IS NULL OR profile = ?1) AND (?2 IS NULL OR source = ?2)
      ORDER BY profile, source
      """, [SQLValue(profile), SQLValue(source)]
    ) { row in
      let key = TodoListKey(profile: row.text(1), source: row.text(2))
      return (row.integer(0), ExchangeList(key: key, count: row.integer(3)))
    }
  }

  fileprivate func eachExportedTodo(
    in list: Int64, _ body: (StoredTodo) throws(TodoError) -> Void
  ) throws(TodoError) {
    // An array of nothing: the rows pass one by one.
    _ = try all(
      """
      SELECT todo.id, todo.name, todo.title, todo.is_done, todo.version, todo.created_at,
        todo.updated_at, todo.origin_url, todo.origin_number, todo.place, todo.sync,
        todo.is_removed, note.text, base.title, base.note, base.is_done, theirs.title,
        theirs.note, theirs.is_done
      FROM todo JOIN note ON note.todo = todo.id
      LEFT JOIN delivery AS base ON base.todo = todo.id AND base.side = 'base'
      LEFT JOIN delivery AS theirs ON theirs.todo = todo.id AND theirs.side = 'theirs'
      WHERE todo.list = ? AND \(isKept) ORDER BY todo.place, todo.id
      """, [.integer(list)]
    ) { row throws(TodoError) in try body(row.exportedTodo) }
  }
}

/// A removed todo of a source is kept, so that a load does not bring it back; one that was only
/// here is gone but for the undo.
private let isKept = "(is_removed = 0 OR origin_number IS NOT NULL)"

extension Row {
  fileprivate var exportedTodo: StoredTodo {
    var origin: TodoOrigin?
    if let url = optionalText(7), let number = optionalInteger(8) {
      origin = TodoOrigin(url: url, number: number)
    }
    let todo = Todo(
      id: TodoID(text(1)), content: TodoContent(title: text(2), note: text(12), isDone: flag(3)),
      version: integer(4), createdAt: Timestamp(milliseconds: integer(5)),
      updatedAt: Timestamp(milliseconds: integer(6)), origin: origin,
      sync: SyncState(rawValue: text(10)) ?? .local)
    return StoredTodo(
      row: integer(0), todo: todo, place: integer(9), isRemoved: flag(11), base: content(from: 13),
      theirs: content(from: 16))
  }

  private func content(from column: Int32) -> TodoContent? {
    guard !isNull(column) else { return nil }
    return TodoContent(
      title: text(column), note: text(column + 1), isDone: flag(column + 2))
  }
}
