import Synchronization
import System
import TodoModel

/// A log that writes the drafts of this process to a file beside the store.
///
/// A thread writes pending records at most once a second, and sleeps while there are none.
package final class FileDraftLog: DraftLog {
  /// The minimum time from the start of a write to the next write, after a successful write and
  /// after a failed one. It is measured from the start, so that a slow disk does not delay drafts
  /// further.
  private static let (interval, intervalAfterFailure): (Duration, Duration) = (
    .seconds(1), .seconds(5)
  )

  private let pending = Mutex(PendingDrafts())
  private let writer: Mutex<DraftWriter>
  private let wake = Semaphore()
  private let store: any DraftStore
  private let draftBytesMax: Int

  /// Creates a log without a file; the first draft creates the file.
  ///
  /// - Parameters:
  ///   - path: The path of the store; the draft file is created beside it.
  ///   - store: The store of the drafts of ended processes. When a new draft continues a stored
  ///     draft, the stored draft is deleted.
  ///   - draftBytesMax: The maximum length of a draft, in bytes.
  package init(
    beside path: String, store: any DraftStore, draftBytesMax: Int = DraftLimits.draftBytesMax
  ) {
    writer = Mutex(DraftWriter(beside: path, draftBytesMax: draftBytesMax))
    self.store = store
    self.draftBytesMax = draftBytesMax
  }

  @discardableResult
  package func record(_ text: UnsavedText, at time: Timestamp, isNext: Bool) -> String? {
    schedule { pending in
      pending.add(text, at: time, isNext: isNext)
      return pending.popWarning()
    }
  }

  package func end(_ id: TodoID, in list: TodoListKey) {
    let record = DraftRecord(base: EditBase(list: list, id: id, version: 0))
    let isReleasing = schedule { pending in
      pending.add(record)
      return pending.isReleasing
    }
    // The drafts of a file that will be released are kept.
    if !isReleasing { writer.withLock { $0.end(record) } }
  }

  package func release() { schedule { $0.release() } }

  package var isFlushed: Bool { pending.withLock { $0.isEmpty } }

  package func flush() { _ = writePending() }

  package func close() {
    pending.withLock { pending in
      pending.isClosed = true
      pending.release()
    }
    if !writePending() { writer.withLock { $0.release() } }
    wake.signal()
  }

  // MARK: Writing

  /// Changes the pending records, and makes the thread write them.
  private func schedule<Value: Sendable>(
    _ body: (inout PendingDrafts) -> sending Value
  ) -> Value {
    let (value, wasScheduled, hadThread) = pending.withLock { pending in
      defer { (pending.isScheduled, pending.hasThread) = (true, true) }
      return (body(&pending), pending.isScheduled, pending.hasThread)
    }
    if !hadThread, !DetachedThread.start({ [self] in run() }) {
      // The thread could not be started: blocking the caller is better than losing the text.
      pending.withLock { ($0.isScheduled, $0.hasThread) = (false, false) }
      _ = writePending()
    } else if !wasScheduled {
      wake.signal()
    }
    return value
  }

  private func run() {
    while true {
      wake.wait()
      repeat {
        if pending.withLock({ $0.isClosed }) { return }
        let begin = ContinuousClock.now
        let interval = writePending() ? Self.interval : Self.intervalAfterFailure
        let pause = begin + interval - .now
        if pause > .zero { usleep(UInt32(pause / .microseconds(1))) }
      } while pending.withLock({ $0.isScheduledAgain() })
    }
  }

  /// Writes the pending records.
  ///
  /// - Returns: `false` if the write failed; the records are then pending again.
  private func writePending() -> Bool {
    // These two locks are always acquired in this order.
    let continued = writer.withLock { writer -> [PendingDrafts.ContinuedDrafts]? in
      let work = pending.withLock { $0.popWork() }
      do throws(DraftFailure) {
        var unwritten: [DraftRecord] = []
        for records in work.released {
          unwritten += try writer.write(records)
          writer.release()
        }
        unwritten += try writer.write(work.records)
        if !unwritten.isEmpty { pending.withLock { $0.warn(tooLarge) } }
        let (written, waiting) = work.continuedDrafts(unwritten: unwritten)
        if !waiting.isEmpty { pending.withLock { $0.add(waiting) } }
        return written
      } catch {
        pending.withLock { pending in
          pending.restore(work)
          pending.warn(error.message)
        }
        return nil
      }
    }
    guard let continued else { return false }
    // If this fails, an import finds both drafts and keeps the one that continues the other.
    for drafts in continued { try? store.discardDrafts(drafts.numbers, in: drafts.base.list) }
    return true
  }

  private var tooLarge: String {
    "Unsaved text with more than \(draftBytesMax >> 20) MiB is not kept as a draft."
  }
}
