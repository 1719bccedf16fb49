import System
import TodoModel

/// The draft file of this process. It is locked until it is closed or the process ends; child
/// processes do not inherit the lock. Not thread-safe.
final class DraftFile {
  let path: String
  private let descriptor: CInt
  /// The number of bytes up to the end of the last complete record.
  private(set) var byteCount: Int

  /// Creates a file beside a store, and appends the given records.
  init(beside store: String, _ lines: [[UInt8]]) throws(DraftFailure) {
    (path, descriptor) = try Self.makeLocked(beside: store)
    byteCount = 0
    do throws(DraftFailure) {
      try append([DraftLines.header] + lines)
    } catch {
      unlink(path)
      throw error
    }
    DraftFolder.sync(of: path)
  }

  deinit {
    // A child process that has been forked may have a copy of the descriptor until its `exec`.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Appends records. After a failure, the next call overwrites the incomplete records.
  ///
  /// - Parameter isDurable: Whether to wait until the records are on disk. Otherwise, they survive
  ///   the end of the process, but may be lost in a crash of the system.
  func append(_ lines: [[UInt8]], isDurable: Bool = true) throws(DraftFailure) {
    let bytes = Array(lines.joined())
    var count = 0
    while count < bytes.count {
      let written = bytes[count...].withUnsafeBytes {
        pwrite(descriptor, $0.baseAddress, $0.count, off_t(byteCount + count))
      }
      if written > 0 {
        count += written
      } else if written == 0 || errno != EINTR {
        throw DraftFailure(path)
      }
    }
    guard !isDurable || fsync(descriptor) == 0 else { throw DraftFailure(path) }
    byteCount += bytes.count
  }

  /// Removes all records.
  func removeRecords() throws(DraftFailure) {
    let count = DraftLines.header.count
    guard ftruncate(descriptor, off_t(count)) == 0, fsync(descriptor) == 0 else {
      throw DraftFailure(path)
    }
    byteCount = count
  }

  func remove() { unlink(path) }

  private static func makeLocked(
    beside store: String
  ) throws(DraftFailure) -> (path: String, descriptor: CInt) {
    for _ in 0..<attemptsMax {
      let path = DraftFolder.newPath(beside: store)
      let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else { throw DraftFailure(path) }
      let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0
      let failure = DraftFailure(path)
      // An import may have deleted the file before it was locked, because the file looked like that
      // of an ended process.
      var status = stat()
      if isLocked, fstat(descriptor, &status) == 0, status.st_nlink > 0 {
        return (path, descriptor)
      }
      if !isLocked { unlink(path) }
      close(descriptor)
      if !isLocked, failure.error != EWOULDBLOCK { throw failure }
    }
    throw DraftFailure(store, EAGAIN)
  }

  private static let attemptsMax = 10
}

/// The error of a failed write to a draft file.
struct DraftFailure: Error, Equatable {
  let path: String
  /// The `errno` of the failed system call.
  let error: CInt

  /// Creates an error with the current `errno`.
  init(_ path: String) { self.init(path, errno) }

  init(_ path: String, _ error: CInt) { (self.path, self.error) = (path, error) }

  /// The warning for the log.
  var message: String {
    let reason = SystemLimit(error).map { "\($0.reason). \($0.remedy)" }
    return "Unsaved text is not kept in \(path): \(reason ?? "\(systemReason(error)).")"
  }
}
