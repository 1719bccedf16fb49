import CSQLite
import System
import TodoModel

/// A converter of SQLite's errors to messages that state what happened and what to do.
///
/// SQLite's own message is not included, because it may quote stored data.
package struct StorageFailure: Sendable {
  /// The name of the database in messages: its path, or "The list in memory".
  package let name: String

  package init(name: String) { self.name = name }

  package func error(_ code: Int32, on database: OpaquePointer? = nil) -> TodoError {
    if let reason = systemReason(of: code, on: database) { return reason }
    // The low byte is the primary code; the rest is the extended code.
    return switch code & 0xFF {
    case SQLITE_FULL: reached(.fullDisk)
    case SQLITE_READONLY: readOnly
    case SQLITE_NOTADB: notDatabase
    case SQLITE_CORRUPT: damaged
    case SQLITE_PERM, SQLITE_AUTH:
      .storage("There is no permission to use \(name). Give yourself access to the file.")
    case SQLITE_CANTOPEN:
      .storage("\(name) cannot be opened. Check that the file and its folder exist and are yours.")
    case SQLITE_BUSY, SQLITE_LOCKED:
      .storage(
        "\(name) was in use by another program for more than \(Connection.busySecondsMax) s. "
          + "Try again, or end that program.")
    case SQLITE_IOERR:
      .storage("\(name) could not be read or written. Check the disk and try again.")
    case SQLITE_INTERRUPT: .readCancelled
    case SQLITE_NOMEM:
      .storage("There is not enough memory to use \(name).")
    case SQLITE_TOOBIG:
      .storage("The todo is too large to be kept in \(name).")
    case SQLITE_CONSTRAINT:
      .storage("\(name) already contains this entry. Nothing was changed.")
    default:
      .storage("\(name) could not be used: \(Self.words(for: code)). Nothing was changed.")
    }
  }

  /// Returns the error for a system call of SQLite that failed because of a read-only file system
  /// or a `SystemLimit`; `nil` for any other failure. The error number of the system call shows the
  /// cause. SQLite's error code does not: for the same cause, the code differs between opening and
  /// mapping a file.
  private func systemReason(of code: Int32, on database: OpaquePointer?) -> TodoError? {
    guard let database, [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xFF) else { return nil }
    var error = sqlite3_system_errno(database)
    if error == 0, code == Self.failedWrite { error = Self.lastErrorOfLog(of: database) }
    return error == EROFS ? readOnly : SystemLimit(error).map(reached)
  }

  /// `SQLITE_IOERR_WRITE`, a macro that Swift cannot import.
  private static let failedWrite = SQLITE_IOERR | 3 << 8

  /// Returns the error number of the last write to the log; 0 if it is unknown. SQLite itself does
  /// not report this number if a commit fails.
  private static func lastErrorOfLog(of database: OpaquePointer) -> CInt {
    var file: UnsafeMutablePointer<sqlite3_file>?
    var error: CInt = 0
    let code = withUnsafeMutablePointer(to: &file) {
      sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, $0)
    }
    guard code == SQLITE_OK, let file, let methods = file.pointee.pMethods,
      methods.pointee.xFileControl?(file, SQLITE_FCNTL_LAST_ERRNO, &error) == SQLITE_OK
    else { return 0 }
    return error
  }

  /// Returns the error for a limit of the system that prevents the file from being used, although
  /// the file itself is fine.
  func reached(_ limit: SystemLimit) -> TodoError {
    .storage("\(limit.reason), so nothing was changed in \(name). \(limit.remedy)")
  }

  var notDatabase: TodoError {
    .storage("\(name) is not a database. Move the file away, or choose another one with --store.")
  }

  package var damaged: TodoError {
    .storage(
      "\(name) is damaged. Start again: the file is then set aside, and a new one is created.")
  }

  /// The error for a damaged file that was left unchanged (`DamageRule.refuse`).
  package var damagedAndUnchanged: TodoError {
    .storage(
      "\(name) is damaged. It was not changed. Put a backup in its place, or start a server, "
        + "which sets it aside and creates a new one. \(rescue)")
  }

  /// Returns the error for a file whose tables SQLite cannot read.
  ///
  /// - Parameter reason: The problem, as a clause that follows the path in the message.
  package func brokenTables(_ reason: String) -> TodoError {
    .storage(
      "\(name) \(reason), so it cannot be used: another program has changed it. Nothing was "
        + "changed now. Put a backup in its place, or choose another file with --store. \(rescue)")
  }

  /// The instruction to rescue the remaining data.
  private var rescue: String {
    "sqlite3 \(ShellWord.quoted(name)) .dump shows what can still be read of it."
  }

  var readOnly: TodoError {
    .storage("\(name) is read-only. Make the file and its folder writable and try again.")
  }

  /// The error for an open file that was replaced or removed, so that a change would be lost.
  package var moved: TodoError {
    .storage(
      "\(name) was moved or deleted while it was in use. Put it back, or start again without it.")
  }

  /// Returns the error for a file with a newer schema.
  ///
  /// - Parameter readable: The schema versions that this program can open.
  package func newerSchema(_ found: Int64, readable: ClosedRange<Int>) -> TodoError {
    let copy = SchemaCopy.newest(of: name, in: readable).map { copy in
      " The todos as they were before the update are in \(copy): "
        + "--store \(ShellWord.quoted("sqlite:" + copy)) opens them."
    }
    return .storage(
      "\(name) was made by a newer version of todo-server (schema \(found), this one knows "
        + "\(readable.upperBound)), and was not changed. Update todo-server, or choose another file "
        + "with --store.\(copy ?? "")")
  }

  /// Returns the error for too little space to copy the file and update its schema.
  func noSpaceToUpdate(free: Int64, needed: Int64) -> TodoError {
    let (free, needed) = (free >> 20, (needed >> 20) + 1)
    return .storage(
      "The update of \(name) and a copy of it need \(needed) MiB, and the disk has \(free) MiB left. "
        + "Nothing was changed. Make room and try again.")
  }

  package func olderSchema(_ found: Int64) -> TodoError {
    .storage(
      "\(name) was made by a version of todo-server that was never released (schema \(found)). "
        + "Move the file away, or choose another one with --store.")
  }

  /// Returns the error for a file whose tables differ from the schema.
  ///
  /// - Parameter difference: The difference, as a clause that follows the path in the message.
  package func otherTables(_ difference: String) -> TodoError {
    .storage(
      "\(name) \(difference), so it is not used: another program has changed it. Nothing was "
        + "changed now. Put a backup in its place, or choose another file with --store; "
        + "sqlite3 \(ShellWord.quoted(name)) .schema shows what is in it.")
  }

  package var foreignDatabase: TodoError {
    .storage(
      "\(name) is a database of another program. Choose another file with --store.")
  }

  private static func words(for code: Int32) -> String {
    sqlite3_errstr(code).map { String(cString: $0) } ?? "SQLite error \(code)"
  }
}
