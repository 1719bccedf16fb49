import TodoWorkflows

/// The timeouts of a shutdown.
package enum ShutdownTimeouts {
  /// The grace period of requests in flight.
  package static let graceMilliseconds: Int64 = 1_500
  /// The time after the grace period in which the client may read the last responses.
  package static let flushMilliseconds = graceMilliseconds / 5
}

/// How far the end of the server has come.
struct Ending {
  /// Whether no more input is taken.
  var hasStarted = false
  fileprivate var isGracePeriodStarted = false
  var isGracePeriodOver = false
  fileprivate var isReaderWatched = false
  fileprivate var isFlushTimeoutStarted = false
  fileprivate var exitCode: Int32?
  fileprivate var isDone = false
}

extension Loop where AdapterType: ~Copyable {
  /// The front-end sends no more. A script is answered for as long as it reads, an editor that is
  /// gone only for a moment.
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

  /// From now on what is in flight has only a while left.
  mutating func startGracePeriod() {
    guard !ending.isGracePeriodStarted else { return }
    ending.isGracePeriodStarted = true
    effects.append(.startGracePeriod)
  }

  /// `exit`: ends as soon as what is in flight has ended. What has not begun does not begin.
  mutating func exit(asked code: Int32) {
    ending.exitCode = ending.exitCode ?? code
    adapter.refuseWaiting()
    ending.hasStarted = true
    startGracePeriod()
  }

  /// A signal asks for the end, or whom we belong to is gone. A change on its way to the store is
  /// finished; what waits for the network or for a password check is not.
  mutating func endNow() {
    adapter.refuseWaiting()
    ending.hasStarted = true
    startGracePeriod()
    for token in adapter.cancellable { cancel(token) }
  }

  /// Ends everything that has begun, and what can begin only after it, until nothing is left.
  mutating func cancelAll() {
    while !adapter.inFlight.isEmpty {
      for token in adapter.inFlight { cancel(token) }
      settle()
      handleRequests()
    }
  }

  /// Nobody can be told anything any more.
  mutating func exit(code: Int32) {
    guard !ending.isDone else { return }
    ending.isDone = true
    effects.append(.exit(code: code))
  }

  mutating func endIfDone() {
    guard ending.hasStarted else { return }
    if ending.isGracePeriodOver, !ending.isFlushTimeoutStarted {
      ending.isFlushTimeoutStarted = true
      effects.append(.startFlushTimeout)
    }
    guard adapter.inFlight.isEmpty, !adapter.hasWaiting, !adapter.hasPendingOutput,
      adapter.isWritten
    else { return }
    exit(code: ending.exitCode ?? adapter.endExitCode)
  }
}
