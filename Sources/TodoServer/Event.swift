import TodoModel
import TodoWorkflows
import WorkflowRuntime

/// An event that wakes the server. The loop has no other inputs.
package enum Event: Sendable {
  /// Bytes from the front-end, split at any position.
  case input([UInt8])
  /// The input has ended.
  case inputEnded
  /// A worker has an output, or has ended.
  case worker(WorkerOutput)
  /// Everything that was encoded has been written.
  case outputWritten
  /// The grace period of `startGracePeriod` has expired.
  case gracePeriodEnded
  /// The timeout of `startFlushTimeout` has expired: the client does not read any more.
  case flushTimeoutEnded
  /// The client has read no output for a minute. Reported only after `watchReader`.
  case readerStalled
  /// The timer of `startRenderTimer` has fired.
  case renderTimerFired
  /// The timer of `startAdapterTimer` has fired.
  case adapterTimerFired
  /// A signal has arrived, or the parent process has ended.
  case endRequested(EndReason)
}

/// The reason for a shutdown that the front-end has not requested.
package enum EndReason: String, Sendable {
  case terminated = "a signal was received"
  case parentGone = "the process that started it has ended"
}

/// A request of the loop to the code that runs it. Besides its output, the loop has no other
/// effects.
package enum Effect: Sendable {
  case start(WorkerTask)
  case stop(WorkerID)
  /// Report `endRequested(.parentGone)` when the process with this ID ends.
  case watch(processID: Int)
  /// Report `gracePeriodEnded` after 1.5 s.
  case startGracePeriod
  /// Report `flushTimeoutEnded` after 0.3 s.
  case startFlushTimeout
  /// From now on, report `readerStalled` when output is pending and the client reads nothing for a
  /// minute.
  case watchReader
  /// Report `renderTimerFired` after 50 ms.
  case startRenderTimer
  /// Report `adapterTimerFired` after 250 ms.
  case startAdapterTimer
  /// Record a change of the unsaved text of a form.
  case recordDraft(DraftChange, in: any DraftLog)
  case log(LogLevel, String)
  case exit(code: Int32)
}
