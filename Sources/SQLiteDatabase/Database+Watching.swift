import Synchronization
import System
import TodoModel

/// Detection of changes by other programs.
extension Database {
  /// Calls `onChange` after another connection has changed the file: immediately after the first
  /// change, and then at most 25 times a second. Changes since the file was opened or last watched
  /// are also reported. Returns when the task is cancelled; for a database in memory, immediately.
  package func watchChanges(_ onChange: @escaping @Sendable () -> Void) async {
    await watch(
      { () throws(TodoError) in try self.readVersion() }, since: seenVersion.withLock { $0 },
      reportMilliseconds: Watching.reportMilliseconds, onChange)
  }

  /// Calls `onChange` when a value that is read from the file has changed, whichever program
  /// changed it. The call follows within milliseconds, even during a series of changes, unless
  /// `reportMilliseconds` delays it. Returns when the task is cancelled; for a database in memory,
  /// immediately.
  ///
  /// - Parameters:
  ///   - value: Reads the value. Consecutive errors count as one change.
  ///   - known: The value that the caller read last; `nil` if the caller could not read it.
  ///   - reportMilliseconds: The minimum time between two calls.
  package func watch<Value: Equatable & Sendable>(
    _ value: @escaping @Sendable () throws(TodoError) -> Value, since known: Value?,
    reportMilliseconds: Int = 0, _ onChange: @escaping @Sendable () -> Void
  ) async {
    let seen = Mutex(known)
    await watchFile(
      reportMilliseconds: reportMilliseconds,
      {
        let now = try? value()
        return seen.withLock { seen in
          defer { seen = now }
          return now != seen
        }
      }, onChange)
  }

  /// Returns and records the data version, which changes when another connection changes the file.
  /// The next watch compares with the recorded version.
  private func readVersion() throws(TodoError) -> Int64 {
    let version = try withWriter { connection throws(TodoError) in try connection.dataVersion }
    seenVersion.withLock { $0 = version }
    return version
  }

  /// Watches the file on a separate thread.
  private func watchFile(
    reportMilliseconds: Int, _ hasChanged: @escaping @Sendable () -> Bool,
    _ onChange: @escaping @Sendable () -> Void
  ) async {
    guard let path, let watch = FileWatch(path: path + "-wal") else { return }
    await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        BlockingThread.start {
          Self.report(watch, reportMilliseconds, hasChanged, onChange)
          continuation.resume()
        }
      }
    } onCancel: {
      watch.stop()
    }
  }

  /// Reports changes until the watch is stopped.
  ///
  /// A write is visible only after its commit. After a commit, other instances of this server
  /// update the time of the log file. Other programs do not, so the file is polled after a write,
  /// with increasing intervals, for the maximum duration of a commit.
  ///
  /// inotify is started only after the first series of polls. A process that ends before then does
  /// not have to wait until inotify is closed (see `FileWatch`).
  ///
  /// - Parameter reportMilliseconds: The minimum time between two reports.
  private static func report(
    _ watch: FileWatch, _ reportMilliseconds: Int, _ hasChanged: () -> Bool,
    _ onChange: () -> Void
  ) {
    let clock = ContinuousClock()
    var lastReport: ContinuousClock.Instant?
    var lastWrite = clock.now
    var pause = Watching.pauseMillisecondsMin
    var hasNotifications = false
    while true {
      if !hasNotifications, pause == Watching.pauseMillisecondsMax {
        watch.startNotifications()
        hasNotifications = true
      }
      if hasChanged() {
        if let last = lastReport {
          let rest = reportMilliseconds - Int(last.duration(to: clock.now) / .milliseconds(1))
          guard rest <= 0 || watch.pause(milliseconds: CInt(rest)) else { return }
        }
        lastReport = clock.now
        onChange()
      }
      // The pause also covers this process's own writes, each of which would otherwise wake the
      // thread.
      guard watch.pause(milliseconds: Watching.pauseMillisecondsMin) else { return }
      let isQuiet = lastWrite.duration(to: clock.now) > Watching.commitMax
      switch watch.wait(milliseconds: isQuiet ? nil : pause) {
      case .stopped: return
      case .write:
        lastWrite = clock.now
        pause = Watching.pauseMillisecondsMin
      case .time: pause = min(pause * 2, Watching.pauseMillisecondsMax)
      }
    }
  }
}

private enum Watching {
  /// The minimum time between two reports of changes by other connections.
  static let reportMilliseconds = 40
  /// The minimum time between two polls.
  static let pauseMillisecondsMin: CInt = 4
  /// The maximum time between two polls.
  static let pauseMillisecondsMax: CInt = 100
  /// The longest expected time between a write and its commit.
  static let commitMax: Duration = .seconds(1)
}
