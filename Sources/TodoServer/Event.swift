import TodoModel
import TodoWorkflows
import WorkflowRuntime

/// Everything that can wake the server.
package enum Event: Sendable {
  /// Bytes of the front-end, cut anywhere.
  case input([UInt8])
  /// The front-end sends no more.
  case inputEnded
  /// A worker has something to say.
  case worker(WorkerOutput)
  /// Everything that was encoded has been written.
  case outputWritten
  /// The time is up that `startGracePeriod` began: what is in flight has had its while.
  case gracePeriodEnded
  /// The time is up that `startFlushTimeout` began: who has not read by now does not read.
  case flushTimeoutEnded
  /// Since `watchReader` no byte was taken for a minute.
  case readerStalled
  /// The time is up that `startRenderTimer` asked for.
  case renderTimerFired
  /// The time is up that `startAdapterTimer` asked for.
  case adapterTimerFired
  /// A signal, or the end of the process that we belong to, asks us to end.
  case endRequested(EndReason)
}

/// Why the server is to end, other than by the front-end's own word.
package enum EndReason: String, Sendable {
  case terminated = "a signal asked for it"
  case parentGone = "the process that started it has ended"
}

/// Everything that the server can ask for.
package enum Effect: Sendable {
  case start(WorkerTask)
  case stop(WorkerID)
  /// Tell `endRequested(.parentGone)` when this process ends.
  case watch(processID: Int)
  /// Tell `gracePeriodEnded` after a second and a half.
  case startGracePeriod
  /// Tell `flushTimeoutEnded` after three tenths of a second.
  case startFlushTimeout
  /// From now on tell `readerStalled` when something is to be written and for a minute nobody
  /// takes a byte of it.
  case watchReader
  /// Tell `renderTimerFired` after a twentieth of a second.
  case startRenderTimer
  /// Tell `adapterTimerFired` after a quarter of a second.
  case startAdapterTimer
  /// Record a change of the unsaved text of a form.
  case recordDraft(DraftChange, in: any DraftLog)
  case log(LogLevel, String)
  case exit(code: Int32)
}
