import System

/// The front-end's end of the conversation. Descriptor 1 itself leads to stderr from here on, so
/// that whatever prints by accident does not end up between frames.
struct Output {
  enum Outcome {
    case wrote(Int)
    /// The reader has to read first.
    case full
    case readerIsGone
  }

  let descriptor: Int32

  /// Nil when stdout is closed.
  init?() {
    descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else { return nil }
    dup2(STDERR_FILENO, STDOUT_FILENO)
    // A terminal is shared with the shell and stays as it is.
    if isatty(descriptor) == 0 {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
    while true {
      let count = systemWrite(descriptor, bytes.baseAddress, bytes.count)
      if count >= 0 { return .wrote(count) }
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
