import JSONRPC

/// How much a front-end may ask for at once.
package struct ServerLimits: Sendable, Equatable {
  package var frame = FrameLimits.standard
  package var message = MessageLimits.standard
  /// Requests that may be in flight before reading pauses.
  package var requestsInFlightMax = 1_024

  package init() {}
}
