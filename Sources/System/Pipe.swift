import CSystem

/// A pipe that no child inherits; each end is closed once.
///
/// ```swift
/// guard let pipe = Pipe() else { return }
/// write(pipe.writer, bytes, bytes.count)
/// ```
package struct Pipe: ~Copyable {
  /// The end to read from.
  package let reader: Int32
  /// The end to write to; -1 once it is closed or somebody else's.
  package private(set) var writer: Int32

  /// Nil when the system gives no pipe.
  package init?() {
    var ends: [Int32] = [-1, -1]
    guard openPrivatePipe(&ends) == 0 else { return nil }
    (reader, writer) = (ends[0], ends[1])
  }

  deinit {
    close(reader)
    if writer >= 0 { close(writer) }
  }

  /// Lets the reader see the end of what was written.
  package mutating func closeWriter() {
    let end = releaseWriter()
    if end >= 0 { close(end) }
  }

  /// Gives away the end to write to, which the caller closes.
  package mutating func releaseWriter() -> Int32 {
    defer { writer = -1 }
    return writer
  }

  /// Has neither end ever wait.
  package func makeNonblocking() {
    for end in [reader, writer] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }
}
