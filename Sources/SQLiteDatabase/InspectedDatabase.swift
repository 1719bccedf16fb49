import CSQLite
import System
import TodoModel

/// A database that is read without writing to its file or creating files beside it.
package final class InspectedDatabase {
  /// Whether no other program has the database open, so that it is read without locks.
  package let isImmutable: Bool
  let connection: Connection

  /// Opens the database.
  ///
  /// - Throws: `TodoError.storage` if it cannot be opened, or if its file or a file beside it is
  ///   not a regular file. Opening a pipe, for example, would block forever.
  package init(path: String) throws(TodoError) {
    if let problem = Self.kindProblem(path) { throw .storage(problem.message) }
    // Without a log, the database is opened as immutable: otherwise SQLite would create a log, even
    // for reading.
    isImmutable = !Self.isInUse(path)
    let hasIndex = access(path + "-shm", F_OK) == 0
    let parameters =
      isImmutable ? "immutable=1" : hasIndex ? "mode=ro&readonly_shm=1" : "mode=ro"
    connection = try Connection(
      "\(Self.uri(path))?\(parameters)", flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
      path: path, failure: StorageFailure(name: path))
  }

  /// Returns the problem with the first path that is not a regular file; `nil` if there is none.
  /// The paths are those of the database and of the files beside it.
  ///
  /// - Parameter query: Returns the problem with a path. Called once for each path, because the
  ///   result may change at any time.
  static func kindProblem(
    _ path: String,
    query: (_ path: String, _ followsLinks: Bool) -> FileTrust.Problem? = {
      FileTrust.problem(ofKindOf: $0, followsLinks: $1)
    }
  ) -> FileTrust.Problem? {
    query(path, true) ?? DatabaseFile.suffixesBeside.firstResult { query(path + $0, false) }
  }

  /// Returns whether the database has a log or an index of the log. If so, another process has the
  /// database open, or did not close it cleanly.
  package static func isInUse(_ path: String) -> Bool {
    access(path + "-wal", F_OK) == 0 || access(path + "-shm", F_OK) == 0
  }

  /// Makes SQLite skip unreadable rows of `sqlite_schema`, which would otherwise prevent reading
  /// any table.
  func skipBrokenTables() throws(TodoError) {
    // This permits no writes, because the file is open for reading only.
    try connection.execute("PRAGMA writable_schema = ON")
  }

  package func texts(_ sql: String) throws(TodoError) -> [String] {
    try Statement(sql, on: connection).all { row in row.text(0) }
  }

  /// Returns the first value of a query as an integer; 0 if there is no row.
  package func number(_ sql: String) throws(TodoError) -> Int64 { try connection.number(sql) }

  /// Returns a URI for a path, with the special characters escaped.
  private static func uri(_ path: String) -> String {
    var text = path.hasPrefix("/") ? "file://" : "file:./"
    for scalar in path.unicodeScalars {
      switch scalar {
      case "%": text += "%25"
      case "?": text += "%3f"
      case "#": text += "%23"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
