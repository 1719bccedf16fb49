import SQLiteDatabase
import TodoModel

/// The sources of lists, and the progress of their loads. A load reads a view of a list: all items
/// of the source, or those that a filter selects (see `RemoteView`).
final class RemoteTable {
  /// The ID of the first load of a list.
  static let firstLoadID: Int64 = 1

  private unowned let connection: Connection
  private lazy var find = Statement(
    """
    SELECT path, cursor, synced_at, generation, finished_generation, load_next, load_page_count,
      load_cursor, base_url, load_started_at, load_ended_at, loaded_at, is_read_only
    FROM remote WHERE list = ? AND view = ?
    """, on: connection)
  private lazy var begin = Statement(
    """
    INSERT INTO remote (list, view, kind, base_url, address, fields, generation)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6,
      coalesce((
        SELECT min(max(generation), \(TodoColumns.integerMax)) + 1 FROM remote WHERE list = ?1),
        \(RemoteTable.firstLoadID)))
    ON CONFLICT DO UPDATE SET generation = excluded.generation,
      load_next = NULL, load_page_count = 0, load_cursor = NULL,
      path = iif(base_url = excluded.base_url, path, NULL), kind = excluded.kind,
      base_url = excluded.base_url,
      address = excluded.address, fields = excluded.fields
    RETURNING generation
    """, on: connection)
  private lazy var advance = Statement(
    """
    UPDATE remote SET load_next = ?3, load_page_count = ?4, load_cursor = ?5,
      load_started_at = ?6
    WHERE list = ?1 AND generation = ?2 AND view = ?7
    """, on: connection)
  private lazy var markListed = Statement(
    "INSERT OR IGNORE INTO seen (list, view, generation, remote_key) VALUES (?, ?, ?, ?)",
    on: connection)
  /// The statement that ends a load. It has no effect if a newer load has already ended, because
  /// the newer load has handled the todos that are missing at the source.
  private lazy var finish = Statement(
    """
    UPDATE remote SET finished_generation = ?2, load_next = NULL, loaded_at = ?3
    WHERE list = ?1 AND finished_generation < ?2 AND view = ?4 RETURNING generation
    """, on: connection)
  private lazy var unlisted = Statement(Self.selectUnlisted, on: connection)
  /// The query that selects the synced todos of a view, or of the whole list, that a load has not
  /// listed. It leaves out a todo in either of these cases:
  /// - A newer load of the same view has listed the todo.
  /// - A newer load of another view has listed or changed the todo. For a view that is only a part
  ///   of the list, this case also requires that a newer load of the same view has finished. Loads
  ///   of other views do not show whether the todo is in the view.
  ///
  /// The listed keys are read once. A correlated subquery would read all of them for each todo,
  /// because `generation` (the load) precedes `remote_key` in the primary key of `seen`.
  static let selectUnlisted = """
    SELECT id, remote_key, is_done FROM todo
    WHERE list = ?1 AND remote_key IS NOT NULL AND sync = 'synced' AND is_removed = 0
      AND (generation <= ?2 OR ?3 <> '' AND ?2 >= (
        SELECT finished_generation FROM remote WHERE list = ?1 AND view = ?3))
      AND \(RemoteTable.isUnlisted)
    """
  /// The condition for todos of the view `?3` that the load `?2` has not listed.
  private static let isUnlisted = """
    (?3 = '' OR id IN (
        SELECT todo FROM view_todo WHERE list = ?1 AND view = ?3 AND left_at IS NULL))
      AND remote_key NOT IN (
        SELECT remote_key FROM seen WHERE list = ?1 AND view = ?3 AND generation >= ?2)
    """
  private lazy var openUnlisted = Statement(
    "\(Self.selectUnlisted) AND is_done = 0", on: connection)
  /// The query that selects the removed todos whose last write the source has refused, and that a
  /// load has not listed.
  private lazy var removedUnlisted = Statement(
    """
    \(TodoColumns.selectStored)
    WHERE todo.list = ?1 AND todo.remote_key IS NOT NULL AND todo.is_removed = 1
      AND todo.sync = 'failed' AND todo.generation <= ?2
      AND todo.remote_key NOT IN (
        SELECT remote_key FROM seen WHERE list = ?1 AND view = '' AND generation >= ?2)
    """, on: connection)
  /// The statement that sets `must_be_read` of the todos that have unsent edits and that a load has
  /// not listed. Otherwise, such a todo would count as synced after an undo of its edit, although
  /// its item may be gone or outside of the view.
  private lazy var markUnlisted = Statement(
    """
    UPDATE todo SET must_be_read = 1
    WHERE \(RemoteTable.isUnsentUnlisted) AND must_be_read = 0
    """, on: connection)
  private lazy var unsentUnlisted = Statement(
    "SELECT id FROM todo WHERE \(RemoteTable.isUnsentUnlisted)", on: connection)
  private static let isUnsentUnlisted = """
    list = ?1 AND remote_key IS NOT NULL AND sync IN ('pending', 'conflict', 'failed')
      AND (generation <= ?2 OR ?3 <> '') AND \(RemoteTable.isUnlisted)
    """
  private lazy var forgetListed = Statement(
    "DELETE FROM seen WHERE list = ? AND generation <= ? AND view = ?", on: connection)
  private lazy var setCursor = Statement(
    """
    UPDATE remote SET cursor = coalesce(?2, cursor), synced_at = ?3, load_ended_at = ?4
    WHERE list = ?1 AND view = ?5
    """, on: connection)
  private lazy var forgetLoad = Statement(
    "UPDATE remote SET load_next = NULL WHERE list = ?", on: connection)
  private lazy var setPath = Statement(
    "UPDATE remote SET path = ? WHERE list = ? AND view = ?", on: connection)
  private lazy var setReadOnly = Statement(
    "UPDATE remote SET is_read_only = ? WHERE list = ?", on: connection)
  private lazy var readOnly = Statement(
    "SELECT 1 FROM remote WHERE list = ? AND is_read_only <> 0", on: connection)

  init(over connection: Connection) { self.connection = connection }

  func record(of view: ViewKey) throws(TodoError) -> RemoteRecord? {
    try find.first(.integer(view.list), .text(view.view)) { row in
      var record = RemoteRecord()
      record.baseURL = row.text(8)
      record.path = row.optionalText(0)
      record.cursor = row.optionalText(1)
      record.syncedAt = row.optionalTime(2)
      record.loadedAt = row.optionalTime(11)
      record.isReadOnly = row.flag(12)
      record.loadCount = row.number(3)
      record.isLoadDue = row.number(3) > row.number(4)
      if let start = row.optionalTime(9), let end = row.optionalTime(10), start <= end {
        record.loadTime = start...end
      }
      if let next = row.optionalText(5) {
        let pageCount = min(row.count(6), PageLink.pagesMax)
        record.unfinished = SourceLoad(
          id: row.number(3), next: PageLink(url: next, number: pageCount + 1),
          pageCount: pageCount, cursor: row.optionalText(7), startedAt: row.optionalTime(9))
      }
      return record
    }
  }

  func begin(
    _ view: ViewKey, from address: RemoteAddress, storing fields: ContentFieldSet
  ) throws(TodoError) -> Int64 {
    let names = ContentField.allCases.filter(fields.contains).map(\.rawValue)
    let loadID = try begin.first(
      .integer(view.list), .text(view.view), .text(address.kind), .text(address.baseURL),
      .text(address.place), .text(names.joined(separator: " "))
    ) { row in row.number(0) }
    return loadID ?? Self.firstLoadID
  }

  func advance(_ load: SourceLoad, of view: ViewKey) throws(TodoError) {
    try advance.run(
      .integer(view.list), .integer(load.id), SQLValue(load.next?.url),
      .integer(Int64(load.pageCount)), SQLValue(load.cursor),
      SQLValue(load.startedAt?.milliseconds), .text(view.view))
  }

  func markListed(
    _ items: [RemoteItem], _ loadID: Int64, in view: ViewKey
  ) throws(TodoError) {
    for item in items {
      try markListed.run(
        .integer(view.list), .text(view.view), .integer(loadID), .text(item.key))
    }
  }

  /// The todos of a view that a load has not listed.
  struct Missing {
    /// The rows of todos whose items are closed.
    var closed: [Int64] = []
    /// The rows of todos that have left the view. Each of these todos is open or has unsent edits.
    var outside: [Int64] = []
    /// Removed todos whose items the source could not find.
    var removed: [StoredTodo] = []
  }

  /// Ends a load, and returns the todos of the view that it has not listed. Returns no todos if a
  /// newer load of the view has already ended. Todos with unsent edits are never in `closed`.
  func finish(
    _ loadID: Int64, of view: ViewKey, at now: Timestamp
  ) throws(TodoError) -> Missing {
    let (list, name) = (SQLValue.integer(view.list), SQLValue.text(view.view))
    let isNewest = try finish.first(
      list, .integer(loadID), .integer(now.milliseconds), name
    ) { _ in true }
    var missing = Missing()
    if isNewest == true {
      let unlisted = try unlisted.all(list, .integer(loadID), name) { row in
        (row: row.integer(0), isDone: row.flag(2))
      }
      // A load of the whole list would have listed an open item. In another view, only an item that
      // the user has closed is known to be closed; an open todo has left the view.
      missing.closed = unlisted.filter { view.isWhole || $0.isDone }.map(\.row)
      missing.outside = unlisted.filter { !view.isWhole && !$0.isDone }.map(\.row)
    }
    if isNewest == true, view.isWhole {
      missing.removed = try removedUnlisted.all(list, .integer(loadID)) { $0.storedTodo }
        .filter { $0.todo.failure?.kind == .notFound }
    }
    if isNewest == true {
      // The view shows todos with unsent edits even if they have left it.
      if !view.isWhole {
        missing.outside += try unsentUnlisted.all(list, .integer(loadID), name) { $0.integer(0) }
      }
      try markUnlisted.run(list, .integer(loadID), name)
    }
    try forgetListed.run(list, .integer(loadID), name)
    return missing
  }

  /// Returns the keys of the open todos that have no unsent edits and that a load has not listed.
  func openUnlisted(by loadID: Int64, in view: ViewKey) throws(TodoError) -> [String] {
    try openUnlisted.all(
      .integer(view.list), .integer(loadID), .text(view.view)
    ) { row in row.text(1) }
  }

  func record(
    cursor: String?, loadEndedAt: Timestamp?, at now: Timestamp, of view: ViewKey
  ) throws(TodoError) {
    try setCursor.run(
      .integer(view.list), SQLValue(cursor), .integer(now.milliseconds),
      SQLValue(loadEndedAt?.milliseconds), .text(view.view))
  }

  /// Makes the next load of a list, or of any view of it, start from scratch instead of continuing
  /// an unfinished load.
  func restartLoad(of list: Int64) throws(TodoError) { try forgetLoad.run(.integer(list)) }

  func record(path: String, of view: ViewKey) throws(TodoError) {
    try setPath.run(.text(path), .integer(view.list), .text(view.view))
  }

  func record(isReadOnly: Bool, of list: Int64) throws(TodoError) {
    try setReadOnly.run(.integer(isReadOnly ? 1 : 0), .integer(list))
  }

  func isReadOnly(_ list: Int64) throws(TodoError) -> Bool {
    try readOnly.first(.integer(list)) { _ in true } ?? false
  }
}
