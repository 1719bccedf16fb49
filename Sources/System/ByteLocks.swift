import CSystem

/// Locks shared by the processes on one machine, each identified by a number, in a lock file. The
/// system releases the locks of a process when it ends.
package final class ByteLocks: Sendable {
  private let descriptor: CInt

  /// `nil` if the file cannot be opened or created.
  package init?(path: String) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Acquires a lock without waiting.
  ///
  /// - Returns: `false` if it is held elsewhere. `true` if the file system has no locks.
  package func tryLock(_ number: UInt32) -> Bool {
    // If the file system has no locks, waiting would be pointless.
    lockByte(descriptor, off_t(number), 1) == 0 || ![EAGAIN, EACCES].contains(errno)
  }

  package func unlock(_ number: UInt32) { _ = lockByte(descriptor, off_t(number), 0) }
}
