import SQLiteDatabase
import TodoModel

/// The one order of the entries of a list: of its todos, and of its plain lines.
///
/// An entry has a place, a number. Places have room between them, so that an entry gets one between two
/// others without a change of these. Where there is no room, all entries of the list get new places in
/// the same order. Entries with one place are plain lines first, then in the order of their rows.
final class EntryOrder {
  /// The distance between new places at the ends of a list, and between all places after a
  /// renumbering.
  static let gap: Int64 = 1 << 20
  /// The largest distance from the entry next to which a place was requested, so that many places in a
  /// row do not use up the room.
  private static let stepMax: Int64 = 1 << 10

  private unowned let connection: Connection
  private lazy var todoPlace = Statement(
    "SELECT place FROM todo WHERE list = ? AND name = ?", on: connection)
  private lazy var linePlace = Statement(
    "SELECT place FROM plain_line WHERE list = ? AND id = ?", on: connection)
  private lazy var firstTodo = Statement(
    "SELECT place FROM todo WHERE list = ? AND is_removed = 0 ORDER BY place LIMIT 1",
    on: connection)
  private lazy var older = Statement(
    """
    SELECT place FROM todo WHERE list = ? AND source_order > ? AND is_removed = 0
    ORDER BY source_order LIMIT 1
    """, on: connection)
  private lazy var placesAbove = Self.tables.map { table in
    Statement(
      """
      SELECT place FROM \(table) WHERE list = ? AND place < ? AND is_removed = 0
      ORDER BY place DESC LIMIT 1
      """, on: connection)
  }
  private lazy var placesBelow = Self.tables.map { table in
    Statement(
      """
      SELECT place FROM \(table) WHERE list = ? AND place > ? AND is_removed = 0
      ORDER BY place LIMIT 1
      """, on: connection)
  }
  private lazy var countAt = Statement(
    """
    SELECT (SELECT count(*) FROM todo WHERE list = ?1 AND place = ?2 AND is_removed = 0)
      + (SELECT count(*) FROM plain_line WHERE list = ?1 AND place = ?2 AND is_removed = 0)
    """, on: connection)
  private lazy var entryAbove = Statement(
    """
    SELECT * FROM (
      SELECT 'todo/' || name, place FROM todo
      WHERE list = ?1 AND place < ?2 AND is_removed = 0 ORDER BY place DESC, id DESC LIMIT 1)
    UNION ALL SELECT * FROM (
      SELECT 'text/' || id, place FROM plain_line
      WHERE list = ?1 AND place < ?2 AND is_removed = 0 ORDER BY place DESC, id DESC LIMIT 1)
    ORDER BY place DESC LIMIT 1
    """, on: connection)
  private lazy var all = Statement(
    """
    SELECT 0 AS kind, id, place FROM plain_line WHERE list = ?1
    UNION ALL SELECT 1, id, place FROM todo WHERE list = ?1 ORDER BY place, kind, id
    """, on: connection)
  private lazy var moveRow = Self.tables.map { table in
    Statement("UPDATE \(table) SET place = ? WHERE id = ?", on: connection)
  }

  private static let tables = ["plain_line", "todo"]

  init(over connection: Connection) { self.connection = connection }

  /// A position for an entry.
  enum Position {
    /// Above or below all entries.
    case first, last
    case above(EntryID)
    case below(EntryID)
    /// Directly above the first todo.
    case aboveTodos
    /// Directly above the next older item of the source.
    case aboveOlder(sourceOrder: Int64)
  }

  /// Returns a place, and gives all entries new ones if there is no room. A place next to an entry that
  /// is not stored is the one above all todos.
  func place(_ position: Position, in list: Int64) throws(TodoError) -> Int64 {
    if let place = try freePlace(position, in: list) { return place }
    try renumber(list)
    guard let place = try freePlace(position, in: list) else {
      throw .storage("The list has no room for more todos.")
    }
    return place
  }

  /// Returns a free place at a position.
  ///
  /// - Returns: `nil` if there is no room.
  private func freePlace(_ position: Position, in list: Int64) throws(TodoError) -> Int64? {
    switch position {
    case .first:
      return Self.place(above: try nearest(placesBelow, .min, list, min), upper: nil)
    case .last:
      return Self.place(below: try nearest(placesAbove, .max, list, max), lower: nil)
    case .aboveTodos:
      let first = try firstTodo.first(.integer(list)) { row in row.number(0) }
      guard let first else { return try freePlace(.last, in: list) }
      return try freePlace(above: first, list)
    case .aboveOlder(let order):
      let next = try older.first(.integer(list), .integer(order)) { row in row.number(0) }
      guard let next else { return try freePlace(.last, in: list) }
      return try freePlace(above: next, list)
    case .above(let entry):
      guard let place = try place(of: entry, in: list) else {
        return try freePlace(.aboveTodos, in: list)
      }
      return try freePlace(above: place, list)
    case .below(let entry):
      guard let place = try place(of: entry, in: list) else {
        return try freePlace(.aboveTodos, in: list)
      }
      guard try isAlone(place, list) else { return nil }
      return Self.place(below: place, lower: try nearest(placesBelow, place, list, min))
    }
  }

  private func freePlace(above place: Int64, _ list: Int64) throws(TodoError) -> Int64? {
    guard try isAlone(place, list) else { return nil }
    return Self.place(above: place, upper: try nearest(placesAbove, place, list, max))
  }

  private static func place(above lower: Int64?, upper: Int64?) -> Int64? {
    guard let lower else { return 0 }
    let place = upper.map { lower - min(stepMax, (lower - $0) / 2) } ?? lower - gap
    return place < lower && place >= -TodoColumns.integerMax ? place : nil
  }

  private static func place(below upper: Int64?, lower: Int64?) -> Int64? {
    guard let upper else { return 0 }
    let place = lower.map { upper + min(stepMax, ($0 - upper) / 2) } ?? upper + gap
    return place > upper && place <= TodoColumns.integerMax ? place : nil
  }

  /// The place of an entry, also of a removed one; `nil` if it is not stored.
  func place(of entry: EntryID, in list: Int64) throws(TodoError) -> Int64? {
    switch entry {
    case .todo(let id):
      try todoPlace.first(.integer(list), .text(id.text)) { row in row.number(0) }
    case .text(let number):
      try linePlace.first(.integer(list), .integer(number)) { row in row.number(0) }
    }
  }

  /// The entry directly above a place; `nil` if there is none.
  func entry(above place: Int64, in list: Int64) throws(TodoError) -> EntryID? {
    try entryAbove.first(.integer(list), .integer(place)) { row in EntryID(row.text(0)) } ?? nil
  }

  /// The nearest place of another entry in one direction.
  private func nearest(
    _ statements: [Statement], _ place: Int64, _ list: Int64,
    _ nearer: (Int64, Int64) -> Int64
  ) throws(TodoError) -> Int64? {
    var found: Int64?
    for statement in statements {
      let next = try statement.first(.integer(list), .integer(place)) { row in row.number(0) }
      guard let next else { continue }
      found = found.map { nearer($0, next) } ?? next
    }
    return found
  }

  private func isAlone(_ place: Int64, _ list: Int64) throws(TodoError) -> Bool {
    try countAt.first(.integer(list), .integer(place)) { row in row.integer(0) } ?? 0 < 2
  }

  private func renumber(_ list: Int64) throws(TodoError) {
    let entries = try all.all(.integer(list)) { row in (kind: row.count(0), id: row.integer(1)) }
    var place: Int64 = 0
    for entry in entries {
      try moveRow[entry.kind].run(.integer(place), .integer(entry.id))
      place += Self.gap
    }
  }
}
