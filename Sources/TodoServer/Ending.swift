import TodoWorkflows

/// The timeouts of a shutdown.
package enum ShutdownTimeouts {
  /// The grace period of requests in flight.
  package static let graceMilliseconds: Int64 = 1_500
  /// The time after the grace period in which the client may read the last responses.
  package static let flushMilliseconds = graceMilliseconds / 5
}

/// The state of the shutdown.
struct Ending {
  /// Whether the shutdown has started, so that input is ignored.
  var hasStarted = false
  fileprivate var hasGracePeriodStarted = false
  var hasGracePeriodEnded = false
  fileprivate var isReaderWatched = false
  fileprivate var isFlushTimeoutStarted = false
  fileprivate var exitCode: Int32?
  fileprivate var isDone = false
}

extension Loop where AdapterType: ~Copyable {
  /// Begins the shutdown after the end of the input, by the adapter's policy. With `.drain`,
  /// responses are written as long as the client reads them; with `.cancel`, the requests in flight
  /// have only the grace period.
  mutating func beginEnding() {
    guard !ending.hasStarted else { return }
    ending.hasStarted = true
    switch adapter.shutdownPolicy {
    case .cancel: startGracePeriod()
    case .drain:
      if !ending.isReaderWatched { effects.append(.watchReader) }
      ending.isReaderWatched = true
    }
  }

  /// Starts the grace period of requests in flight.
  mutating func startGracePeriod() {
    guard !ending.hasGracePeriodStarted else { return }
    ending.hasGracePeriodStarted = true
    effects.append(.startGracePeriod)
  }

  /// Handles `exit`: refuses queued requests, and begins the grace period of the requests in
  /// flight. The server exits when they have ended.
  mutating func exit(asked code: Int32) {
    ending.exitCode = ending.exitCode ?? code
    adapter.refuseQueued()
    ending.hasStarted = true
    startGracePeriod()
  }

  /// Begins the shutdown after a signal or the end of the parent process. Requests that change the
  /// store are completed; requests that wait for the network or a password check are cancelled.
  mutating func endNow() {
    adapter.refuseQueued()
    ending.hasStarted = true
    startGracePeriod()
    for token in adapter.cancellable { cancel(token) }
  }

  /// Cancels all requests in flight, also those that begin because others were cancelled.
  mutating func cancelAll() {
    while !adapter.inFlight.isEmpty {
      for token in adapter.inFlight { cancel(token) }
      settle()
      handleRequests()
    }
  }

  /// Exits, because no more output is possible or needed.
  mutating func exit(code: Int32) {
    guard !ending.isDone else { return }
    ending.isDone = true
    effects.append(.exit(code: code))
  }

  mutating func endIfDone() {
    guard ending.hasStarted else { return }
    if ending.hasGracePeriodEnded, !ending.isFlushTimeoutStarted {
      ending.isFlushTimeoutStarted = true
      effects.append(.startFlushTimeout)
    }
    guard adapter.inFlight.isEmpty, !adapter.hasQueuedRequests, !adapter.hasPendingOutput,
      adapter.isWritten
    else { return }
    exit(code: ending.exitCode ?? adapter.endExitCode)
  }
}
