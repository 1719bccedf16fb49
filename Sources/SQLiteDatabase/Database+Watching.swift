import Synchronization
import System
import TodoModel

/// What other programs change in the same file.
extension Database {
  /// Calls `onChange` after another connection has changed the file: at once, then at most 25 times
  /// a second; and for what was changed since it was opened or last watched. Returns when its task is
  /// cancelled, or at once where nobody else can change anything.
  package func watchChanges(_ onChange: @escaping @Sendable () -> Void) async {
    await watch(
      { () throws(TodoError) in try self.readVersion() }, since: seenVersion.withLock { $0 },
      reportMilliseconds: Watching.reportMilliseconds, onChange)
  }

  /// Calls `onChange` whenever a value has changed that is read from the file, whichever program has
  /// changed it: within milliseconds, and also if the changes follow each other. Returns when its task
  /// is cancelled, or immediately for a database in memory.
  ///
  /// - Parameters:
  ///   - value: Reads the value. If it cannot be read any more, that counts as one change.
  ///   - known: The value that the caller has read last; `nil` if it could not be read.
  ///   - reportMilliseconds: The least time between two calls.
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

  /// Returns a number that changes when another connection changes the file. The next watch begins with
  /// it.
  private func readVersion() throws(TodoError) -> Int64 {
    let version = try withWriter { connection throws(TodoError) in try connection.dataVersion }
    seenVersion.withLock { $0 = version }
    return version
  }

  /// Watches the file on a thread of its own.
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

  /// What is written can be seen only when it is committed. Our own servers touch the log then;
  /// other programs do not say when that is, so it is looked for, less and less often, for as long
  /// as a commit takes at most.
  ///
  /// - Parameter reportMilliseconds: The least time between two reports.
  private static func report(
    _ watch: FileWatch, _ reportMilliseconds: Int, _ hasChanged: () -> Bool,
    _ onChange: () -> Void
  ) {
    let clock = ContinuousClock()
    var lastReport: ContinuousClock.Instant?
    var lastWrite = clock.now
    var pause = Watching.pauseMillisecondsMin
    while true {
      if hasChanged() {
        if let last = lastReport {
          let rest = reportMilliseconds - Int(last.duration(to: clock.now) / .milliseconds(1))
          guard rest <= 0 || watch.pause(milliseconds: CInt(rest)) else { return }
        }
        lastReport = clock.now
        onChange()
      }
      // Our own changes are writes, too, and would wake this thread for each.
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
  /// The least time between two reports of changes by others.
  static let reportMilliseconds = 40
  /// Between two looks at the file.
  static let pauseMillisecondsMin: CInt = 4
  static let pauseMillisecondsMax: CInt = 100
  /// How long after a write its commit is looked for.
  static let commitMax: Duration = .seconds(1)
}
