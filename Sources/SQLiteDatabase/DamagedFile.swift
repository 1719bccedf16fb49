import System
import TodoModel

/// A damaged database. Its files are renamed, with the date in the new names, so that their data
/// can still be rescued.
struct DamagedFile {
  let path: String

  /// The suffixes of a database's files. The database itself is renamed first: if the renaming is
  /// interrupted, the next start finds the log without its database, and sets the log aside, too.
  private static let suffixes = ["", "-wal", "-shm"]

  /// Renames the database and the files beside it.
  ///
  /// - Returns: A message for the user.
  /// - Throws: `TodoError.storage`
  func setAside(at now: Timestamp) throws(TodoError) -> String {
    let target = DatedName.unusedName(path + ".damaged", at: now, suffixes: Self.suffixes)
    for suffix in Self.suffixes where rename(path + suffix, target + suffix) != 0 {
      let reason = errno
      guard reason == ENOENT else {
        throw .storage(
          "\(path) is damaged and cannot be set aside: \(systemReason(reason)). "
            + "Move it away, or choose another file with --store.")
      }
    }
    unlink(marker)
    return "\(path) was damaged. It was set aside as \(target), and a new, empty file was created."
  }

  /// Whether a log exists whose database is missing or empty. SQLite would delete such a log.
  var isLogAlone: Bool {
    var log = stat()
    var file = stat()
    // The log is checked first, because a new database is written before its log.
    guard stat(path + "-wal", &log) == 0, log.st_size > 0 else { return false }
    return stat(path, &file) != 0 || file.st_size == 0
  }

  /// Whether the file is shorter than any database, but not empty.
  var isTooShort: Bool {
    var file = stat()
    return stat(path, &file) == 0 && (1..<DatabaseHeader.byteCount).contains(Int(file.st_size))
  }

  /// Whether the header contains the application ID. If it does not, the file belongs to another
  /// program, and is not touched even if it is damaged.
  func isTodoStore(_ applicationID: Int64) -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: DatabaseHeader.byteCount)
    guard pread(file, &bytes, bytes.count, 0) == bytes.count else { return false }
    return DatabaseHeader(bytes)?.applicationID == applicationID
  }

  // MARK: Damage detected while in use

  static let markerEnd = ".damaged"
  private var marker: String { path + Self.markerEnd }

  var isMarked: Bool { access(marker, F_OK) == 0 }

  /// Creates a marker file after a damaged page was found. The marker makes the next start check
  /// all pages.
  func mark() {
    let file = open(marker, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if file >= 0 { close(file) }
  }

  func unmark() { unlink(marker) }
}

/// Names for files beside a database.
enum DatedName {
  /// Returns a name that consists of `prefix` and the time. If that name is already used, a number
  /// is appended.
  ///
  /// - Parameter suffixes: The suffixes of the files that will get the name. A name counts as used
  ///   if a file with the name and one of the suffixes exists.
  static func unusedName(_ prefix: String, at now: Timestamp, suffixes: [String] = [""]) -> String {
    let time = now.description.prefix(19).filter { $0 != ":" }
    let name = "\(prefix)-\(time)Z"
    var candidate = name
    var number = 1
    while suffixes.contains(where: { access(candidate + $0, F_OK) == 0 }) {
      number += 1
      candidate = "\(name)-\(number)"
    }
    return candidate
  }
}
