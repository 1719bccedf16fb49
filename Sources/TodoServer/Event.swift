import WorkflowRuntime

/// Everything that can wake the server.
package enum Event: Sendable {
  /// Bytes of the front-end, cut anywhere.
  case input([UInt8])
  /// The front-end sends no more.
  case inputEnded
  /// A worker has something to say.
  case worker(WorkerOutput)
  /// Everything that was in the outbox has been written.
  case outputWritten
  /// The time is up that was given to what is in flight when the input ended.
  case graceEnded
  /// The time is up that `startRenderTimer` asked for.
  case renderTimerFired
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
  /// Tell `graceEnded` after a while.
  case startGrace
  /// Tell `renderTimerFired` after a twentieth of a second.
  case startRenderTimer
  case log(LogLevel, String)
  case exit(code: Int32)
}

package enum LogLevel: String, Sendable, CaseIterable, Comparable {
  case debug, info, warning, error, off

  package static func < (a: LogLevel, b: LogLevel) -> Bool { a.rank < b.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
