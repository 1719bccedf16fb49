import SQLiteDatabase
import TodoModel

/// The common order of the entries of a list: of its todos and its plain lines.
///
/// Each entry has a place, which is a number. There are gaps between places, so that an entry can
/// be put between two others without changing their places. If there is no gap at a position, the
/// entries around the position get new places in the same order. Among entries with the same place,
/// plain lines come before todos, and entries of one kind are in the order of their row numbers.
final class EntryOrder {
  /// The distance of a new first or last entry from its neighbor. After a renumbering, all
  /// neighboring places have this distance.
  static let gap: Int64 = 1 << 20
  /// The maximum distance of a new place from the neighboring entry. Because of this limit, many
  /// entries can be added one after the other, each next to the previous one, before the gap is
  /// used up.
  private static let stepMax: Int64 = 1 << 10
  /// The size of the first attempt to create a gap: this many todos and this many plain lines on
  /// each side of the position get new places. Each further attempt includes four times as many.
  private static let firstSpreadCount = 16

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
  private lazy var placesUpTo = Self.tables.map { table in
    Statement(
      """
      SELECT place FROM \(table) WHERE list = ? AND place <= ? AND is_removed = 0
      ORDER BY place DESC LIMIT ?
      """, on: connection)
  }
  private lazy var placesAfter = Self.tables.map { table in
    Statement(
      """
      SELECT place FROM \(table) WHERE list = ? AND place > ? AND is_removed = 0
      ORDER BY place LIMIT ?
      """, on: connection)
  }
  private lazy var within = Statement(
    (0...1).flatMap { removed in
      Self.tables.enumerated().map { kind, table in
        """
        SELECT \(kind) AS kind, id, place FROM \(table)
        WHERE list = ?1 AND place BETWEEN ?2 AND ?3 AND is_removed = \(removed)
        """
      }
    }.joined(separator: " UNION ALL ") + " ORDER BY place, kind, id", on: connection)
  private lazy var moveRow = Self.tables.map { table in
    Statement("UPDATE \(table) SET place = ? WHERE id = ?", on: connection)
  }

  private static let tables = ["plain_line", "todo"]

  init(over connection: Connection) { self.connection = connection }

  /// A position to which an entry can be moved, or at which it can be added.
  enum Position {
    /// Above or below all entries.
    case first, last
    case above(EntryID)
    case below(EntryID)
    /// Directly above the first todo.
    case aboveTodos
    /// Directly above the todo of the next older item. This is the first item whose position at the
    /// source is after `sourceOrder`.
    case aboveOlder(sourceOrder: Int64)
  }

  /// Returns a place for an entry. If there is no gap, the entries around the position get new
  /// places in the same order. If the entry of `above` or `below` is not stored, the place is above
  /// all todos. If `aboveOlder` finds no older item, the place is below all entries.
  func place(_ position: Position, in list: Int64) throws(TodoError) -> Int64 {
    var count = Self.firstSpreadCount
    while true {
      if let place = try freePlace(position, in: list) { return place }
      let anchor = try neighbor(of: position, in: list)
      if let anchor, try spread(count, around: anchor, list) {
        count *= 4
      } else {
        try renumber(list)
        guard let place = try freePlace(position, in: list) else {
          throw .storage("The list has no room for more todos.")
        }
        return place
      }
    }
  }

  /// Returns an unused place at a position; `nil` if there is no gap.
  private func freePlace(_ position: Position, in list: Int64) throws(TodoError) -> Int64? {
    if case .first = position {
      return Self.place(above: try nearest(placesBelow, .min, list, min), upper: nil)
    }
    guard let neighbor = try neighbor(of: position, in: list) else {
      return Self.place(below: try nearest(placesAbove, .max, list, max), lower: nil)
    }
    guard try isAlone(neighbor, list) else { return nil }
    if case .below(let entry) = position, try place(of: entry, in: list) != nil {
      return Self.place(below: neighbor, lower: try nearest(placesBelow, neighbor, list, min))
    }
    return Self.place(above: neighbor, upper: try nearest(placesAbove, neighbor, list, max))
  }

  /// Returns the place of the entry next to a position. If the entry of `above` or `below` is not
  /// stored, returns the place of the first todo. Returns `nil` for the first and the last
  /// position, and if the list has no todo for the position.
  private func neighbor(of position: Position, in list: Int64) throws(TodoError) -> Int64? {
    switch position {
    case .first, .last: return nil
    case .aboveTodos: break
    case .aboveOlder(let order):
      return try older.first(.integer(list), .integer(order)) { row in row.number(0) }
    case .above(let entry), .below(let entry):
      if let place = try place(of: entry, in: list) { return place }
    }
    return try firstTodo.first(.integer(list)) { row in row.number(0) }
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

  /// Returns the place of an entry, even of a removed one; `nil` if the entry is not stored.
  func place(of entry: EntryID, in list: Int64) throws(TodoError) -> Int64? {
    switch entry {
    case .todo(let id):
      try todoPlace.first(.integer(list), .text(id.text)) { row in row.number(0) }
    case .text(let number):
      try linePlace.first(.integer(list), .integer(number)) { row in row.number(0) }
    }
  }

  /// Returns the entry directly above a place; `nil` if there is none.
  func entry(above place: Int64, in list: Int64) throws(TodoError) -> EntryID? {
    try entryAbove.first(.integer(list), .integer(place)) { row in EntryID(row.text(0)) } ?? nil
  }

  /// Returns the place that is nearest to `place` among the places that `statements` find, which
  /// are all above or all below `place`; `nil` if they find no place.
  ///
  /// - Parameter nearer: Returns the nearer of two places: `max` for places above `place`, `min`
  ///   for places below it.
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

  /// Distributes the entries around a place evenly over the range of places that they occupy.
  ///
  /// About ten insertions next to the same entry use up a gap, so the cost of a new gap must not
  /// depend on the size of the list.
  ///
  /// - Parameter count: The number of todos, and of plain lines, to include on each side of the
  ///   place (all, if there are fewer). All entries between the outermost of them are included as
  ///   well.
  /// - Returns: `false` if the included entries are the whole list, which is then not changed.
  ///   Otherwise `true`, even if nothing is changed because the range is too small for new gaps.
  ///   In that case, the caller must try again with a larger `count`.
  private func spread(_ count: Int, around place: Int64, _ list: Int64) throws(TodoError) -> Bool {
    var (first, last, isWhole) = (place, place, true)
    for (statements, isAbove) in [(placesUpTo, true), (placesAfter, false)] {
      for statement in statements {
        let places = try statement.all(.integer(list), .integer(place), .integer(Int64(count))) {
          row in row.number(0)
        }
        if isAbove { first = min(first, places.last ?? first) }
        if !isAbove { last = max(last, places.last ?? last) }
        isWhole = isWhole && places.count < count
      }
    }
    if isWhole { return false }
    let entries = try within.all(.integer(list), .integer(first), .integer(last)) { row in
      (kind: row.count(0), id: row.integer(1))
    }
    let room = (last - first) / Int64(max(1, entries.count - 1))
    guard room > 2 * Self.stepMax else { return true }
    for (index, entry) in entries.enumerated() {
      try moveRow[entry.kind].run(.integer(first + Int64(index) * room), .integer(entry.id))
    }
    return true
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
