import CSQLite
import System
import TodoModel

/// Whether a database has just what our scripts make: nothing else that SQLite would run or read in
/// the place of ours, such as a trigger, a view, or a table with another column.
///
/// SQLite keeps the text of each `CREATE`, as it was written. A start compares these with those of
/// the scripts byte by byte, which is 2.5 % of it; only what differs is looked at more closely,
/// because what was brought up to date by `ALTER` is written otherwise and means the same.
struct SchemaComparison {
  let parts: [any SchemaPart]

  /// What is not ours, or not there, as what follows the path in a sentence; nil where all is well.
  func difference(in connection: Connection) throws(TodoError) -> String? {
    let (found, missing) = try differing(in: connection)
    if found.isEmpty, missing.isEmpty { return nil }
    return Self.difference(
      of: found.map(SchemaEntry.init), from: missing.map(SchemaEntry.init),
      parts.flatMap(\.shadowTables))
  }

  /// The texts that only one side has, byte for byte. What SQLite runs is the text, whatever stands in
  /// the other columns.
  func differing(
    in connection: Connection
  ) throws(TodoError) -> (found: [String], missing: [String]) {
    var expected = ScriptTexts(of: parts.flatMap(\.scripts))
    let shadows = parts.flatMap(\.shadowTables)
    var found: [String] = []
    let texts = Statement("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL", on: connection)
    try texts.each { row throws(TodoError) in
      if row.withBytes(0, { expected.consume($0) }) { return true }
      let text = row.text(0)
      if !shadows.contains(text) { found.append(text) }
      return true
    }
    return (found, expected.rest)
  }

  /// - Parameter shadows: Another version of SQLite may write its own tables otherwise. They are
  ///   SQLite's to change.
  private static func difference(
    of entries: [SchemaEntry], from scripts: [SchemaEntry], _ shadows: [String]
  ) -> String? {
    var expected: [String: SchemaEntry] = [:]
    for entry in scripts { expected[entry.key] = entry }
    for entry in entries {
      if let ours = expected.removeValue(forKey: entry.key) {
        guard ours.words == entry.words else { return "has another \(entry.shown)" }
      } else if !entry.isStatistics, !shadows.contains(where: { SchemaEntry($0).key == entry.key })
      {
        return "has \(entry.shownAsOne) that is not ours"
      }
    }
    guard let missing = expected.keys.min() else { return nil }
    return "has no \(missing)"
  }
}

/// What one `CREATE` says.
private struct SchemaEntry {
  let words: SQLWords
  private let (kind, name): (String, String)

  init(_ sql: String) {
    words = SQLWords(of: sql)
    let first = words.first(4)
    let kinds = ["table", "index", "trigger", "view"]
    let place = first.prefix(3).firstIndex { kinds.contains($0.lowercased()) }
    kind = place.map { first[$0].lowercased() } ?? "text"
    name = place.map { $0 + 1 < first.count ? first[$0 + 1] : "" } ?? ""
  }

  /// Such as `table todo`.
  var key: String { "\(kind) \(name)" }

  /// As it is shown to a person: whoever changed the file has chosen the name.
  var shown: String { "\(kind) \(PrintableText(name))" }

  var shownAsOne: String { (kind == "index" ? "an " : "a ") + shown }

  /// What `ANALYZE` has left: SQLite plans by it, and runs nothing of it.
  var isStatistics: Bool {
    [
      "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
      "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
    ].contains { SQLWords(of: $0) == words }
  }
}
