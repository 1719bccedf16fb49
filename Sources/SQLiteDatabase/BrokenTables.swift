import TodoModel

/// A diagnosis of a database file that SQLite cannot read because another program has changed
/// `sqlite_schema`.
///
/// The pages of such a file are intact, and its tables still contain their data. Therefore, unlike
/// a damaged file (see `DamagedFile`), the file is not replaced by a new one.
struct BrokenTables {
  private let database: InspectedDatabase
  private let schema: Schema

  /// Opens the file so that SQLite skips the unreadable rows of `sqlite_schema`; `nil` if that
  /// fails.
  init?(in path: String, schema: Schema) {
    guard let opened = try? InspectedDatabase(path: path), (try? opened.skipBrokenTables()) != nil
    else { return nil }
    (database, self.schema) = (opened, schema)
  }

  /// Returns the problem, as a clause that follows the path in a message; `nil` if there is none,
  /// or if the file is damaged in another way.
  func reason() -> String? {
    do throws(TodoError) {
      let pageCount = try database.number("PRAGMA page_count")
      let rows = try SchemaRow.all(in: database.connection)
      var rootPages: Set<Int64> = []
      for row in rows {
        if let problem = row.problem(pageCount, &rootPages) { return problem }
      }
      guard try database.number("PRAGMA user_version") == schema.version else { return nil }
      return try schema.difference(in: database)
    } catch {
      return nil
    }
  }
}

/// A row of `sqlite_schema`: a table, an index, a trigger or a view.
private struct SchemaRow {
  let kind: String
  let name: String
  /// The page number of the root page.
  let rootPage: Int64
  let sql: String?

  static func all(in connection: Connection) throws(TodoError) -> [SchemaRow] {
    let question = "SELECT type, name, CAST(rootpage AS INTEGER), sql FROM sqlite_schema"
    return try Statement(question, on: connection).all { row in
      SchemaRow(
        kind: row.text(0), name: row.text(1), rootPage: row.integer(2), sql: row.optionalText(3))
    }
  }

  /// Returns the problem with this row; `nil` if there is none.
  ///
  /// - Parameter rootPages: The root pages of the previous rows. If they include the root page of
  ///   this row, that is a problem. Otherwise, this method adds the root page of this row.
  func problem(_ pageCount: Int64, _ rootPages: inout Set<Int64>) -> String? {
    let shown = "\(PrintableText(kind)) \(PrintableText(name))"
    let isAutomaticIndex = kind == "index" && name.hasPrefix("sqlite_autoindex_")
    if sql == nil, !isAutomaticIndex { return "has lost what the \(shown) is" }
    switch kind {
    case "table" where sql?.uppercased().hasPrefix("CREATE VIRTUAL ") == true: return nil
    case "trigger", "view": return nil
    case "table", "index":
      let isValid =
        (2...max(2, pageCount)).contains(rootPage) && rootPages.insert(rootPage).inserted
      return isValid ? nil : "has lost where the \(shown) begins"
    case _: return "has something of an unknown kind, \(shown)"
    }
  }
}
