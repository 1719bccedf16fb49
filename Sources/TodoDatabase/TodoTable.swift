import SQLiteDatabase
import TodoModel

/// The statements that read and write single todos. `StoredTodo` decides what is written.
final class TodoTable {
  private unowned let connection: Connection
  private let log: ChangeLog
  private let sections: SectionTable
  let labels: LabelTable
  let details: DetailTable

  private lazy var shownByName = Statement(
    """
    SELECT \(TodoColumns.wholeWithoutID)
    FROM todo JOIN note ON note.todo = todo.id
    WHERE todo.list = ? AND todo.name = ? AND todo.is_removed = 0
    """, on: connection)
  private lazy var byName = Statement(
    "\(TodoColumns.selectStored) WHERE todo.list = ? AND todo.name = ?", on: connection)
  private lazy var isUsed = Statement(
    """
    SELECT 1 FROM list
    WHERE EXISTS (SELECT 1 FROM todo WHERE todo.list = list.id AND todo.name = ?1)
      OR EXISTS (SELECT 1 FROM change WHERE change.list = list.id AND change.entry = ?2)
    LIMIT 1
    """, on: connection)
  private lazy var byKey = Statement(
    "\(TodoColumns.selectStored) WHERE todo.list = ? AND todo.remote_key = ?", on: connection)
  private lazy var byRow = Statement(
    "\(TodoColumns.selectStored) WHERE todo.id = ?", on: connection)
  private lazy var delete = Statement(
    """
    DELETE FROM todo WHERE id = ?1
      AND NOT EXISTS (
        SELECT 1 FROM change
        WHERE change.list = todo.list AND entry = ?2 AND reversal IS NOT NULL)
    RETURNING 1
    """, on: connection)
  /// The statements that compare a stored todo with an item, one for each set of fields that an
  /// item can have. A comparison in SQL takes much less time than reading the todo.
  private var asDelivered: [ContentFieldSet: Statement] = [:]
  private lazy var addTodo = Statement(
    """
    INSERT INTO todo (list, name, version, created_at, updated_at, remote_key, remote_url,
      remote_revision, generation, place, sync, search_title, source_details, effective_due,
      source_order, \(TodoColumns.fields.joined(separator: ", ")))
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, \(TodoColumns.fields.map { _ in "?" }.joined(separator: ", ")))
    """, on: connection)
  private lazy var addNote = Statement(
    "INSERT INTO note (todo, text, search) VALUES (?, ?, ?)", on: connection)
  private lazy var changeTodo = Statement(
    """
    UPDATE todo SET \(TodoColumns.fields.map { "\($0) = ?" }.joined(separator: ", ")),
      version = ?, updated_at = ?, remote_key = ?,
      remote_url = ?, remote_revision = ?, generation = max(generation, ?), place = ?, sync = ?,
      failure_kind = ?, failure = ?, is_removed = ?, search_title = ?, effective_due = ?,
      source_order = ?, must_be_read = ?
    WHERE id = ?
    """, on: connection)
  private lazy var changePlace = Statement(
    "UPDATE todo SET place = ? WHERE id = ?", on: connection)
  private lazy var changeDetails = Statement(
    "UPDATE todo SET source_details = ?, effective_due = ? WHERE id = ?", on: connection)
  private lazy var changeNote = Statement(
    "UPDATE note SET text = ?, search = ? WHERE todo = ?", on: connection)
  private lazy var keepSide = Statement(
    "REPLACE INTO delivery (todo, side, content) VALUES (?, ?, ?)", on: connection)
  private lazy var dropSide = Statement(
    "DELETE FROM delivery WHERE todo = ? AND side = ?", on: connection)
  private lazy var keepSent = Statement(
    "REPLACE INTO outbox (todo, what, sent_at, content, marker) VALUES (?, ?, ?, ?, ?)",
    on: connection)
  private lazy var dropSent = Statement("DELETE FROM outbox WHERE todo = ?", on: connection)
  private lazy var saveExported = Statement(
    "REPLACE INTO exported (todo, marker, since, content) VALUES (?, ?, ?, ?)", on: connection)
  private lazy var dropExported = Statement(
    "DELETE FROM exported WHERE todo = ?", on: connection)

  init(over connection: Connection, log: ChangeLog, sections: SectionTable) {
    self.connection = connection
    self.log = log
    self.sections = sections
    labels = LabelTable(over: connection)
    details = DetailTable(over: connection)
  }

  // MARK: Finding

  /// Returns a todo with the members that users see.
  ///
  /// - Throws: `TodoError.todoNotFound` if the list does not exist or has no such todo.
  func todo(_ id: TodoID, in list: Int64?) throws(TodoError) -> Todo {
    let found = try list.flatMap { (list) throws(TodoError) in
      try shownByName.first(.integer(list), .text(id.text)) { row throws(TodoError) in
        var todo = row.todo
        todo.id = id
        // The statement of the row is still active, so this query reads the same database state.
        let place = row.number(TodoColumn.place.rawValue)
        todo.section = try sections.heading(above: place, in: list)?.text
        return todo
      }
    }
    guard let found else { throw .todoNotFound }
    return found
  }

  /// Returns a todo with its sync state, even if it was removed; `nil` if it is not stored.
  func stored(_ id: TodoID, in list: Int64) throws(TodoError) -> StoredTodo? {
    try byName.first(.integer(list), .text(id.text)) { row in row.storedTodo }
  }

  /// Whether an ID is unused: no list of the store has a todo with this ID, or has had one.
  func isUnused(_ id: TodoID) throws(TodoError) -> Bool {
    try isUsed.first(.text(id.text), .text(EntryID.todo(id).text)) { _ in true } == nil
  }

  /// Returns the todo of the item with a key, even if the todo was removed; `nil` if there is none.
  func stored(key: String, in list: Int64) throws(TodoError) -> StoredTodo? {
    try byKey.first(.integer(list), .text(key)) { row in row.storedTodo }
  }

  /// Whether an item is already stored unchanged, so that nothing needs to be written.
  func has(_ item: RemoteItem, in list: Int64) throws(TodoError) -> Bool {
    let values: [SQLValue] = [
      .integer(list), .text(item.key), .integer(item.order), SQLValue(item.hasLeft),
      .text(item.url), SQLValue(item.details?.storedText),
    ]
    let fields = ContentField.allCases.filter(item.fields.contains)
    // `is_removed IS ?` and not `= ?`: with `=`, the value decides whether SQLite can use the index
    // of the todos that are not removed, so SQLite would prepare the statement again for each
    // value.
    let statement =
      asDelivered[item.fields]
      ?? Statement(
        """
        SELECT 1 FROM todo JOIN note ON note.todo = todo.id
        WHERE todo.list = ? AND todo.remote_key = ? AND todo.source_order = ?
          AND todo.sync = 'synced' AND todo.is_removed IS ? AND todo.remote_url = ?
          AND todo.source_details IS ?
          AND \(fields.map { "\($0.column.sql) IS ?" }.joined(separator: " AND "))
        """, on: connection)
    asDelivered[item.fields] = statement
    return try statement.first(values + fields.map { SQLValue(item.content[$0]) }) { _ in true }
      ?? false
  }

  // MARK: Writing

  /// Adds a todo and, if the todo is from a source, its item. The todos of the first load of a list
  /// are not logged, because they do not count as changes.
  func insert(
    _ todo: Todo, from item: RemoteItem? = nil, loadID: Int64 = 0, at place: Int64,
    _ origin: ChangeOrigin
  ) throws(TodoError) {
    let values: [SQLValue] = [
      .integer(origin.list), .text(todo.id.text), .integer(todo.version),
      .integer(todo.createdAt.milliseconds), .integer(todo.updatedAt.milliseconds),
      SQLValue(item?.key), SQLValue(item?.url), SQLValue(item?.revision), .integer(loadID),
      .integer(place), .text(todo.sync.rawValue),
      SQLValue(SearchFolding.folded(todo.content.title)), SQLValue(item?.details?.storedText),
      SQLValue((todo.content.due ?? item?.details?.due)?.description), SQLValue(item?.order),
    ]
    try addTodo.run(values + todo.content.sqlValues)
    let row = connection.lastInsertedRow
    try addNote.run(
      .integer(row), .text(todo.content.note), SQLValue(SearchFolding.folded(todo.content.note)))
    try labels.add(todo.content.labels, to: row, in: origin.list)
    try details.add(item?.details, to: row, in: origin.list)
    if loadID != RemoteTable.firstLoadID { try log.record(Change(adding: todo), origin) }
  }

  /// Writes the parts of a todo that differ between `before` and `after`, if any, and logs the
  /// changes that users see. A new revision alone is not written. It is written only together with
  /// another difference, such as a new base after a write.
  func save(
    _ after: StoredTodo, replacing before: StoredTodo, _ origin: ChangeOrigin,
    loadID: Int64 = 0
  ) throws(TodoError) {
    let (new, old) = (after.todo, before.todo)
    let isRowSame =
      new.version == old.version && new.sync == old.sync && new.failure == old.failure
      && new.origin?.url == old.origin?.url && after.key == before.key
      && after.place == before.place && after.sourceOrder == before.sourceOrder
      && after.isRemoved == before.isRemoved && after.mustBeRead == before.mustBeRead
      && (after.revision == before.revision || after.base == before.base)
    if !isRowSame {
      try changeTodo.run(
        new.content.sqlValues + [
          .integer(new.version), .integer(new.updatedAt.milliseconds), SQLValue(after.key),
          SQLValue(new.origin?.url), SQLValue(after.revision), .integer(loadID),
          .integer(after.place), .text(new.sync.rawValue), SQLValue(new.failure?.kind.rawValue),
          SQLValue(new.failure?.message), SQLValue(after.isRemoved),
          SQLValue(SearchFolding.folded(new.content.title)),
          SQLValue(new.effectiveDue?.description), SQLValue(after.sourceOrder),
          SQLValue(after.mustBeRead), .integer(after.row),
        ])
    }
    if new.origin?.details != old.origin?.details {
      let details = new.origin?.details
      try changeDetails.run(
        SQLValue(details?.storedText), SQLValue(new.effectiveDue?.description),
        .integer(after.row))
      try self.details.replace(details, of: after.row, in: origin.list)
    }
    if !new.content.labels.isSame(as: old.content.labels) {
      try labels.replace(new.content.labels, of: after.row, in: origin.list)
    }
    if after.sent != before.sent { try save(after.sent, of: after.row) }
    if after.exported != before.exported { try save(after.exported, of: after.row) }
    if new.version != old.version, !new.content.note.hasSameBytes(as: old.content.note) {
      try changeNote.run(
        .text(new.content.note), SQLValue(SearchFolding.folded(new.content.note)),
        .integer(after.row))
    }
    if let change = Change(from: before, to: after) { try log.record(change, origin) }
    try save(after.base, as: "base", replacing: before.base, of: after.row)
    try save(after.theirs, as: "theirs", replacing: before.theirs, of: after.row)
  }

  /// Writes the new position of a todo after a move. A move changes nothing else in the todo.
  func move(_ row: Int64, to place: Int64) throws(TodoError) {
    try changePlace.run(.integer(place), .integer(row))
  }

  /// Deletes a todo that a load has added for an item that belongs to another todo.
  ///
  /// - Returns: `false`, without a change, for a todo that the user has changed or can restore.
  func delete(_ todo: StoredTodo, _ origin: ChangeOrigin) throws(TodoError) -> Bool {
    guard todo.todo.sync == .synced, !todo.isRemoved else { return false }
    let isDeleted = try delete.first(
      .integer(todo.row), .text(EntryID.todo(todo.todo.id).text)
    ) { _ in true }
    if isDeleted != nil { try log.record(Change(deleting: todo), origin) }
    return isDeleted != nil
  }

  /// Applies `change` to a todo that its source no longer lists. The todo stays stored, so that it
  /// can be restored.
  func leave(
    row: Int64, _ origin: ChangeOrigin, _ change: (inout StoredTodo) -> Void
  ) throws(TodoError) {
    guard let before = try byRow.first(.integer(row), read: { $0.storedTodo }) else { return }
    var after = before
    change(&after)
    try save(after, replacing: before, origin)
  }

  private func save(
    _ new: TodoContent?, as side: String, replacing old: TodoContent?, of row: Int64
  ) throws(TodoError) {
    guard new != old else { return }
    guard let new else { return try dropSide.run(.integer(row), .text(side)) }
    try keepSide.run(.integer(row), .text(side), .text(ContentText.text(of: new)))
  }

  private func save(_ sent: UnconfirmedWrite?, of row: Int64) throws(TodoError) {
    guard let sent else { return try dropSent.run(.integer(row)) }
    try keepSent.run(
      .integer(row), .text(sent.kind.rawValue), .integer(sent.openUntil.milliseconds),
      .text(ContentText.text(of: sent.content)), SQLValue(sent.marker?.text))
  }
  /// Stores the marker and content of a todo that was exported before the source had it, and the
  /// time of the first export; deletes them if `exported` is `nil`.
  func save(_ exported: ExportedAddition?, of row: Int64) throws(TodoError) {
    guard let exported else { return try dropExported.run(.integer(row)) }
    try saveExported.run(
      .integer(row), .text(exported.marker.text), .integer(exported.since.milliseconds),
      .text(ContentText.text(of: exported.content)))
  }
}
