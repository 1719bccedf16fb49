import System
import TodoModel

/// The procedure that opens a database. If the file is damaged and `onDamage` is `.setAside`, the
/// procedure renames the file and creates a new one.
struct DatabaseOpening: Sendable {
  let location: SQLiteLocation
  let schema: Schema
  let now: @Sendable () -> Timestamp
  let onDamage: DamageRule

  /// The maximum size, in bytes, of a small file. All pages of a small file are checked at each
  /// start, which takes milliseconds.
  private static let checkedBytesMax: Int64 = 4 << 20

  /// Opens the database.
  ///
  /// - Returns: The connection, and a message for the user if a damaged file was set aside, else
  ///   `nil`.
  func open() throws(TodoError) -> (connection: Connection, notice: String?) {
    guard case .file(let path) = location else { return (try prepared(), nil) }
    let file = DamagedFile(path: path)
    if !file.isLogAlone {
      do throws(TodoError) {
        return (try prepared(), nil)
      } catch {
        guard isDamage(error, file) else { throw error }
        if let reason = schema.brokenTables(in: path) {
          throw StorageFailure(name: path).brokenTables(reason)
        }
      }
    }
    if onDamage == .refuse { throw StorageFailure(name: path).damagedAndUnchanged }
    return try DatabaseFile(path: path).withFolderLocked { () throws(TodoError) in
      // Another process may have set the file aside during the wait for the lock.
      if !file.isLogAlone, let connection = try? prepared() { return (connection, nil) }
      let notice = try file.setAside(at: now())
      return (try prepared(), notice)
    }
  }

  private func isDamage(_ error: TodoError, _ file: DamagedFile) -> Bool {
    let failure = StorageFailure(name: file.path)
    return [failure.damaged, failure.notDatabase].contains(error)
      && file.isTodoStore(schema.applicationID)
  }

  private func prepared() throws(TodoError) -> Connection {
    if case .file(let path) = location, DamagedFile(path: path).isTooShort {
      // SQLite would treat these few bytes of another program as an empty database.
      throw StorageFailure(name: path).notDatabase
    }
    let connection = try Connection(to: location)
    if connection.isReadOnly { throw connection.failure.readOnly }
    try schema.refuseNewer(connection)
    try connection.execute("PRAGMA synchronous = FULL")
    let found = try schema.check(connection)
    try connection.useWAL()
    // Some updates drop and recreate tables. If foreign keys were enforced, this would delete the
    // rows that refer to these tables.
    try connection.execute("PRAGMA foreign_keys = OFF")
    try schema.apply(to: connection, found: found)
    connection.trustSchema()
    try connection.execute("PRAGMA foreign_keys = ON")
    guard case .file(let path) = location else { return connection }
    let file = DamagedFile(path: path)
    let isMarked = file.isMarked
    let isSmall = try connection.byteCount <= Self.checkedBytesMax
    if isMarked || isSmall { try connection.checkPages() }
    if isMarked {
      // The pages are intact, so the damage was in derived data, such as the search index. This
      // data is now rebuilt.
      try connection.change { () throws(TodoError) in
        try connection.allowingShadowWrites { () throws(TodoError) in
          for part in schema.parts { try part.renew(over: connection) }
        }
      }
      file.unmark()
    }
    return connection
  }
}

/// The treatment of a damaged file.
package enum DamageRule: Sendable {
  /// Rename the damaged file and create a new one. This is for a server, which can show its user a
  /// message about the damage.
  case setAside
  /// Leave the file unchanged and throw an error. This is for a command, which would otherwise
  /// report an empty list.
  case refuse
}

extension Connection {
  var byteCount: Int64 {
    get throws(TodoError) {
      try number("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
    }
  }

  /// Checks all pages. Throws `storage` if one of them is damaged.
  ///
  /// The `CHECK` constraints of the rows are skipped: checking them takes three times as long as
  /// checking the pages, and SQLite checks them whenever it writes a row.
  func checkPages() throws(TodoError) {
    try execute("PRAGMA ignore_check_constraints = ON")
    let answer = try Statement("PRAGMA quick_check(1)", on: self).first { row in row.text(0) }
    try execute("PRAGMA ignore_check_constraints = OFF")
    guard answer == "ok" else { throw failure.damaged }
  }
}

extension DatabaseFile {
  /// Runs `body` with an exclusive lock on the folder of the file. Other calls for the same folder,
  /// including those in other processes, wait for the lock.
  func withFolderLocked<Value>(
    _ body: () throws(TodoError) -> Value
  ) throws(TodoError) -> Value {
    let folder = Folder(of: path).path
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if let limit = SystemLimit(errno) { throw StorageFailure(name: path).reached(limit) }
      throw .storage("The folder \(folder) cannot be opened: \(systemReason(errno)).")
    }
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    return try body()
  }
}
