import CSystem
import Synchronization

/// Provides the user's time zone, and waits until a time of the wall clock.
package enum WallClock {
  /// Returns the offset of the local time from UTC at a given time, in seconds; positive if the
  /// local time is ahead of UTC.
  ///
  /// - Parameter seconds: The time, in seconds since 1970-01-01T00:00:00Z.
  package static func utcOffset(at seconds: Int64) -> Int {
    var time = time_t(seconds)
    var parts = tm()
    return localtime_r(&time, &parts) == nil ? 0 : parts.tm_gmtoff
  }

  /// Reads the time zone again, from `TZ` or from the system. `utcOffset` uses a cached time zone.
  package static func readTimeZone() { tzset() }

  /// Waits until the given time, or slightly longer. Returns earlier if the clock is set during the
  /// wait. Returns after at most a minute if the system has no timer for this clock. Returns
  /// immediately if the task is cancelled, or if the process has no file descriptors left.
  ///
  /// In contrast to a timeout, the wait includes the time for which the system is suspended. The
  /// wait blocks a separate thread, not the caller's.
  package static func wait(untilMilliseconds end: Int64) async {
    guard let pipe = Pipe() else { return }
    let wait = TimeWait(pipe: pipe)
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        BlockingThread.start {
          wait.block(untilMilliseconds: end)
          continuation.resume()
        }
      }
    } onCancel: {
      wait.stop()
    }
  }
}

/// A wait that another thread can end.
private final class TimeWait: Sendable {
  private let pipe: Pipe

  /// The maximum duration of a wait, on systems without timers for the wall clock.
  private static let blindMilliseconds: Int64 = 60_000

  init(pipe: consuming Pipe) { self.pipe = pipe }

  func stop() {
    var byte: UInt8 = 0
    _ = write(pipe.writer, &byte, 1)
  }

  func block(untilMilliseconds end: Int64) {
    let timer = openClockTimer(end)
    defer { if timer >= 0 { close(timer) } }
    var polls = [
      pollfd(fd: pipe.reader, events: Int16(POLLIN), revents: 0),
      pollfd(fd: timer, events: Int16(POLLIN), revents: 0),
    ]
    var timeout: Int32 = -1
    if timer < 0 {
      var now = timespec()
      clock_gettime(CLOCK_REALTIME, &now)
      let left = end - Int64(now.tv_sec) * 1_000 - Int64(now.tv_nsec) / 1_000_000
      timeout = Int32(min(max(left + 1, 0), Self.blindMilliseconds))
    }
    while poll(&polls, nfds_t(polls.count), timeout) < 0, errno == EINTR {}
  }
}
