import SQLiteDatabase
import TodoModel

/// The sources of lists, and the progress of their loads.
final class RemoteTable {
  /// The number of the first load of a list.
  static let firstGeneration: Int64 = 1

  private unowned let connection: Connection
  private lazy var find = Statement(
    """
    SELECT path, cursor, synced_at, generation, finished_generation, load_next, load_page_count,
      load_cursor, base_url, load_started_at, load_ended_at, loaded_at
    FROM remote WHERE list = ?
    """, on: connection)
  private lazy var begin = Statement(
    """
    INSERT INTO remote (list, kind, base_url, address, generation)
    VALUES (?, ?, ?, ?, \(RemoteTable.firstGeneration))
    ON CONFLICT DO UPDATE SET generation = min(generation, \(TodoColumns.integerMax)) + 1,
      load_next = NULL, load_page_count = 0, load_cursor = NULL,
      path = iif(base_url = excluded.base_url, path, NULL), kind = excluded.kind,
      base_url = excluded.base_url,
      address = excluded.address
    RETURNING generation
    """, on: connection)
  private lazy var advance = Statement(
    """
    UPDATE remote SET load_next = ?3, load_page_count = ?4, load_cursor = ?5,
      load_started_at = ?6
    WHERE list = ?1 AND generation = ?2
    """, on: connection)
  private lazy var see = Statement(
    "INSERT OR IGNORE INTO seen (list, generation, remote_key) VALUES (?, ?, ?)", on: connection)
  /// Has no effect if a newer load has ended, which has already updated the list.
  private lazy var finish = Statement(
    """
    UPDATE remote SET finished_generation = ?2, load_next = NULL, loaded_at = ?3
    WHERE list = ?1 AND finished_generation < ?2 RETURNING generation
    """, on: connection)
  private lazy var unseen = Statement(selectUnseen, on: connection)
  private let selectUnseen = """
    SELECT id, remote_key FROM todo
    WHERE list = ?1 AND remote_key IS NOT NULL AND sync = 'synced' AND is_removed = 0
      AND generation <= ?2
      AND NOT EXISTS (
        SELECT 1 FROM seen
        WHERE seen.list = todo.list AND seen.generation >= ?2
          AND seen.remote_key = todo.remote_key)
    """
  private lazy var openUnseen = Statement(
    "\(selectUnseen) AND is_done = 0", on: connection)
  /// Removed todos that were not found at their source.
  private lazy var removedUnseen = Statement(
    """
    \(TodoColumns.selectStored)
    WHERE todo.list = ?1 AND todo.remote_key IS NOT NULL AND todo.is_removed = 1
      AND todo.sync = 'failed' AND todo.generation <= ?2
      AND NOT EXISTS (
        SELECT 1 FROM seen
        WHERE seen.list = todo.list AND seen.generation >= ?2
          AND seen.remote_key = todo.remote_key)
    """, on: connection)
  private lazy var forgetSeen = Statement(
    "DELETE FROM seen WHERE list = ? AND generation <= ?", on: connection)
  private lazy var setCursor = Statement(
    """
    UPDATE remote SET cursor = coalesce(?2, cursor), synced_at = ?3, load_ended_at = ?4
    WHERE list = ?1
    """, on: connection)
  private lazy var forgetLoad = Statement(
    "UPDATE remote SET load_next = NULL WHERE list = ?", on: connection)
  private lazy var setPath = Statement(
    "UPDATE remote SET path = ? WHERE list = ?", on: connection)

  init(over connection: Connection) { self.connection = connection }

  func record(of list: Int64) throws(TodoError) -> RemoteRecord? {
    try find.first(.integer(list)) { row in
      var record = RemoteRecord()
      record.baseURL = row.text(8)
      record.path = row.optionalText(0)
      record.cursor = row.optionalText(1)
      record.syncedAt = row.optionalTime(2)
      record.loadedAt = row.optionalTime(11)
      record.loadCount = row.number(3)
      record.isLoadDue = row.number(3) > row.number(4)
      if let start = row.optionalTime(9), let end = row.optionalTime(10), start <= end {
        record.loadTime = start...end
      }
      if let next = row.optionalText(5) {
        let pageCount = min(row.count(6), PageLink.pagesMax)
        record.unfinished = SourceLoad(
          generation: row.number(3), next: PageLink(url: next, number: pageCount + 1),
          pageCount: pageCount, cursor: row.optionalText(7), startedAt: row.optionalTime(9))
      }
      return record
    }
  }

  func begin(_ list: Int64, from address: RemoteAddress) throws(TodoError) -> Int64 {
    let generation = try begin.first(
      .integer(list), .text(address.kind), .text(address.baseURL), .text(address.place)
    ) { row in row.number(0) }
    return generation ?? Self.firstGeneration
  }

  func advance(_ load: SourceLoad, of list: Int64) throws(TodoError) {
    try advance.run(
      .integer(list), .integer(load.generation), SQLValue(load.next?.url),
      .integer(Int64(load.pageCount)), SQLValue(load.cursor),
      SQLValue(load.startedAt?.milliseconds))
  }

  func see(_ items: [RemoteItem], _ generation: Int64, in list: Int64) throws(TodoError) {
    for item in items { try see.run(.integer(list), .integer(generation), .text(item.key)) }
  }

  /// Ends a load, and returns the todos that it did not contain: rows that were equal to their
  /// items, and removed todos that were not found at their source.
  func finish(
    _ generation: Int64, of list: Int64, at now: Timestamp
  ) throws(TodoError) -> (gone: [Int64], removed: [StoredTodo]) {
    let isNewest = try finish.first(
      .integer(list), .integer(generation), .integer(now.milliseconds)
    ) { _ in true }
    var gone: [Int64] = []
    var removed: [StoredTodo] = []
    if isNewest == true {
      gone = try unseen.all(.integer(list), .integer(generation)) { row in row.integer(0) }
      removed = try removedUnseen.all(.integer(list), .integer(generation)) { $0.storedTodo }
        .filter { $0.todo.failure?.kind == .notFound }
    }
    try forgetSeen.run(.integer(list), .integer(generation))
    return (gone, removed)
  }

  /// Returns the keys of open todos that are equal to their items and that a load has not
  /// contained.
  func openUnseen(by generation: Int64, in list: Int64) throws(TodoError) -> [String] {
    try openUnseen.all(.integer(list), .integer(generation)) { row in row.text(1) }
  }

  func keep(
    cursor: String?, loadEndedAt: Timestamp?, at now: Timestamp, of list: Int64
  ) throws(TodoError) {
    try setCursor.run(
      .integer(list), SQLValue(cursor), .integer(now.milliseconds),
      SQLValue(loadEndedAt?.milliseconds))
  }

  /// Makes an unfinished load start again instead of continuing.
  func beginAnew(_ list: Int64) throws(TodoError) { try forgetLoad.run(.integer(list)) }

  func keep(path: String, of list: Int64) throws(TodoError) {
    try setPath.run(.text(path), .integer(list))
  }
}
