import CSystem

/// Locks that the processes on a machine share through a lock file. Each lock has a number. The
/// system releases the locks of a process when the process ends.
package final class ByteLocks: Sendable {
  private let descriptor: CInt

  /// Opens the lock file, or creates it if it does not exist; `nil` if that fails.
  package init?(path: String) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Acquires a lock without waiting for it.
  ///
  /// - Returns: `false` if another process has the lock. If the file system does not support locks,
  ///   returns `true`.
  package func tryLock(_ number: UInt32) -> Bool {
    // If the result were `false` without support for locks, callers would wait forever.
    lockByte(descriptor, off_t(number), 1) == 0 || ![EAGAIN, EACCES].contains(errno)
  }

  package func unlock(_ number: UInt32) { _ = lockByte(descriptor, off_t(number), 0) }
}
