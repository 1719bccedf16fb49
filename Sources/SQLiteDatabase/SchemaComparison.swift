import CSQLite
import System
import TodoModel

/// Whether a database has just what our scripts make: nothing else that SQLite would run or read in
/// the place of ours, such as a trigger, a view, or a table with another column.
///
/// SQLite keeps the text of each `CREATE`, as it was written. A start compares these with the scripts
/// byte by byte, which costs a walk through both; only what differs is looked at more closely,
/// because what was brought up to date by `ALTER` is written otherwise and means the same.
struct SchemaComparison {
  let parts: [any SchemaPart]

  /// What is not ours, or not there, as what follows the path in a sentence; nil where all is well.
  func difference(in connection: Connection) throws(TodoError) -> String? {
    let entries = texts(of: connection)
    if try isExact(entries) { return nil }
    let shadows = Set(parts.flatMap(\.shadowTables).map { SchemaEntry($0).key })
    let all = try entries.all { row in SchemaEntry(row.text(0)) }
    return Self.difference(of: all, from: parts.flatMap(\.scripts), shadows)
  }

  /// Whether all is there byte for byte, in the order of the scripts.
  func isExact(in connection: Connection) throws(TodoError) -> Bool {
    try isExact(texts(of: connection))
  }

  /// What SQLite runs is the text, whatever stands in the other columns.
  private func texts(of connection: Connection) -> Statement {
    Statement("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL", on: connection)
  }

  private func isExact(_ entries: Statement) throws(TodoError) -> Bool {
    var walk = ScriptWalk(scripts: parts.flatMap(\.scripts))
    let shadows = parts.flatMap(\.shadowTables)
    var isExact = true
    try entries.each { row throws(TodoError) in
      isExact = row.withBytes(0, { walk.takes($0) }) || shadows.contains(row.text(0))
      return isExact
    }
    return isExact && walk.isAtEnd
  }

  /// - Parameter shadows: Another version of SQLite may write its own tables otherwise. They are
  ///   SQLite's to change.
  private static func difference(
    of entries: [SchemaEntry], from scripts: [String], _ shadows: Set<String>
  ) -> String? {
    var expected: [String: SchemaEntry] = [:]
    for entry in scripts.flatMap(SchemaEntry.entries) { expected[entry.key] = entry }
    for entry in entries where !entry.isStatistics && !shadows.contains(entry.key) {
      guard let ours = expected.removeValue(forKey: entry.key) else {
        return "has \(entry.shownAsOne) that is not ours"
      }
      guard ours.words == entry.words else { return "has another \(entry.shown)" }
    }
    guard let missing = expected.keys.min() else { return nil }
    return "has no \(missing)"
  }
}

/// What one `CREATE` says.
private struct SchemaEntry {
  let words: [String]
  private let (kind, name): (String, String)

  init(_ sql: String) { self.init(words: SQLWords.words(of: sql)) }

  private init(words: [String]) {
    self.words = words
    let kinds = ["table", "index", "trigger", "view"]
    let place = words.prefix(3).firstIndex { kinds.contains($0.lowercased()) }
    kind = place.map { words[$0].lowercased() } ?? "text"
    name = place.map { $0 + 1 < words.count ? words[$0 + 1] : "" } ?? ""
  }

  static func entries(of script: String) -> [SchemaEntry] {
    SQLWords.statements(of: script).map { SchemaEntry(words: $0) }
  }

  /// Such as `table todo`.
  var key: String { "\(kind) \(name)" }

  /// As it is shown to a person: whoever changed the file has chosen the name.
  var shown: String { "\(kind) \(PrintableText(name))" }

  var shownAsOne: String { (kind == "index" ? "an " : "a ") + shown }

  /// What `ANALYZE` has left: SQLite plans by it, and runs nothing of it.
  var isStatistics: Bool {
    [
      "CREATE TABLE sqlite_stat1 ( tbl , idx , stat )",
      "CREATE TABLE sqlite_stat4 ( tbl , idx , neq , nlt , ndlt , sample )",
    ].contains(words.joined(separator: " "))
  }
}

/// Goes through scripts, statement by statement.
private struct ScriptWalk {
  let scripts: [String]
  private var script = 0
  private var offset = 0

  init(scripts: [String]) { self.scripts = scripts }

  /// Whether the next statement is just this one; then it is gone by.
  mutating func takes(_ sql: UnsafeRawBufferPointer) -> Bool {
    while script < scripts.count {
      let (found, end) = Self.find(sql, in: scripts[script], from: offset)
      if found { offset = end } else if end < 0 { (script, offset) = (script + 1, 0) }
      if found || end >= 0 { return found }
    }
    return false
  }

  /// Whether the next statement is this one, and where it ends; below 0 where there is no more.
  private static func find(
    _ sql: UnsafeRawBufferPointer, in script: String, from offset: Int
  ) -> (found: Bool, end: Int) {
    let answer = script.utf8.withContiguousStorageIfAvailable { text -> (Bool, Int) in
      let rest = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[offset...])
      guard let base = rest.baseAddress, let other = sql.baseAddress, let start = begin(in: rest)
      else { return (false, -1) }
      guard rest.count - start > sql.count, memcmp(base + start, other, sql.count) == 0,
        rest[start + sql.count] == UInt8(ascii: ";")
      else { return (false, 0) }
      return (true, offset + start + sql.count + 1)
    }
    return answer ?? (false, 0)
  }

  /// Whether nothing is left.
  var isAtEnd: Bool {
    scripts.indices.dropFirst(script).allSatisfy { index in
      let left = scripts[index].utf8.dropFirst(index == script ? offset : 0)
      return Array(left).withUnsafeBytes { Self.begin(in: $0) == nil }
    }
  }

  /// Where the next statement begins: not far, because nothing but line ends and comments stands
  /// before it.
  private static func begin(in text: UnsafeRawBufferPointer) -> Int? {
    text.indices.first { index in
      text[index] == UInt8(ascii: "C")
        && UnsafeRawBufferPointer(rebasing: text[index...]).starts(with: "CREATE ".utf8)
    }
  }
}
