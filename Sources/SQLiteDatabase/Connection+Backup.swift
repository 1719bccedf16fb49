import CSQLite
import TodoModel

/// Copies of a database.
extension Connection {
  /// Copies all pages, in their last committed state, to an empty file.
  ///
  /// - Throws: `TodoError.storage`
  func copyPages(to path: String) throws(TodoError) {
    let failure = StorageFailure(name: path)
    var opened: OpaquePointer?
    defer { sqlite3_close_v2(opened) }
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else { throw failure.error(code) }
    guard let backup = sqlite3_backup_init(opened, "main", handle, "main") else {
      throw failure.error(sqlite3_extended_errcode(opened), on: opened)
    }
    let result = sqlite3_backup_step(backup, -1)
    let end = sqlite3_backup_finish(backup)
    guard result == SQLITE_DONE, end == SQLITE_OK else {
      throw failure.error(result == SQLITE_DONE ? end : result, on: opened)
    }
  }
}
