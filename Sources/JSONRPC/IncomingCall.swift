import System

/// A request or a notification from the other side.
public struct IncomingCall: Sendable {
  /// The address for the response to the call.
  public let address: ReplyAddress

  /// The name of the method.
  public let method: String
  /// The params: an array, an object or null; `nil` if the call has none. Read them with `Params`.
  public var params: RawJSON? { paramsBytes.map { RawJSON(checked: $0) } }

  /// The bytes of the params, a slice of the frame.
  let paramsBytes: ArraySlice<UInt8>?

  /// Returns the same call with a copy of its params, so that the frame can be released. Overwrites
  /// the original params in the frame, because they may contain a secret.
  func owned() -> IncomingCall {
    guard let paramsBytes else { return self }
    let own = Array(paramsBytes)[...]
    // The params may contain a secret. It must not remain in the frame after the copy is wiped.
    wipeParams()
    return IncomingCall(address: address, method: method, paramsBytes: own)
  }

  /// Overwrites the bytes of the params in place. This also changes the frame, if the params are a
  /// slice of it. The params must not be read again.
  package func wipeParams() {
    // Each call of a frame has its own range, which nothing else reads.
    paramsBytes?.withUnsafeBytes { wipe(UnsafeMutableRawBufferPointer(mutating: $0)) }
  }
}

/// The address for the response to a call: the id of the request and, if any, its batch. A
/// notification has an address too, but gets no response.
public struct ReplyAddress: Sendable, Hashable {
  /// The number of the call, unique within the connection.
  public let number: UInt64
  /// The id of the request; `nil` for a notification, or if the id could not be read.
  public let id: RequestID?

  let batch: Int?
  let expectsResponse: Bool
  /// The size of the call, in bytes, which counts towards the limits while the call is queued or in
  /// flight.
  var weight: Int
  /// Whether the host has called `setRetainedByteCount`. Only then does a notification count as a
  /// call in flight.
  var isRetained = false
  /// Whether the connection has recorded the id as in use by this call; `false` if an earlier
  /// request with the same id is unanswered.
  var ownsID: Bool

  /// Whether no response is expected.
  public var isNotification: Bool { !expectsResponse }
}

/// An event that results from received messages.
public enum Arrival: Sendable {
  /// A call to process. Answer it once, unless it is a notification.
  case call(IncomingCall)
  /// The other side has cancelled a call in flight. The host must still answer the call, usually
  /// with `RPCError.requestCancelled()`, or drop it.
  case cancelled(ReplyAddress)
  /// An early notice that a call of one of `ConnectionRules.controlMethods` was received. The call
  /// itself is delivered later, when its turn in the queue comes.
  case controlCallReceived(method: String)
  /// The response to a request that was sent with `JSONRPCConnection.request`.
  case response(Response)
  /// A response whose id matches no request.
  case unmatchedResponse
}
