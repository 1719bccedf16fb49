/// An output that is written to without ever waiting, and that others who share it find as it was.
///
/// Whether a write waits is a flag of what the system calls an open file description, which all who
/// inherited a descriptor share. A pipe is opened anew where that can be done, so that the flag is
/// ours alone, even when a signal ends us without a word. Elsewhere the flag is set for all, and
/// taken back by `restore`. A terminal, which the shell needs as it is, is left alone.
package struct NonblockingOutput: Sendable {
  package enum Outcome {
    case written(Int)
    /// The reader has to read first.
    case full
    case readerIsGone
  }

  package let descriptor: Int32
  /// Whether others find a flag set that was not.
  private let isFlagOurs: Bool

  /// Nil when the descriptor is closed.
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

  /// A description of our own of the same pipe; nil for what is no pipe, and where the system or a
  /// right does not allow it.
  private static func reopen(_ shared: Int32) -> Int32? {
    var status = stat()
    guard fstat(shared, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return nil }
    let own = open("/proc/self/fd/\(shared)", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    return own >= 0 ? own : nil
  }

  /// Leaves the shared descriptor as it was found. Nothing may be written after that.
  package func restore() {
    guard isFlagOurs else { return }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
  }

  /// Writes as much as is taken at once.
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

// Inside a type with a `write` of its own, the system's needs another name.
private let systemWrite = write
