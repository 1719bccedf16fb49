import Synchronization
import System
import TodoServer

/// The queue in which other threads post events for the loop; a byte in a pipe wakes the `poll` of
/// the loop.
final class Mailbox: Sendable {
  private let events = Mutex<[Event]>([])
  private let pipe: Pipe

  /// Creates a mailbox; `nil` if the system provides no pipe.
  init?() {
    guard let pipe = Pipe() else { return nil }
    pipe.makeNonblocking()
    self.pipe = pipe
  }

  /// The descriptor to poll for reading.
  var readDescriptor: Int32 { pipe.reader }
  /// The descriptor that wakes the poll when a byte is written to it.
  var wakeDescriptor: Int32 { pipe.writer }

  func post(_ event: Event) {
    let wasEmpty = events.withLock { events in
      defer { events.append(event) }
      return events.isEmpty
    }
    if wasEmpty { wake() }
  }

  /// Wakes the poll. If the pipe is full, the poll is awake already.
  private func wake() {
    var byte: UInt8 = 0
    _ = write(wakeDescriptor, &byte, 1)
  }

  /// Removes and returns the posted events, in order.
  func drain() -> [Event] {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(readDescriptor, &bytes, bytes.count) == bytes.count {}
    return events.withLock { events in
      defer { events.removeAll(keepingCapacity: true) }
      return events
    }
  }
}

extension SystemLimit {
  /// The reason why a mailbox could not be created. It depends on `errno`, so it must be read
  /// directly after the failure.
  static var noPipe: String {
    SystemLimit(errno).map { "\($0.reason). \($0.remedy)" } ?? "the system gives no pipe"
  }
}
