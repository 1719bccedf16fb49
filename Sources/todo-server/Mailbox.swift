import Synchronization
import System
import TodoServer

/// Where other threads leave events for the loop; a byte in a pipe wakes its poll.
final class Mailbox: Sendable {
  private let events = Mutex<[Event]>([])
  private let pipe: Pipe

  /// Nil when the system gives no pipe.
  init?() {
    guard let pipe = Pipe() else { return nil }
    pipe.makeNonblocking()
    self.pipe = pipe
  }

  /// To be polled for reading.
  var readDescriptor: Int32 { pipe.reader }
  /// A byte that is written to it wakes the poll as well.
  var wakeDescriptor: Int32 { pipe.writer }

  func post(_ event: Event) {
    let wasEmpty = events.withLock { events in
      defer { events.append(event) }
      return events.isEmpty
    }
    if wasEmpty { wake() }
  }

  /// Wakes the poll. A full pipe wakes it as well.
  private func wake() {
    var byte: UInt8 = 0
    _ = write(wakeDescriptor, &byte, 1)
  }

  /// Takes what has been posted, in order.
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
  /// Why there is no mailbox, right after it could not be made.
  static var noPipe: String {
    SystemLimit(errno).map { "\($0.reason). \($0.remedy)" } ?? "the system gives no pipe"
  }
}
