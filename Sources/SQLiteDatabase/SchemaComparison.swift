import CSQLite
import System
import TodoModel

/// A check that a database contains exactly the tables of the schema. It also detects a trigger,
/// view or column that another program has added, and that SQLite would run or read.
///
/// SQLite stores the text of each `CREATE` statement. When a database is opened, these texts are
/// compared byte by byte with the scripts of the schema (`SchemaPart.scripts`), which takes 2.5 %
/// of the startup time. Texts that differ are tokenized and compared again: after an `ALTER`, a
/// table has another text with the same meaning.
struct SchemaComparison {
  let parts: [any SchemaPart]

  /// Returns the first difference, as a clause that follows the path in a message; `nil` if nothing
  /// differs.
  func difference(in connection: Connection) throws(TodoError) -> String? {
    let (found, missing) = try differing(in: connection)
    if found.isEmpty, missing.isEmpty { return nil }
    return Self.difference(
      of: found.map(SchemaEntry.init), from: missing.map(SchemaEntry.init),
      parts.flatMap(\.shadowTables))
  }

  /// Returns the `CREATE` statements that only the database contains (`found`), and the statements
  /// that only the scripts contain (`missing`). The other columns of `sqlite_schema` are not
  /// compared, because SQLite executes only the statements.
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

  /// Returns the first difference between the entries of a database and those of the scripts; `nil`
  /// if there is none.
  ///
  /// - Parameter shadows: The `CREATE` statements of the shadow tables. Only the names of these
  ///   tables are compared, because SQLite manages the tables, and another version of SQLite may
  ///   define them differently.
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
        return "has \(entry.shownWithArticle) that is not ours"
      }
    }
    guard let missing = expected.keys.min() else { return nil }
    return "has no \(missing)"
  }
}

/// A parsed `CREATE` statement.
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

  /// The kind and the name, such as `table todo`.
  var key: String { "\(kind) \(name)" }

  /// The text for the user, with escapes, because the name may be malicious.
  var shown: String { "\(kind) \(PrintableText(name))" }

  var shownWithArticle: String { (kind == "index" ? "an " : "a ") + shown }

  /// Whether `ANALYZE` created this table. SQLite uses it only for planning, and executes nothing
  /// in it.
  var isStatistics: Bool {
    [
      "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
      "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
    ].contains { SQLWords(of: $0) == words }
  }
}
