import Synchronization
import System
import TodoServer

/// Where other threads leave events for the loop; a byte in a pipe wakes its poll.
final class Mailbox: Sendable {
  private let events = Mutex<[Event]>([])
  /// To be polled for reading.
  let readDescriptor: Int32
  private let writeDescriptor: Int32

  /// Nil when the system gives no pipe.
  init?() {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    (readDescriptor, writeDescriptor) = (ends[0], ends[1])
  }

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
    _ = write(writeDescriptor, &byte, 1)
  }

  /// Takes what has been posted, in order.
  func takeAll() -> [Event] {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(readDescriptor, &bytes, bytes.count) == bytes.count {}
    return events.withLock { events in
      defer { events.removeAll(keepingCapacity: true) }
      return events
    }
  }

  /// The descriptor that a signal handler writes to.
  var signalDescriptor: Int32 { writeDescriptor }
}
