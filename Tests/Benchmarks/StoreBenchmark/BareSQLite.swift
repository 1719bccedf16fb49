import CSQLite

/// A direct connection to SQLite, with which the figures of the store are compared. It uses the
/// same SQLite library as the store.
final class BareSQLite {
  struct Failure: Error { var code: Int32 }

  private var database: OpaquePointer?
  private var statements: [String: OpaquePointer] = [:]

  /// Opens a file with a write-ahead log and `synchronous = FULL`.
  init(path: String) throws {
    try check(sqlite3_open(path, &database))
    try execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close(database)
  }

  func execute(_ script: String) throws {
    try check(sqlite3_exec(database, script, nil, nil, nil))
  }

  /// Runs a statement to its end, and returns the number of its rows.
  @discardableResult
  func run(_ sql: String, _ values: String...) throws -> Int {
    let statement = try statement(sql)
    defer { sqlite3_reset(statement) }
    for (index, value) in values.enumerated() {
      let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      try check(sqlite3_bind_text(statement, Int32(index + 1), value, -1, copied))
    }
    var count = 0
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: count += 1
      case SQLITE_DONE: return count
      case let code: throw Failure(code: code)
      }
    }
  }

  private func statement(_ sql: String) throws -> OpaquePointer? {
    if let known = statements[sql] { return known }
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v2(database, sql, -1, &statement, nil))
    statements[sql] = statement
    return statement
  }

  private func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw Failure(code: code) }
  }
}
