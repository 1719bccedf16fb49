/// An output whose writes do not block, except to a terminal. The output stays blocking for other
/// processes, if possible.
///
/// The flag `O_NONBLOCK` of the open file description determines whether writes block. All
/// processes that have inherited the descriptor share this flag. Therefore, a pipe is opened again,
/// which creates a description with its own flag. Then nothing needs to be restored, even if this
/// process is killed. If the output cannot be opened again, the shared flag is set until `restore`
/// is called. The flag of a terminal is never set, because this would affect the shell.
package struct NonblockingOutput: Sendable {
  package enum Outcome {
    case written(Int)
    /// The buffer of the output is full, because the reader does not read.
    case full
    case readerIsGone
  }

  package let descriptor: Int32
  /// Whether this value has set `O_NONBLOCK` on an open file description that it shares with other
  /// processes.
  private let didSetFlag: Bool

  /// Creates an output for a shared descriptor; `nil` if the descriptor is closed.
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

  /// Opens a pipe again, so that the new descriptor has its own `O_NONBLOCK` flag. Returns `nil`
  /// if the descriptor is not a pipe, or if it cannot be opened again.
  private static func reopen(_ shared: Int32) -> Int32? {
    var status = stat()
    guard fstat(shared, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return nil }
    let own = open("/proc/self/fd/\(shared)", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    return own >= 0 ? own : nil
  }

  /// Clears the shared flag if this value has set it. No write may follow.
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

// Within a type that has a method `write`, the system's function needs another name.
private let systemWrite = write
