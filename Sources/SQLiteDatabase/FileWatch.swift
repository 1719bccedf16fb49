import System

/// Waits until a file is written to, by whatever process, and can be stopped meanwhile.
///
/// Where the system tells of writes (inotify), a file that nobody writes to wakes nobody. Elsewhere
/// every pause counts as a write.
final class FileWatch: Sendable {
  /// The least time between two looks at the file.
  static let pauseMilliseconds: CInt = 100

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

  /// Waits for a write. False when stopped.
  func waitForWrite() -> Bool {
    guard events >= 0 else { return pause() }
    let isStopped = isStopped(orReadable: events, withinMilliseconds: -1)
    _ = takeWrites()
    return !isStopped
  }

  /// Waits for `pauseMilliseconds`. False when stopped.
  func pause() -> Bool {
    !isStopped(orReadable: -1, withinMilliseconds: Self.pauseMilliseconds)
  }

  /// Whether the file was written to since this was last asked, as far as the system tells.
  func takeWrites() -> Bool {
    guard events >= 0 else { return true }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    var hasWrites = false
    while read(events, &bytes, bytes.count) > 0 { hasWrites = true }
    return hasWrites
  }

  private func isStopped(
    orReadable descriptor: CInt, withinMilliseconds timeout: CInt
  ) -> Bool {
    var polls = [
      pollfd(fd: stopReader, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&polls, nfds_t(polls.count), timeout) < 0 {
      guard errno == EINTR else { return true }
    }
    return polls[0].revents != 0
  }
}
