import TodoModel
import TodoWorkflows
import WorkflowRuntime

/// An event that the loop handles. The loop has no other inputs.
package enum Event: Sendable {
  /// Bytes from the client. A message can be split between two events at any byte.
  case input([UInt8])
  /// The input has ended.
  case inputEnded
  /// A worker has an output, or has ended.
  case worker(WorkerOutput)
  /// All encoded output has been written.
  case outputWritten
  /// The grace period of `startGracePeriod` is over.
  case gracePeriodEnded
  /// The timeout of `startFlushTimeout` is over, and the client has not read all output.
  case flushTimeoutEnded
  /// The client has read no output for one minute. Only reported after the effect `watchReader`.
  case readerStalled
  /// The timer of `startRenderTimer` has fired.
  case renderTimerFired
  /// The timer of `startAdapterTimer` has fired.
  case adapterTimerFired
  /// The server has received a signal, or its parent process has ended.
  case endRequested(EndReason)
  /// A side effect has failed, and the user must know it. The front screen shows the text until the
  /// user's next action.
  case notice(String)
}

/// The reason for a shutdown that the client has not requested.
package enum EndReason: String, Sendable {
  case terminated = "a signal was received"
  case parentGone = "the process that started it has ended"
}

/// A side effect that the loop requests, and that the caller of the loop performs. The loop has no
/// other side effects, except for its output.
package enum Effect: Sendable {
  case start(WorkerTask)
  case stop(WorkerID)
  /// Report `endRequested(.parentGone)` when the process with this ID has ended.
  case watch(processID: Int)
  /// Report `gracePeriodEnded` after 1.5 s.
  case startGracePeriod
  /// Report `flushTimeoutEnded` after 0.3 s.
  case startFlushTimeout
  /// From now on, report `readerStalled` if output is pending, and the client reads nothing for one
  /// minute.
  case watchReader
  /// Report `renderTimerFired` after 50 ms.
  case startRenderTimer
  /// Report `adapterTimerFired` after 250 ms.
  case startAdapterTimer
  /// Perform a change in the draft log.
  case recordDraft(DraftChange, in: any DraftLog)
  case log(LogLevel, String)
  case exit(code: Int32)
}
