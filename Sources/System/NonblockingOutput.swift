/// An output for non-blocking writes, which other processes that share it find unchanged.
///
/// Whether a write blocks is a flag of the open file description, which all processes that
/// inherited a descriptor share. If possible, a pipe is reopened, so that the flag is not shared
/// and a kill leaves nothing to restore. Otherwise the flag is set for all, and `restore` restores
/// it. A terminal is not changed, because the shell needs it as it is.
package struct NonblockingOutput: Sendable {
  package enum Outcome {
    case written(Int)
    /// The reader must read before more bytes can be written.
    case full
    case readerIsGone
  }

  package let descriptor: Int32
  /// Whether this value has set the shared flag.
  private let isFlagOurs: Bool

  /// Prepares an output for non-blocking writes; `nil` if the descriptor is closed.
  package init?(sharing shared: Int32) {
    if let own = Self.reopen(shared) {
      (descriptor, isFlagOurs) = (own, false)
      return
    }
    descriptor = fcntl(shared, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else { return nil }
    let flags = fcntl(descriptor, F_GETFL)
    isFlagOurs = flags >= 0 && flags & O_NONBLOCK == 0 && isatty(descriptor) == 0
    if isFlagOurs { _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
  }

  /// Opens the same pipe with a new file description; `nil` if it is not a pipe, or the system or
  /// the permissions do not allow it.
  private static func reopen(_ shared: Int32) -> Int32? {
    var status = stat()
    guard fstat(shared, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return nil }
    let own = open("/proc/self/fd/\(shared)", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    return own >= 0 ? own : nil
  }

  /// Restores the shared descriptor. No writes are allowed afterwards.
  package func restore() {
    guard isFlagOurs else { return }
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

// A type with a method `write` needs another name for the system's function.
private let systemWrite = write
