import CSystem

/// Locks that the processes on one machine share, each identified by a number, in a lock file. The
/// system releases the locks of a process when the process ends.
package final class ByteLocks: Sendable {
  private let descriptor: CInt

  /// Opens or creates the lock file; `nil` if that fails.
  package init?(path: String) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Acquires a lock without waiting.
  ///
  /// - Returns: `false` if another process holds the lock. `true` also if the file system does not
  ///   support locks.
  package func tryLock(_ number: UInt32) -> Bool {
    // If the file system does not support locks, waiting would be pointless.
    lockByte(descriptor, off_t(number), 1) == 0 || ![EAGAIN, EACCES].contains(errno)
  }

  package func unlock(_ number: UInt32) { _ = lockByte(descriptor, off_t(number), 0) }
}
