import System

/// Waits until a file is written to, by whatever process, and can be stopped meanwhile.
///
/// Where the system tells of writes (inotify), a file that nobody writes to wakes nobody.
final class FileWatch: Sendable {
  private let stopReader: CInt
  private let stopWriter: CInt
  /// Below zero: the system tells of nothing.
  private let events: CInt

  /// Nil when the system gives no pipe.
  init?(path: String) {
    var ends: [CInt] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (stopReader, stopWriter) = (ends[0], ends[1])
    #if canImport(Glibc)
      let descriptor = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
      if descriptor >= 0, inotify_add_watch(descriptor, path, UInt32(IN_MODIFY | IN_ATTRIB)) < 0 {
        close(descriptor)
        events = -1
      } else {
        events = descriptor
      }
    #else
      events = -1
    #endif
  }

  deinit {
    for descriptor in [stopReader, stopWriter, events] where descriptor >= 0 { close(descriptor) }
  }

  /// Ends every wait, now and later.
  func stop() {
    var byte: UInt8 = 0
    _ = write(stopWriter, &byte, 1)
  }

  /// What ended a wait.
  enum Event {
    case stopped, write, time
  }

  /// Waits for a write, for at most so long; nil: however long it takes. Where the system tells of
  /// nothing, it does not wait longer than `blindMilliseconds`.
  func wait(milliseconds: CInt?) -> Event {
    let timeout = events >= 0 ? milliseconds ?? -1 : min(milliseconds ?? .max, blindMilliseconds)
    let ready = poll(orReadable: events, withinMilliseconds: timeout)
    if ready.isStopped { return .stopped }
    guard ready.isReadable else { return .time }
    drainWrites()
    return .write
  }

  /// Waits whatever is written. False when stopped.
  func pause(milliseconds: CInt) -> Bool {
    !poll(orReadable: -1, withinMilliseconds: milliseconds).isStopped
  }

  private let blindMilliseconds: CInt = 100

  private func drainWrites() {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while read(events, &bytes, bytes.count) > 0 {}
  }

  private func poll(
    orReadable descriptor: CInt, withinMilliseconds timeout: CInt
  ) -> (isStopped: Bool, isReadable: Bool) {
    var polls = [
      pollfd(fd: stopReader, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    while systemPoll(&polls, nfds_t(polls.count), timeout) < 0 {
      guard errno == EINTR else { return (true, false) }
    }
    return (polls[0].revents != 0, polls[1].revents != 0)
  }
}

// Inside a type with a `poll` of its own, the system's needs another name.
private let systemPoll = poll
