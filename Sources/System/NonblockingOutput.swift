/// An output with non-blocking writes that does not change the output for the other processes that
/// share it.
///
/// Whether a write blocks is a flag of the open file description, which all processes that
/// inherited a descriptor share. If possible, a pipe is therefore opened again: then the flag is
/// not shared, and nothing needs to be restored if this process is killed. Otherwise the flag is
/// set for all processes until `restore`. A terminal is not changed, because the shell would be
/// affected.
package struct NonblockingOutput: Sendable {
  package enum Outcome {
    case written(Int)
    /// The buffer is full. The reader must read first.
    case full
    case readerIsGone
  }

  package let descriptor: Int32
  /// Whether this value has set the shared flag.
  private let didSetFlag: Bool

  /// Creates a non-blocking output that writes to a shared descriptor; `nil` if the descriptor is
  /// closed.
  package init?(sharing shared: Int32) {
    if let own = Self.reopen(shared) {
      (descriptor, didSetFlag) = (own, false)
      return
    }
    descriptor = fcntl(shared, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else { return nil }
    let flags = fcntl(descriptor, F_GETFL)
    didSetFlag = flags >= 0 && flags & O_NONBLOCK == 0 && isatty(descriptor) == 0
    if didSetFlag { _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
  }

  /// Opens the same pipe again, with a new file description; `nil` if it is not a pipe, or if the
  /// system or the permissions do not allow it.
  private static func reopen(_ shared: Int32) -> Int32? {
    var status = stat()
    guard fstat(shared, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return nil }
    let own = open("/proc/self/fd/\(shared)", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    return own >= 0 ? own : nil
  }

  /// Restores the flag of the shared descriptor. Nothing may be written afterwards.
  package func restore() {
    guard didSetFlag else { return }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
  }

  /// Writes as many bytes as possible without blocking.
  package func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
    while true {
      let count = systemWrite(descriptor, bytes.baseAddress, bytes.count)
      if count >= 0 { return .written(count) }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .full
      default: return .readerIsGone
      }
    }
  }
}

// In a type with a method `write`, the system's function needs another name.
private let systemWrite = write
