import CSystem

/// Locks that the programs on one machine share, each by a number, in a file of their own. The system
/// gives back what a program holds when it ends.
package final class ByteLocks: Sendable {
  private let descriptor: CInt

  /// Nil where the file can be neither opened nor made.
  package init?(path: String) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// False: somebody else holds it.
  package func tryLock(_ number: UInt32) -> Bool {
    // Where the file system has no locks, nobody can wait for one.
    lockByte(descriptor, off_t(number), 1) == 0 || ![EAGAIN, EACCES].contains(errno)
  }

  package func unlock(_ number: UInt32) { _ = lockByte(descriptor, off_t(number), 0) }
}
