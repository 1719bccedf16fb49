import System
import TodoModel

/// What other programs change in the same file.
extension Database {
  /// How often to look again after the last write: what was written is visible only when it is on
  /// disk, and other programs do not say when that is.
  private static let looksAfterWrite = 10

  /// Calls `onChange` after another connection has changed the file: at most 10 times a second, and
  /// at once for what was changed since it was opened or last watched. Returns when its task is
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

  private func report(_ watch: FileWatch, _ onChange: @Sendable () -> Void) {
    var quietLooks = 0
    repeat {
      if changedElsewhere() { onChange() }
      guard watch.pause() else { return }
      quietLooks = watch.takeWrites() ? 0 : quietLooks + 1
      if quietLooks >= Self.looksAfterWrite {
        guard watch.waitForWrite() else { return }
        quietLooks = 0
      }
    } while true
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
