import CSQLite
import System
import TodoModel

/// A database that is looked at without a byte being written: not to it, and not beside it.
package final class InspectedDatabase {
  /// Whether no other program had it open, so that it was read without locks.
  package let isImmutable: Bool
  let connection: Connection

  /// Throws `storage` if the file cannot be opened, and if it or a file beside it is not a regular
  /// file: SQLite would wait for a pipe forever.
  package init(path: String) throws(TodoError) {
    if let problem = Self.kindProblem(path) { throw .storage(problem.message) }
    // Where there is no log, SQLite would make one even to read.
    isImmutable = !Self.isInUse(path)
    let hasIndex = access(path + "-shm", F_OK) == 0
    let parameters =
      isImmutable ? "immutable=1" : hasIndex ? "mode=ro&readonly_shm=1" : "mode=ro"
    connection = try Connection(
      "\(Self.uri(path))?\(parameters)", flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
      path: path, failure: StorageFailure(name: path))
  }

  /// The first path without a regular file, of the database and the files beside it.
  ///
  /// - Parameter query: Asked once for each path, because the answer may change at any time.
  static func kindProblem(
    _ path: String,
    query: (_ path: String, _ isLinkFollowed: Bool) -> FileTrust.Problem? = {
      FileTrust.problem(ofKindOf: $0, isLinkFollowed: $1)
    }
  ) -> FileTrust.Problem? {
    query(path, true) ?? DatabaseFile.suffixesBeside.firstResult { query(path + $0, false) }
  }

  /// Whether there is a log beside it: a server has it open, or did not end in good order.
  package static func isInUse(_ path: String) -> Bool {
    access(path + "-wal", F_OK) == 0 || access(path + "-shm", F_OK) == 0
  }

  /// What SQLite cannot read of its list of tables is as if it were not there, instead of a reason
  /// to read nothing at all.
  func skipBrokenTables() throws(TodoError) {
    // It allows no writing here: the file is open to be read only.
    try connection.execute("PRAGMA writable_schema = ON")
  }

  package func texts(_ sql: String) throws(TodoError) -> [String] {
    try Statement(sql, on: connection).all { row in row.text(0) }
  }

  /// The number in the first row; 0 where there is none.
  package func number(_ sql: String) throws(TodoError) -> Int64 { try connection.number(sql) }

  /// `file:` and the path, with what has a meaning in a URI written as `%XX`.
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
