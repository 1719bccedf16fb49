import CSystem

/// A pipe that child processes do not inherit. Each of its ends is closed exactly once.
///
/// ```swift
/// guard let pipe = Pipe() else { return }
/// write(pipe.writer, bytes, bytes.count)
/// ```
package struct Pipe: ~Copyable {
  /// The descriptor of the read end.
  package let reader: Int32
  /// The descriptor of the write end; -1 after it was closed or released.
  package private(set) var writer: Int32

  /// Creates a pipe; `nil` if the system cannot create it.
  package init?() {
    var ends: [Int32] = [-1, -1]
    guard openPrivatePipe(&ends) == 0 else { return nil }
    (reader, writer) = (ends[0], ends[1])
  }

  deinit {
    close(reader)
    if writer >= 0 { close(writer) }
  }

  /// Closes the write end, so that the reader reaches the end of the data.
  package mutating func closeWriter() {
    let end = releaseWriter()
    if end >= 0 { close(end) }
  }

  /// Returns the write end, and leaves closing it to the caller.
  package mutating func releaseWriter() -> Int32 {
    defer { writer = -1 }
    return writer
  }

  /// Makes both ends non-blocking.
  package func makeNonblocking() {
    for end in [reader, writer] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }
}
