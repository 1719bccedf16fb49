import SQLiteDatabase
import TodoModel

/// A column of the statements that read todos. The raw value is the column's number in all of these
/// statements.
enum TodoColumn: Int32, CaseIterable {
  // A row of a list. The last column is the note or its start.
  case id, title, done, due, labels, priority, sync, key, url, details, place, note
  // Together with the columns above, a todo with the members that users see.
  case version, createdAt, updatedAt, failureKind, failure
  // Together with the columns above, a todo with everything that is stored.
  case row, sourceOrder, isRemoved, mustBeRead, revision, base, theirs, sent, sentKind, sentAt
  case marker, exportedMarker, exportedAt, exportedContent, sourceFields

  /// The name of the column, with its table.
  var sql: String {
    switch self {
    case .id: "todo.name"
    case .title: "todo.title"
    case .done: "todo.is_done"
    case .due: "todo.due"
    case .labels: "todo.labels"
    case .priority: "todo.priority"
    case .sync: "todo.sync"
    case .key: "todo.remote_key"
    case .url: "todo.remote_url"
    case .details: "todo.source_details"
    case .note: "note.text"
    case .version: "todo.version"
    case .createdAt: "todo.created_at"
    case .updatedAt: "todo.updated_at"
    case .failureKind: "todo.failure_kind"
    case .failure: "todo.failure"
    case .row: "todo.id"
    case .place: "todo.place"
    case .sourceOrder: "todo.source_order"
    case .isRemoved: "todo.is_removed"
    case .mustBeRead: "todo.must_be_read"
    case .revision: "todo.remote_revision"
    case .base: "base.content"
    case .theirs: "theirs.content"
    case .sent: "outbox.content"
    case .sentKind: "outbox.what"
    case .sentAt: "outbox.sent_at"
    case .marker: "outbox.marker"
    case .exportedMarker: "exported.marker"
    case .exportedAt: "exported.since"
    case .exportedContent: "exported.content"
    case .sourceFields: "(SELECT coalesce(fields, '') FROM remote WHERE remote.list = todo.list)"
    }
  }
}

/// The lists of columns in statements that read todos.
enum TodoColumns {
  /// The names of the fields in the table `todo`.
  static let fields = ContentField.inTodoTable.map {
    String($0.column.sql.dropFirst("todo.".count))
  }

  static let row = list(through: .note, note: "NULL")
  /// The columns of a row with the start of its note. The note is read in a subquery, so that only
  /// the notes of todos on the page are read.
  static let rowWithPreview = list(
    through: .note,
    note: "(SELECT substr(CAST(text AS BLOB), 1, \(previewBytes)) FROM note WHERE todo = todo.id)")
  static let wholeWithoutNote = list(through: .failure, note: "''")
  static let whole = list(through: .failure)
  /// The columns of `whole` without the ID, for a statement that finds the todo by its ID.
  static let wholeWithoutID = list(through: .failure, id: "NULL")

  /// The number of bytes of a note that `TodoRow.preview` needs.
  private static let previewBytes = TodoRow.previewBytesMax + 4

  /// The start of the statements that select all columns of a `StoredTodo`.
  static let selectStored = """
    SELECT \(list(through: .sourceFields))
    FROM todo JOIN note ON note.todo = todo.id
    LEFT JOIN delivery AS base ON base.todo = todo.id AND base.side = 'base'
    LEFT JOIN delivery AS theirs ON theirs.todo = todo.id AND theirs.side = 'theirs'
    LEFT JOIN outbox ON outbox.todo = todo.id
    LEFT JOIN exported ON exported.todo = todo.id
    """

  /// The maximum absolute value of versions, and of positions in lists (`place`).
  static let integerMax = Row.numberMax

  static let title = TodoColumn.title.rawValue
  static let note = TodoColumn.note.rawValue

  private static func list(
    through last: TodoColumn, id: String = TodoColumn.id.sql, note: String = TodoColumn.note.sql
  ) -> String {
    TodoColumn.allCases.prefix { $0.rawValue <= last.rawValue }
      .map { $0 == .id ? id : $0 == .note ? note : $0.sql }.joined(separator: ", ")
  }
}

extension Row {
  /// A todo in a list, without its note, from the columns of `TodoColumns.row` or
  /// `rowWithPreview`.
  var todoRow: TodoRow {
    let key = optionalText(.key)
    return TodoRow(
      id: TodoID(text(.id)), title: text(.title), isDone: flag(.done), due: dueDate, labels: labels,
      priority: priority, sync: sync,
      number: key.flatMap { TodoOrigin.number(of: $0) },
      place: key.flatMap { TodoOrigin.place(of: $0) }, url: optionalText(.url), details: details,
      preview: optionalText(.note).flatMap { TodoRow.preview(of: $0) })
  }

  /// A todo with the members that users see, from the columns of `TodoColumns.whole`.
  var todo: Todo {
    let origin = optionalText(.key).map { key in
      TodoOrigin(url: text(.url), key: key, details: details)
    }
    let failure = optionalText(.failureKind).map { kind in
      SyncFailure(kind: ErrorKind(rawValue: kind) ?? .server, message: text(.failure))
    }
    return Todo(
      id: TodoID(text(.id)), content: content,
      version: max(1, number(TodoColumn.version.rawValue)),
      createdAt: time(TodoColumn.createdAt.rawValue),
      updatedAt: time(TodoColumn.updatedAt.rawValue), origin: origin, sync: sync,
      failure: failure)
  }

  /// A todo with its sync state, from the columns of `TodoColumns.selectStored`.
  var storedTodo: StoredTodo {
    StoredTodo(
      row: integer(TodoColumn.row.rawValue), todo: todo,
      place: number(TodoColumn.place.rawValue),
      sourceOrder: optionalInteger(TodoColumn.sourceOrder.rawValue), isRemoved: flag(.isRemoved),
      mustBeRead: flag(.mustBeRead), key: optionalText(.key), revision: optionalText(.revision),
      base: content(.base),
      theirs: content(.theirs),
      sent: content(.sent).map { content in
        UnconfirmedWrite(
          kind: RemoteWrite(rawValue: text(.sentKind)) ?? .change, content: content,
          openUntil: time(TodoColumn.sentAt.rawValue),
          marker: optionalText(.marker).map { ItemMarker($0) })
      },
      exported: content(.exportedContent).map { content in
        ExportedAddition(
          marker: ItemMarker(text(.exportedMarker)), content: content,
          since: time(TodoColumn.exportedAt.rawValue))
      }, localFields: localFields)
  }

  /// The fields that the source does not store; empty before the first load from the source.
  private var localFields: [ContentField] {
    guard let text = optionalText(.sourceFields) else { return [] }
    // Before version 22, no fields were recorded: all sources lacked the same fields.
    if text.isEmpty { return ContentField.localOnly }
    let names = text.split(separator: " ")
    return ContentField.allCases.filter { field in !names.contains { $0 == field.rawValue } }
  }

  /// The details of the item; `nil` for a todo without an item.
  private var details: SourceDetails? {
    optionalText(.details).flatMap { SourceDetails(storedText: $0) }
  }

  private func content(_ column: TodoColumn) -> TodoContent? {
    optionalText(column).map { ContentText.content(of: $0) }
  }

  /// The sync state. An unknown state, as in a damaged file, counts as pending, so that no load
  /// overwrites the todo.
  private var sync: SyncState { SyncState(rawValue: text(.sync)) ?? .pending }

  private func text(_ column: TodoColumn) -> String { text(column.rawValue) }
  private func flag(_ column: TodoColumn) -> Bool { flag(column.rawValue) }
  private func optionalText(_ column: TodoColumn) -> String? { optionalText(column.rawValue) }
}
