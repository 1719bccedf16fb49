import System
import TodoModel

/// A database that cannot be used any more. It is moved to a dated name beside it, whole, so that
/// nothing is written over what may still be rescued.
struct DamagedFile {
  let path: String

  /// What belongs to a database, the database first: should this be interrupted, the next start
  /// finds the rest without it and sets that aside as well.
  private static let suffixes = ["", "-wal", "-shm"]

  /// Moves the file and its log, and says so in a sentence. Throws `storage`.
  func setAside(at now: Timestamp) throws(TodoError) -> String {
    let target = DatedName.free(path + ".damaged", at: now, suffixes: Self.suffixes)
    for suffix in Self.suffixes where rename(path + suffix, target + suffix) != 0 {
      let reason = errno
      guard reason == ENOENT else {
        throw .storage(
          "\(path) is damaged and cannot be set aside: \(systemReason(reason)). "
            + "Move it away, or choose another file with --store.")
      }
    }
    unlink(marker)
    return "\(path) was damaged. It was set aside as \(target), and an empty file was begun."
  }

  /// Whether there is a log whose database is gone or empty. SQLite would delete it.
  var isLogAlone: Bool {
    var log = stat()
    var file = stat()
    // The log first: a database that is made right now is written before its log is.
    guard stat(path + "-wal", &log) == 0, log.st_size > 0 else { return false }
    return stat(path, &file) != 0 || file.st_size == 0
  }

  /// Whether the file has something in it, and less than any database has.
  var isTooShort: Bool {
    var file = stat()
    return stat(path, &file) == 0 && (1..<DatabaseHeader.byteCount).contains(Int(file.st_size))
  }

  /// Whether the file begins like a database of ours. Any other is another program's and is not
  /// touched, whatever is wrong with it.
  func isTodoStore(_ applicationID: Int64) -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: DatabaseHeader.byteCount)
    guard pread(file, &bytes, bytes.count, 0) == bytes.count else { return false }
    return DatabaseHeader(bytes)?.applicationID == applicationID
  }

  // MARK: Damage that is found late

  static let markerEnd = ".damaged"
  private var marker: String { path + Self.markerEnd }

  var isMarked: Bool { access(marker, F_OK) == 0 }

  /// Remembers that a page was found to be damaged, so that the next start looks at all of them.
  func mark() {
    let file = open(marker, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if file >= 0 { close(file) }
  }

  func unmark() { unlink(marker) }
}

/// Names for what is kept beside a file.
enum DatedName {
  /// `prefix` with the time, and a number where that is taken.
  static func free(_ prefix: String, at now: Timestamp, suffixes: [String] = [""]) -> String {
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
