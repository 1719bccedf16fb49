import TodoModel

/// Why SQLite does not read the tables of a file whose pages are whole: somebody has changed what it
/// keeps of them. What stands in the tables is still there, so such a file is not set aside.
struct BrokenTables {
  private let database: InspectedDatabase
  private let schema: Schema

  /// Nil where the file cannot be opened, or not even the list of its tables be read.
  init?(in path: String, schema: Schema) {
    guard let opened = try? InspectedDatabase(path: path), (try? opened.skipBrokenTables()) != nil
    else { return nil }
    (database, self.schema) = (opened, schema)
  }

  /// What follows the path in a sentence; nil where it is damage of another kind.
  func reason() -> String? {
    do throws(TodoError) {
      let pageCount = try database.number("PRAGMA page_count")
      let rows = try SchemaRow.all(in: database.connection)
      var places: Set<Int64> = []
      for row in rows {
        if let problem = row.problem(pageCount, &places) { return problem }
      }
      guard try database.number("PRAGMA user_version") == schema.version else { return nil }
      return try schema.difference(in: database)
    } catch {
      return nil
    }
  }
}

/// What SQLite keeps of a table, an index, a trigger or a view.
private struct SchemaRow {
  let kind: String
  let name: String
  /// The page that it begins on.
  let place: Int64
  let sql: String?

  static func all(in connection: Connection) throws(TodoError) -> [SchemaRow] {
    let question = "SELECT type, name, CAST(rootpage AS INTEGER), sql FROM sqlite_schema"
    return try Statement(question, on: connection).all { row in
      SchemaRow(
        kind: row.text(0), name: row.text(1), place: row.integer(2), sql: row.optionalText(3))
    }
  }

  /// - Parameter places: Where the rows before this one begin.
  func problem(_ pageCount: Int64, _ places: inout Set<Int64>) -> String? {
    let shown = "\(PrintableText(kind)) \(PrintableText(name))"
    let isMadeByItself = kind == "index" && name.hasPrefix("sqlite_autoindex_")
    if sql == nil, !isMadeByItself { return "has lost what the \(shown) is" }
    switch kind {
    case "table" where sql?.uppercased().hasPrefix("CREATE VIRTUAL ") == true: return nil
    case "trigger", "view": return nil
    case "table", "index":
      let isThere = (2...max(2, pageCount)).contains(place) && places.insert(place).inserted
      return isThere ? nil : "has lost where the \(shown) begins"
    case _: return "has something of an unknown kind, \(shown)"
    }
  }
}
