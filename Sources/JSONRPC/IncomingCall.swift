import System

/// Something that the other side asks for, with or without wanting an answer.
public struct IncomingCall: Sendable {
  /// Where the answer goes.
  public let address: ReplyAddress

  /// The name of what is asked for, as it came.
  public let method: String
  /// An array, an object or null; nil when there are none. Read them with `Params`.
  public var params: RawJSON? { paramsBytes.map { RawJSON(checked: $0) } }

  /// The bytes of the params, a slice of the frame.
  let paramsBytes: ArraySlice<UInt8>?

  /// The same call with bytes of its own, so that what it came with can go.
  func owned() -> IncomingCall {
    guard let paramsBytes else { return self }
    let own = Array(paramsBytes)[...]
    // They may be wiped one day, and then nothing of them is to be left elsewhere.
    wipeParams()
    return IncomingCall(address: address, method: method, paramsBytes: own)
  }

  /// Overwrites the params where they are, also in what they came with. They must not be read again.
  package func wipeParams() {
    // Each call of a frame has a range of its own, which nobody else reads.
    paramsBytes?.withUnsafeBytes { wipe(UnsafeMutableRawBufferPointer(mutating: $0)) }
  }
}

/// Where an answer goes: to an id, alone or in a batch; to nobody, where the call was a
/// notification.
public struct ReplyAddress: Sendable, Hashable {
  /// Which call of the conversation this is: no two have the same.
  public let number: UInt64
  /// The id of the request; nil for a notification, and where none could be read.
  public let id: RequestID?

  let batch: Int?
  let wantsAnswer: Bool
  /// The bytes for which the call counts in the queue and in flight.
  var weight: Int
  /// Whether it is a notification that counts as a call in flight.
  var isRetained = false
  /// Whether the id is in flight because of this call, and not of an earlier one with the same id.
  var holdsID: Bool

  /// Whether nobody waits for an answer.
  public var isNotification: Bool { !wantsAnswer }
}

/// What comes of what the other side has sent.
public enum Arrival: Sendable {
  /// To be carried out, and answered once unless it is a notification.
  case call(IncomingCall)
  /// The other side no longer waits for a call that was begun. It still has to be answered, as a
  /// rule with `RPCError.requestCancelled()`.
  case cancelled(ReplyAddress)
  /// A control method has come. The call itself comes in its turn.
  case noticed(method: String)
  /// The answer to a request of ours.
  case response(Response)
  /// An answer to nothing that was asked.
  case strayResponse
}
