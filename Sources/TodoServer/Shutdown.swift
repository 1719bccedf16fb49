import TodoWorkflows

/// The timeouts of the shutdown.
package enum ShutdownTimeouts {
  /// The grace period for requests in flight, in milliseconds.
  package static let graceMilliseconds: Int64 = 1_500
  /// The time that the client has to read the last responses after the end of the grace period, in
  /// milliseconds.
  package static let flushMilliseconds = graceMilliseconds / 5
}

/// The state of the shutdown.
struct ShutdownState {
  /// Whether the shutdown has started. All further input is then ignored.
  var hasStarted = false
  fileprivate var hasGracePeriodStarted = false
  var hasGracePeriodEnded = false
  fileprivate var isReaderWatched = false
  fileprivate var isFlushTimeoutStarted = false
  fileprivate var exitCode: Int32?
  fileprivate var isDone = false
}

extension Loop where AdapterType: ~Copyable {
  /// Begins the shutdown after the end of the input, according to the adapter's policy. With
  /// `.drain`, requests continue as long as the client reads the responses. With `.cancel`,
  /// requests must end within the grace period.
  mutating func beginEnding() {
    guard !shutdown.hasStarted else { return }
    shutdown.hasStarted = true
    switch adapter.shutdownPolicy {
    case .cancel: startGracePeriod()
    case .drain:
      if !shutdown.isReaderWatched { effects.append(.watchReader) }
      shutdown.isReaderWatched = true
    }
  }

  /// Starts the grace period for requests in flight.
  mutating func startGracePeriod() {
    guard !shutdown.hasGracePeriodStarted else { return }
    shutdown.hasGracePeriodStarted = true
    effects.append(.startGracePeriod)
  }

  /// Handles the request to exit: rejects queued requests, and starts the grace period for requests
  /// in flight. The server exits when the requests in flight have ended.
  mutating func exit(asked code: Int32) {
    shutdown.exitCode = shutdown.exitCode ?? code
    adapter.refuseQueued()
    shutdown.hasStarted = true
    startGracePeriod()
  }

  /// Begins the shutdown after a signal or the end of the parent process. Requests that change the
  /// store are completed. Requests that wait for the network or a password check are cancelled.
  mutating func endNow() {
    adapter.refuseQueued()
    shutdown.hasStarted = true
    startGracePeriod()
    cancel(adapter.cancellable)
  }

  /// Cancels all requests in flight. A cancellation can allow queued requests to start. Therefore,
  /// the cancellation is repeated until no request is in flight.
  mutating func cancelAll() {
    while !adapter.inFlight.isEmpty {
      cancel(adapter.inFlight)
      settle()
      handleRequests()
    }
  }

  /// Exits, because no more output can or must be written.
  mutating func exit(code: Int32) {
    guard !shutdown.isDone else { return }
    shutdown.isDone = true
    effects.append(.exit(code: code))
  }

  mutating func endIfDone() {
    guard shutdown.hasStarted else { return }
    if shutdown.hasGracePeriodEnded, !shutdown.isFlushTimeoutStarted {
      shutdown.isFlushTimeoutStarted = true
      effects.append(.startFlushTimeout)
    }
    guard adapter.inFlight.isEmpty, !adapter.hasQueuedRequests, !adapter.hasPendingOutput,
      adapter.isWritten
    else { return }
    exit(code: shutdown.exitCode ?? adapter.endExitCode)
  }
}
