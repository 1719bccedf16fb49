import CSQLite
import System
import TodoModel

/// A database that is looked at without a byte being written: not to it, and not beside it.
final class InspectedDatabase {
  /// Whether no other program had it open, so that it was read without locks.
  let isImmutable: Bool
  private let handle: OpaquePointer
  private let failure: StorageFailure

  /// Throws `storage` when the file cannot be opened.
  init(path: String) throws(TodoError) {
    failure = StorageFailure(name: path)
    // Where there is no log, SQLite would make one even to read.
    isImmutable = !Self.isInUse(path)
    let hasIndex = access(path + "-shm", F_OK) == 0
    let parameters =
      isImmutable ? "immutable=1" : hasIndex ? "mode=ro&readonly_shm=1" : "mode=ro"
    var opened: OpaquePointer?
    let flags =
      SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2("\(Self.uri(path))?\(parameters)", &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let error = failure.error(code, on: opened)
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    sqlite3_busy_timeout(opened, Self.busyMilliseconds)
  }

  deinit { sqlite3_close_v2(handle) }

  private static let busyMilliseconds: CInt = 5_000

  /// Whether there is a log beside it: a server has it open, or did not end in good order.
  static func isInUse(_ path: String) -> Bool {
    access(path + "-wal", F_OK) == 0 || access(path + "-shm", F_OK) == 0
  }

  func texts(_ sql: String) throws(TodoError) -> [String] {
    var texts: [String] = []
    try Statement(sql, on: handle, failure: failure).run([]) { row throws(TodoError) in
      texts.append(row.text(0))
      return true
    }
    return texts
  }

  /// The number in the first row; 0 where there is none.
  func number(_ sql: String) throws(TodoError) -> Int64 {
    var number: Int64 = 0
    try Statement(sql, on: handle, failure: failure).run([]) { row throws(TodoError) in
      number = row.integer(0)
      return false
    }
    return number
  }

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
