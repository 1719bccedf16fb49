import SQLiteDatabase
import TodoModel

/// The columns of a todo, and how they are read: the one place that knows their order.
enum TodoColumns {
  static let row = "\(common), todo.origin_url, NULL"
  /// The note is asked for of the page's own todos only, not of those that are walked over.
  static let rowWithPreview = """
    \(common), todo.origin_url, (SELECT substr(CAST(text AS BLOB), 1, \(previewBytes))
    FROM note WHERE todo = todo.id)
    """
  static let wholeWithoutNote =
    "\(common), todo.version, todo.created_at, todo.updated_at, todo.origin_url, ''"
  static let whole =
    "\(common), todo.version, todo.created_at, todo.updated_at, todo.origin_url, note.text"

  private static let common =
    "todo.name, todo.title, todo.is_done, todo.sync, todo.origin_number"
  /// Enough for `TodoRow.preview`.
  private static let previewBytes = TodoRow.previewBytesMax + 4

  /// Everything that is kept of a todo.
  static let selectStored = """
    SELECT \(whole), todo.id, todo.place, todo.is_removed, base.title, base.note, base.is_done,
      theirs.title, theirs.note, theirs.is_done
    FROM todo JOIN note ON note.todo = todo.id
    LEFT JOIN delivery AS base ON base.todo = todo.id AND base.side = 'base'
    LEFT JOIN delivery AS theirs ON theirs.todo = todo.id AND theirs.side = 'theirs'
    """

  static let title: Int32 = 1
  static let note: Int32 = 9
}

extension Row {
  /// A todo without its note. The columns are `TodoColumns.row`.
  var todoRow: TodoRow {
    TodoRow(
      id: TodoID(text(0)), title: text(1), isDone: flag(2), sync: sync(3),
      number: optionalInteger(4), url: optionalText(5),
      preview: optionalText(6).flatMap { TodoRow.preview(of: $0) })
  }

  /// A whole todo. The columns are `TodoColumns.whole`.
  var todo: Todo {
    let origin = optionalInteger(4).map { TodoOrigin(url: text(8), number: $0) }
    return Todo(
      id: TodoID(text(0)),
      content: TodoContent(title: text(1), note: text(9), isDone: flag(2)),
      version: integer(5), createdAt: Timestamp(milliseconds: integer(6)),
      updatedAt: Timestamp(milliseconds: integer(7)), origin: origin, sync: sync(3))
  }

  /// A todo with all that is kept of it, of `TodoColumns.selectStored`.
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
