import TodoModel

/// Finding and writing single todos. Each function is one or a few statements; what to write is
/// decided by `StoredTodo`.
extension Connection {
  // MARK: Lists

  /// The number of a list that is to be written to; it is made when it is missing.
  func listNumber(of list: TodoListKey) throws(TodoError) -> Int64 {
    if let number = try knownNumber(of: list) { return number }
    try run(
      "INSERT INTO list (profile, source) VALUES (?, ?)", .text(list.profile), .text(list.source))
    return lastInsertedRow
  }

  /// The number of a list, or nil where nothing was ever kept in it.
  func knownNumber(of list: TodoListKey) throws(TodoError) -> Int64? {
    try first(
      "SELECT id FROM list WHERE profile = ? AND source = ?",
      [.text(list.profile), .text(list.source)]
    ) { row in row.integer(0) }
  }

  /// The place above everything in a list.
  func topPlace(in list: Int64) throws(TodoError) -> Int64 {
    let first = try first(
      "SELECT place FROM todo WHERE list = ? AND is_removed = 0 ORDER BY place LIMIT 1",
      [.integer(list)]
    ) { row in row.integer(0) }
    return min(first ?? 0, 0) - 1
  }

  // MARK: Finding

  /// A todo as a person sees it, without what a change would have to know. Throws `notFound`.
  func todo(_ id: TodoID, in list: TodoListKey) throws(TodoError) -> Todo {
    let found = try first(
      Self.todoQuery, [.text(list.profile), .text(list.source), .text(id.text)]
    ) { row in row.todo }
    guard let found else { throw .todoNotFound }
    return found
  }

  private static let todoQuery = """
    SELECT \(Part.whole.columns) FROM list JOIN todo ON todo.list = list.id
      JOIN note ON note.todo = todo.id
    WHERE list.profile = ? AND list.source = ? AND todo.name = ? AND todo.is_removed = 0
    """

  /// A todo that a person can see. Throws `notFound`.
  func stored(_ id: TodoID, in list: TodoListKey) throws(TodoError) -> StoredTodo {
    guard let number = try knownNumber(of: list), let stored = try stored(id, in: number),
      !stored.isRemoved
    else { throw .todoNotFound }
    return stored
  }

  /// A todo, also one that was removed and can still come back.
  func stored(_ id: TodoID, in list: Int64) throws(TodoError) -> StoredTodo? {
    try first(
      storedColumns + "WHERE todo.list = ? AND todo.name = ?",
      [.integer(list), .text(id.text)], read: { row in row.storedTodo })
  }

  /// The todo that an issue became, also one that was removed here.
  func stored(number: Int64, in list: Int64) throws(TodoError) -> StoredTodo? {
    try first(
      storedColumns + "WHERE todo.list = ? AND todo.origin_number = ?",
      [.integer(list), .integer(number)], read: { row in row.storedTodo })
  }

  /// Whether an issue is here just as it would be kept, so that nothing is to be written. It asks
  /// the database to compare, which is much less work than to read the todo.
  func has(_ issue: Issue, at place: Int64, in list: Int64) throws(TodoError) -> Bool {
    try first(
      """
      SELECT 1 FROM todo JOIN note ON note.todo = todo.id
      WHERE todo.list = ? AND todo.origin_number = ? AND todo.place = ? AND todo.sync = 'synced'
        AND todo.is_done = ? AND todo.origin_url = ? AND todo.title = ? AND note.text = ?
      """,
      [
        .integer(list), .integer(issue.number), .integer(place), SQLValue(issue.isClosed),
        .text(issue.url), .text(issue.title), .text(issue.body),
      ]
    ) { _ in true } ?? false
  }

  func syncedRows(in list: TodoListKey) throws(TodoError) -> [(row: Int64, number: Int64)] {
    guard let number = try knownNumber(of: list) else { return [] }
    return try all(
      """
      SELECT id, origin_number FROM todo
      WHERE list = ? AND origin_number IS NOT NULL AND sync = 'synced'
      """, [.integer(number)]
    ) { row in (row: row.integer(0), number: row.integer(1)) }
  }

  // MARK: Conflicts

  /// Throws `conflict` when the todo is no longer at `version`. `edit` makes "mine" of the content
  /// that the person saw, or of the present one where that is forgotten.
  func check(
    _ version: Int64?, of stored: StoredTodo, edit: (TodoContent) -> TodoContent
  ) throws(TodoError) {
    let theirs = stored.todo
    guard let version, version != theirs.version else { return }
    let base = try content(of: stored, at: version)
    throw .conflict(
      TodoConflict(
        base: base, mine: edit(base ?? theirs.content), theirs: theirs.content,
        theirVersion: theirs.version))
  }

  /// What a todo was at an earlier version, where that is still known.
  func content(of stored: StoredTodo, at version: Int64) throws(TodoError) -> TodoContent? {
    try first(
      """
      SELECT title, is_done, (
        SELECT note FROM todo_version AS later
        WHERE later.todo = this.todo AND later.version >= this.version AND note IS NOT NULL
        ORDER BY later.version LIMIT 1
      ) FROM todo_version AS this WHERE todo = ? AND version = ?
      """, [.integer(stored.row), .integer(version)]
    ) { row in
      TodoContent(
        title: row.text(0), note: row.optionalText(2) ?? stored.todo.content.note,
        isDone: row.flag(1))
    }
  }

  // MARK: Writing

  func insert(_ todo: Todo, at place: Int64, in list: Int64) throws(TodoError) {
    try run(
      """
      INSERT INTO todo (list, name, title, is_done, version, created_at, updated_at, origin_url,
        origin_number, place, sync, search_title)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      .integer(list), .text(todo.id.text), .text(todo.content.title), SQLValue(todo.content.isDone),
      .integer(todo.version), .integer(todo.createdAt.milliseconds),
      .integer(todo.updatedAt.milliseconds), SQLValue(todo.origin?.url),
      SQLValue(todo.origin?.number), .integer(place), .text(todo.sync.rawValue),
      SQLValue(SearchFolding.folded(todo.content.title)))
    try run(
      "INSERT INTO note (todo, text, search) VALUES (?, ?, ?)", .integer(lastInsertedRow),
      .text(todo.content.note), SQLValue(SearchFolding.folded(todo.content.note)))
  }

  /// Writes what differs, and nothing when nothing does.
  func save(_ after: StoredTodo, replacing before: StoredTodo) throws(TodoError) {
    let (new, old) = (after.todo, before.todo)
    let isRowSame =
      new.version == old.version && new.sync == old.sync && new.origin == old.origin
      && after.place == before.place
    if !isRowSame {
      try run(
        """
        UPDATE todo SET title = ?, is_done = ?, version = ?, updated_at = ?, origin_url = ?,
          place = ?, sync = ?, is_removed = ?, search_title = ?
        WHERE id = ?
        """,
        .text(new.content.title), SQLValue(new.content.isDone), .integer(new.version),
        .integer(new.updatedAt.milliseconds), SQLValue(new.origin?.url), .integer(after.place),
        .text(new.sync.rawValue), SQLValue(after.isRemoved),
        SQLValue(SearchFolding.folded(new.content.title)), .integer(after.row))
    }
    if new.content != old.content {
      let isNoteSame = new.content.note.hasSameBytes(as: old.content.note)
      try remember(before, withNote: !isNoteSame)
      if !isNoteSame {
        try run(
          "UPDATE note SET text = ?, search = ? WHERE todo = ?", .text(new.content.note),
          SQLValue(SearchFolding.folded(new.content.note)), .integer(after.row))
      }
    }
    try save(after.base, as: "base", replacing: before.base, of: after.row)
    try save(after.theirs, as: "theirs", replacing: before.theirs, of: after.row)
  }

  private func save(
    _ new: TodoContent?, as side: String, replacing old: TodoContent?, of row: Int64
  ) throws(TodoError) {
    guard new != old else { return }
    guard let new else {
      return try run(
        "DELETE FROM delivery WHERE todo = ? AND side = ?", .integer(row), .text(side))
    }
    try run(
      "REPLACE INTO delivery (todo, side, title, note, is_done) VALUES (?, ?, ?, ?, ?)",
      .integer(row), .text(side), .text(new.title), .text(new.note), SQLValue(new.isDone))
  }

  /// Keeps the content that a change replaces, as the base of later conflicts.
  private func remember(_ before: StoredTodo, withNote: Bool) throws(TodoError) {
    let content = before.todo.content
    try run(
      """
      INSERT INTO todo_version (list, sequence, todo, version, title, note, is_done)
      SELECT list, 1 + coalesce(
          (SELECT max(sequence) FROM todo_version AS other WHERE other.list = todo.list), 0),
        id, ?, ?, ?, ?
      FROM todo WHERE id = ?
      """,
      .integer(before.todo.version), .text(content.title),
      SQLValue(withNote ? content.note : nil), SQLValue(content.isDone), .integer(before.row))
    try run(
      """
      DELETE FROM todo_version WHERE
        list = (SELECT list FROM todo_version WHERE rowid = ?1) AND
        sequence <= (SELECT sequence FROM todo_version WHERE rowid = ?1) - \(versionsMax)
      """, .integer(lastInsertedRow))
  }

  /// Deletes a todo unless it was changed since it was found to be as its source delivered it.
  func deleteSynced(row: Int64) throws(TodoError) {
    try run("DELETE FROM todo WHERE id = ? AND sync = 'synced'", .integer(row))
  }
}

/// How many earlier contents a list keeps.
let versionsMax = 1_000

private let storedColumns = """
  SELECT todo.name, todo.title, todo.is_done, todo.sync, todo.origin_number, todo.version,
    todo.created_at, todo.updated_at, todo.origin_url, note.text, todo.id, todo.place,
    todo.is_removed, base.title, base.note, base.is_done, theirs.title, theirs.note, theirs.is_done
  FROM todo JOIN note ON note.todo = todo.id
  LEFT JOIN delivery AS base ON base.todo = todo.id AND base.side = 'base'
  LEFT JOIN delivery AS theirs ON theirs.todo = todo.id AND theirs.side = 'theirs'

  """
