import CSQLite
import System
import TodoModel

/// Keeping a copy.
extension Connection {
  /// Copies the database to a new file, as it was committed last. Throws `storage`.
  func copy(to target: String) throws(TodoError) {
    guard let path else { return }
    // From a connection of its own: SQLite copies nothing out of an open change.
    let source = try Connection(reading: path)
    let draft = target + ".new"
    unlink(draft)
    try DatabaseFile(path: draft).create()
    do throws(TodoError) {
      try source.copyPages(to: draft)
    } catch {
      unlink(draft)
      throw error
    }
    guard rename(draft, target) == 0 else {
      throw .storage("The backup \(target) cannot be written: \(systemReason(errno)).")
    }
  }

  private func copyPages(to path: String) throws(TodoError) {
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
