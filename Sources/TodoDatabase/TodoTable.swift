import SQLiteDatabase
import TodoModel

/// Finding and writing single todos. What to write is decided by `StoredTodo`.
final class TodoTable {
  private unowned let connection: Connection
  private let versions: VersionTable

  private lazy var topPlace = Statement(
    "SELECT place FROM todo WHERE list = ? AND is_removed = 0 ORDER BY place LIMIT 1",
    on: connection)
  private lazy var shownByName = Statement(
    """
    SELECT \(TodoColumns.whole) FROM list JOIN todo ON todo.list = list.id
      JOIN note ON note.todo = todo.id
    WHERE list.profile = ? AND list.source = ? AND todo.name = ? AND todo.is_removed = 0
    """, on: connection)
  private lazy var byName = Statement(
    "\(TodoColumns.selectStored) WHERE todo.list = ? AND todo.name = ?", on: connection)
  private lazy var byNumber = Statement(
    "\(TodoColumns.selectStored) WHERE todo.list = ? AND todo.origin_number = ?", on: connection)
  /// The database compares, which is much less work than to read the todo.
  private lazy var asDelivered = Statement(
    """
    SELECT 1 FROM todo JOIN note ON note.todo = todo.id
    WHERE todo.list = ? AND todo.origin_number = ? AND todo.place = ? AND todo.sync = 'synced'
      AND todo.is_done = ? AND todo.origin_url = ? AND todo.title = ? AND note.text = ?
    """, on: connection)
  private lazy var synced = Statement(
    """
    SELECT id, origin_number FROM todo
    WHERE list = ? AND origin_number IS NOT NULL AND sync = 'synced'
    """, on: connection)
  private lazy var addTodo = Statement(
    """
    INSERT INTO todo (list, name, title, is_done, version, created_at, updated_at, origin_url,
      origin_number, place, sync, search_title)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """, on: connection)
  private lazy var addNote = Statement(
    "INSERT INTO note (todo, text, search) VALUES (?, ?, ?)", on: connection)
  private lazy var changeTodo = Statement(
    """
    UPDATE todo SET title = ?, is_done = ?, version = ?, updated_at = ?, origin_url = ?,
      place = ?, sync = ?, is_removed = ?, search_title = ?
    WHERE id = ?
    """, on: connection)
  private lazy var changeNote = Statement(
    "UPDATE note SET text = ?, search = ? WHERE todo = ?", on: connection)
  private lazy var keepSide = Statement(
    "REPLACE INTO delivery (todo, side, title, note, is_done) VALUES (?, ?, ?, ?, ?)",
    on: connection)
  private lazy var dropSide = Statement(
    "DELETE FROM delivery WHERE todo = ? AND side = ?", on: connection)
  private lazy var deleteSynced = Statement(
    "DELETE FROM todo WHERE id = ? AND sync = 'synced'", on: connection)

  init(over connection: Connection, versions: VersionTable) {
    self.connection = connection
    self.versions = versions
  }

  // MARK: Finding

  /// The place above everything in a list.
  func topPlace(in list: Int64) throws(TodoError) -> Int64 {
    let first = try topPlace.first(.integer(list)) { row in row.integer(0) }
    return min(first ?? 0, 0) - 1
  }

  /// A todo as a person sees it, without what a change would have to know. Throws `notFound`.
  func todo(_ id: TodoID, in list: TodoListKey) throws(TodoError) -> Todo {
    let found = try shownByName.first(.text(list.profile), .text(list.source), .text(id.text)) {
      row in row.todo
    }
    guard let found else { throw .todoNotFound }
    return found
  }

  /// A todo, also one that was removed and can still come back.
  func stored(_ id: TodoID, in list: Int64) throws(TodoError) -> StoredTodo? {
    try byName.first(.integer(list), .text(id.text)) { row in row.storedTodo }
  }

  /// The todo that an issue became, also one that was removed here.
  func stored(number: Int64, in list: Int64) throws(TodoError) -> StoredTodo? {
    try byNumber.first(.integer(list), .integer(number)) { row in row.storedTodo }
  }

  /// Whether an issue is here just as it would be kept, so that nothing is to be written.
  func has(_ issue: Issue, at place: Int64, in list: Int64) throws(TodoError) -> Bool {
    try asDelivered.first(
      .integer(list), .integer(issue.number), .integer(place), SQLValue(issue.isClosed),
      .text(issue.url), .text(issue.title), .text(issue.body)
    ) { _ in true } ?? false
  }

  func syncedRows(in list: Int64) throws(TodoError) -> [(row: Int64, number: Int64)] {
    try synced.all(.integer(list)) { row in (row: row.integer(0), number: row.integer(1)) }
  }

  // MARK: Writing

  func insert(_ todo: Todo, at place: Int64, in list: Int64) throws(TodoError) {
    try addTodo.run(
      .integer(list), .text(todo.id.text), .text(todo.content.title), SQLValue(todo.content.isDone),
      .integer(todo.version), .integer(todo.createdAt.milliseconds),
      .integer(todo.updatedAt.milliseconds), SQLValue(todo.origin?.url),
      SQLValue(todo.origin?.number), .integer(place), .text(todo.sync.rawValue),
      SQLValue(SearchFolding.folded(todo.content.title)))
    try addNote.run(
      .integer(connection.lastInsertedRow), .text(todo.content.note),
      SQLValue(SearchFolding.folded(todo.content.note)))
  }

  /// Writes what differs, and nothing when nothing does.
  func save(_ after: StoredTodo, replacing before: StoredTodo) throws(TodoError) {
    let (new, old) = (after.todo, before.todo)
    let isRowSame =
      new.version == old.version && new.sync == old.sync && new.origin == old.origin
      && after.place == before.place
    if !isRowSame {
      try changeTodo.run(
        .text(new.content.title), SQLValue(new.content.isDone), .integer(new.version),
        .integer(new.updatedAt.milliseconds), SQLValue(new.origin?.url), .integer(after.place),
        .text(new.sync.rawValue), SQLValue(after.isRemoved),
        SQLValue(SearchFolding.folded(new.content.title)), .integer(after.row))
    }
    if new.content != old.content {
      let isNoteSame = new.content.note.hasSameBytes(as: old.content.note)
      try versions.remember(before, withNote: !isNoteSame)
      if !isNoteSame {
        try changeNote.run(
          .text(new.content.note), SQLValue(SearchFolding.folded(new.content.note)),
          .integer(after.row))
      }
    }
    try save(after.base, as: "base", replacing: before.base, of: after.row)
    try save(after.theirs, as: "theirs", replacing: before.theirs, of: after.row)
  }

  private func save(
    _ new: TodoContent?, as side: String, replacing old: TodoContent?, of row: Int64
  ) throws(TodoError) {
    guard new != old else { return }
    guard let new else { return try dropSide.run(.integer(row), .text(side)) }
    try keepSide.run(
      .integer(row), .text(side), .text(new.title), .text(new.note), SQLValue(new.isDone))
  }

  /// Deletes a todo unless it was changed since it was found to be as its source delivered it.
  func deleteSynced(row: Int64) throws(TodoError) { try deleteSynced.run(.integer(row)) }
}
