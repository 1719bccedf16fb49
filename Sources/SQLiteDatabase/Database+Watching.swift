import System
import TodoModel

/// What other programs change in the same file.
extension Database {
  /// Calls `onChange` after another connection has changed the file: at once, then at most 25 times
  /// a second; and for what was changed since it was opened or last watched. Returns when its task is
  /// cancelled, or at once where nobody else can change anything.
  package func watchChanges(_ onChange: @escaping @Sendable () -> Void) async {
    guard let path, let watch = FileWatch(path: path + "-wal") else { return }
    await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        BlockingThread.start {
          self.report(watch, onChange)
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
  private func report(_ watch: FileWatch, _ onChange: @Sendable () -> Void) {
    let clock = ContinuousClock()
    var lastReport: ContinuousClock.Instant?
    var lastWrite = clock.now
    var pause = Watching.pauseMillisecondsMin
    while true {
      if changedElsewhere() {
        if let last = lastReport {
          let rest =
            Watching.reportMilliseconds - Int(last.duration(to: clock.now) / .milliseconds(1))
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

  /// Whether another connection has changed the file since this was last asked, or since it was
  /// opened. A file that cannot be read any more counts as changed, once.
  private func changedElsewhere() -> Bool {
    let version = try? withWriter { connection throws(TodoError) in try connection.dataVersion }
    return seenVersion.withLock { seen in
      defer { seen = version }
      return version != seen
    }
  }
}

private enum Watching {
  /// The least time between two reports.
  static let reportMilliseconds = 40
  /// Between two looks at the file.
  static let pauseMillisecondsMin: CInt = 4
  static let pauseMillisecondsMax: CInt = 100
  /// How long after a write its commit is looked for.
  static let commitMax: Duration = .seconds(1)
}
