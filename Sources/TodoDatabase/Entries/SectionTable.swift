import SQLiteDatabase
import TodoModel

/// The statements that find the headings among the plain lines of lists. A heading begins a
/// section.
final class SectionTable {
  private unowned let connection: Connection
  private lazy var above = Statement(
    """
    SELECT id, place, heading FROM plain_line
    WHERE list = ? AND place <= ? AND heading IS NOT NULL AND is_removed = 0
    ORDER BY place DESC, id DESC LIMIT 1
    """, on: connection)
  private lazy var below = Statement(
    """
    SELECT id, place, heading FROM plain_line
    WHERE list = ? AND place > ? AND heading IS NOT NULL AND is_removed = 0
    ORDER BY place, id LIMIT 1
    """, on: connection)

  private lazy var any = Statement(
    "SELECT 1 FROM plain_line WHERE list = ? AND heading IS NOT NULL AND is_removed = 0 LIMIT 1",
    on: connection)
  /// A cache of the lists without headings, valid for one `contentVersion`. Most lists have no
  /// headings, and the query that determines this takes 3 % of the instructions of a request for a
  /// todo.
  private var unsectioned: (version: UInt32, lists: [Int64]) = (0, [])

  init(over connection: Connection) { self.connection = connection }

  struct Heading {
    var entry: EntryID
    var place: Int64
    var text: String

    fileprivate init(_ row: Row) {
      (entry, place, text) = (.text(row.integer(0)), row.number(1), row.text(2))
    }
  }

  /// Returns the nearest heading above a todo at the given place; `nil` if there is none.
  func heading(above place: Int64, in list: Int64) throws(TodoError) -> Heading? {
    guard try hasHeadings(list) else { return nil }
    return try above.first(.integer(list), .integer(place)) { Heading($0) }
  }

  func heading(below place: Int64, in list: Int64) throws(TodoError) -> Heading? {
    guard try hasHeadings(list) else { return nil }
    return try below.first(.integer(list), .integer(place)) { Heading($0) }
  }

  private func hasHeadings(_ list: Int64) throws(TodoError) -> Bool {
    let version = connection.contentVersion
    if version == unsectioned.version, unsectioned.lists.contains(list) { return false }
    let isFound = try any.first(.integer(list)) { _ in true } ?? false
    if let version, !isFound {
      if version != unsectioned.version { unsectioned = (version, []) }
      unsectioned.lists.append(list)
    }
    return isFound
  }
}

/// A reader of the sections of a list's todos. Successive todos of the same section need only one
/// query.
struct SectionReader {
  private let table: SectionTable
  private let list: Int64
  /// The range of places of the section that was found last: from its heading to the next heading.
  private var (start, end) = (Int64.max, Int64.min)
  private var text: String?

  init(_ table: SectionTable, list: Int64) { (self.table, self.list) = (table, list) }

  /// Returns the section of a todo at a place; `nil` if there is no heading above it.
  mutating func section(at place: Int64) throws(TodoError) -> String? {
    if place >= start, place < end { return text }
    let heading = try table.heading(above: place, in: list)
    (start, text) = (heading?.place ?? .min, heading?.text)
    end = try table.heading(below: place, in: list)?.place ?? .max
    return text
  }
}
