import Synchronization
import System

/// A watch that waits until any process writes to a file. Another thread can stop the wait.
///
/// With inotify, an unchanged file causes no wakeups. But at the end of the process, the kernel
/// takes 5 to 25 ms to close an inotify descriptor that has a watch. Therefore, inotify is used
/// only after `startNotifications`, and the caller polls until then.
final class FileWatch: Sendable {
  private let stopReader: CInt
  private let stopWriter: CInt
  private let path: String
  /// The inotify descriptor; negative if inotify was not started or is not available.
  private let events = Atomic<CInt>(-1)

  /// Creates the watch; `nil` if a pipe cannot be created.
  init?(path: String) {
    var ends: [CInt] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (stopReader, stopWriter) = (ends[0], ends[1])
    self.path = path
  }

  /// Starts inotify, if it is available. From then on, `wait` returns `.write` after a change of
  /// the file or its attributes. Changes before this call are not reported.
  func startNotifications() {
    #if canImport(Glibc)
      let descriptor = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
      if descriptor >= 0, inotify_add_watch(descriptor, path, UInt32(IN_MODIFY | IN_ATTRIB)) < 0 {
        close(descriptor)
      } else {
        events.store(descriptor, ordering: .relaxed)
      }
    #endif
  }

  deinit {
    for descriptor in [stopReader, stopWriter, events.load(ordering: .relaxed)]
    where descriptor >= 0 { close(descriptor) }
  }

  /// Ends the current wait and all later ones.
  func stop() {
    var byte: UInt8 = 0
    _ = write(stopWriter, &byte, 1)
  }

  /// The reason why a wait ended.
  enum Event {
    case stopped, write, time
  }

  /// Waits for a write, for at most the given time. If the time is `nil`, there is no limit.
  /// Without inotify, every wait ends after at most `blindMilliseconds`.
  func wait(milliseconds: CInt?) -> Event {
    let events = events.load(ordering: .relaxed)
    let timeout = events >= 0 ? milliseconds ?? -1 : min(milliseconds ?? .max, blindMilliseconds)
    let ready = poll(orReadable: events, withinMilliseconds: timeout)
    if ready.isStopped { return .stopped }
    guard ready.isReadable else { return .time }
    drainWrites(from: events)
    return .write
  }

  /// Waits for the given time, regardless of writes.
  ///
  /// - Returns: `false` if the watch was stopped.
  func pause(milliseconds: CInt) -> Bool {
    !poll(orReadable: -1, withinMilliseconds: milliseconds).isStopped
  }

  private let blindMilliseconds: CInt = 100

  private func drainWrites(from events: CInt) {
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

// In a type with a method `poll`, the system's function needs another name.
private let systemPoll = poll
