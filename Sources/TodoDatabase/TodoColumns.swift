import SQLiteDatabase
import TodoModel

/// The columns of a todo, and how they are read: the one place that knows their order.
enum TodoColumns {
  static let row = "\(common), todo.remote_url, NULL"
  /// The note is asked for of the page's own todos only, not of those that are walked over.
  static let rowWithPreview = """
    \(common), todo.remote_url, (SELECT substr(CAST(text AS BLOB), 1, \(previewBytes))
    FROM note WHERE todo = todo.id)
    """
  static let wholeWithoutNote = "\(common), \(rest), ''"
  static let whole = "\(common), \(rest), note.text"

  private static let common =
    "todo.name, todo.title, todo.is_done, todo.sync, todo.remote_key"
  private static let rest = """
    todo.version, todo.created_at, todo.updated_at, todo.remote_url, todo.failure_kind, \
    todo.failure
    """
  /// Enough for `TodoRow.preview`.
  private static let previewBytes = TodoRow.previewBytesMax + 4

  /// Everything that is kept of a todo.
  static let selectStored = """
    SELECT \(whole), todo.id, todo.place, todo.is_removed, todo.remote_revision,
      base.title, base.note, base.is_done, theirs.title, theirs.note, theirs.is_done,
      outbox.title, outbox.note, outbox.is_done, outbox.what, outbox.sent_at
    FROM todo JOIN note ON note.todo = todo.id
    LEFT JOIN delivery AS base ON base.todo = todo.id AND base.side = 'base'
    LEFT JOIN delivery AS theirs ON theirs.todo = todo.id AND theirs.side = 'theirs'
    LEFT JOIN outbox ON outbox.todo = todo.id
    """

  /// Versions and places lie within this, on both sides of zero.
  static let integerMax = Row.numberMax

  static let title: Int32 = 1
  static let note: Int32 = 11
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
    let failure = optionalText(9).map { kind in
      SyncFailure(kind: ErrorKind(rawValue: kind) ?? .server, message: text(10))
    }
    return Todo(
      id: TodoID(text(0)),
      content: TodoContent(title: text(1), note: text(11), isDone: flag(2)),
      version: max(1, number(5)), createdAt: time(6), updatedAt: time(7), origin: origin,
      sync: sync(3), failure: failure)
  }

  /// A todo with all that is kept of it, of `TodoColumns.selectStored`.
  var storedTodo: StoredTodo {
    StoredTodo(
      row: integer(12), todo: todo, place: number(13), isRemoved: flag(14), key: optionalText(4),
      revision: optionalText(15), base: content(16), theirs: content(19),
      sent: content(22).map { content in
        SentTodo(
          what: RemoteWrite(rawValue: text(25)) ?? .change, content: content, openUntil: time(26))
      })
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
