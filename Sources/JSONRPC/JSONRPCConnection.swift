/// One side of a JSON-RPC 2.0 connection, which turns received bytes into calls, and responses into
/// bytes to write.
///
/// The host is the program that uses the connection. It reads and writes the bytes, and it decides
/// what a response contains and how it is encoded. The connection does no I/O, starts no thread and
/// never blocks. It tracks the ids in flight, joins the responses to a batch, handles cancellation,
/// reports when the host should stop reading, and returns no more calls while too many are in
/// flight.
///
/// ```swift
/// var connection = JSONRPCConnection<JSON>()
/// connection.receive(bytes)
/// while let arrival = connection.next() {
///   guard case .call(let call) = arrival else { continue }
///   connection.answer(call.address, ["echo": .string(call.method)])
/// }
/// connection.encode { answer, id, writer in writer.response(id: id, result: answer) }
/// let count = connection.withPendingBytes { write(output, $0.baseAddress, $0.count) }
/// connection.didWrite(max(0, count))
/// ```
///
/// An id is in flight from its receipt until its response is encoded. A request that reuses an id
/// in flight is answered with `invalidRequest`. Calls may be answered in any order, each once.
///
/// Queued messages, calls in flight and output that is not yet written are limited in bytes; see
/// `ConnectionLimits`.
public struct JSONRPCConnection<Answer>: ~Copyable {
  @usableFromInline var core: ConnectionCore
  /// The answers that are not encoded yet; `nil` for a free slot.
  @usableFromInline var answers: [Answer?] = []
  @usableFromInline var freeSlots: [Int] = []

  /// Creates a connection that has neither received nor sent anything.
  ///
  /// - Parameter framing: the framing of both sides, if the protocol fixes it; `nil` to detect it
  ///   from the first byte received that is not whitespace.
  public init(
    rules: ConnectionRules = .standard, limits: ConnectionLimits = .standard,
    framing: Framing? = nil
  ) {
    core = ConnectionCore(rules: rules, limits: limits, framing: framing)
  }

  /// The limits that the connection was created with.
  public var limits: ConnectionLimits { core.limits }

  /// The framing of the other side's messages: the one specified at creation, or the one detected
  /// from the first byte received that is not whitespace; `nil` before detection.
  public var framing: Framing? { core.framing }

  /// Whether the host should read more input now. `false` while too many bytes are queued, and
  /// after the end of the input.
  public var wantsInput: Bool { core.wantsInput }

  /// Whether no more messages will arrive: the input has ended or is unreadable.
  public var isInputEnded: Bool { core.isInputEnded }

  /// The error that made the input unreadable; `nil` if the input is readable.
  public var inputProblem: RPCError? { core.inputProblem }

  /// Whether messages are queued that `next` has not returned.
  public var hasQueuedMessages: Bool { core.hasQueuedMessages }

  // MARK: In

  /// Parses received bytes, which may be split anywhere, and queues their messages. Cancellations
  /// are applied immediately.
  public mutating func receive(_ bytes: some Sequence<UInt8>) {
    let wasContiguous: Void? = bytes.withContiguousStorageIfAvailable {
      core.receive(UnsafeRawBufferPointer($0))
    }
    if wasContiguous == nil { Array(bytes).withUnsafeBytes { core.receive($0) } }
  }

  /// Parses received bytes in contiguous memory, as `receive(_:)` does with any other sequence.
  public mutating func receive(_ bytes: UnsafeRawBufferPointer) { core.receive(bytes) }

  /// Ends the input. A last line without a line feed is still parsed, and an incomplete frame with
  /// headers is answered with an error.
  public mutating func endInput() { core.endInput() }

  /// Returns the next event to process.
  ///
  /// - Parameter isHeld: returns whether to hold back a call of the given RPC method. A call that
  ///   was held back waits until `releaseHeld()`.
  /// - Returns: the next event; `nil` if there is none, or if all events must wait. Cancellations
  ///   and early notices (`Arrival.controlCallReceived`) never wait. Other events wait in these
  ///   cases:
  ///   - All queued messages are held back.
  ///   - Too many calls are in flight, or the next call is too large to start beside them.
  ///   - Too much output is pending.
  ///
  ///   A received response can overtake calls that wait. Only pending output can delay a response.
  public mutating func next(
    holding isHeld: (_ method: String) -> Bool = { _ in false }
  ) -> Arrival? {
    core.next(holding: isHeld)
  }

  /// Releases the calls that were held back: `next` passes their methods to `isHeld` again.
  public mutating func releaseHeld() { core.releaseHeld() }

  /// Answers all queued requests with an error and discards all other queued messages. Messages
  /// that were already refused are answered with their own errors.
  public mutating func refuseQueued(_ error: RPCError) { core.refuseQueued(error) }

  // MARK: Out

  /// Answers a call. Each call gets one answer. The response to a batch is queued when all its
  /// requests have been answered. Nothing is sent for a notification.
  ///
  /// - Parameter estimatedByteCount: the estimated size of the encoded answer, in bytes, which
  ///   counts towards `limits`.
  @inlinable
  public mutating func answer(
    _ address: ReplyAddress, _ answer: Answer, estimatedByteCount: Int = 256
  ) {
    guard !address.isNotification else { return core.endNotification(address) }
    let slot: Int
    if let free = freeSlots.popLast() {
      slot = free
      answers[slot] = answer
    } else {
      slot = answers.count
      answers.append(answer)
    }
    guard !core.answer(address, slot: slot, estimatedByteCount: estimatedByteCount) else { return }
    answers[slot] = nil
    freeSlots.append(slot)
  }

  /// Sets the size with which a call in flight counts towards the limits: the bytes of the call
  /// that the host retains.
  ///
  /// By default, a request counts with its method and params, and a notification does not count.
  /// Call this method in two cases:
  /// - The host retains only a part of a request. Then other calls can start earlier.
  /// - The host retains a notification. The notification then counts until it is passed to
  ///   `answer`, `refuse` or `drop`, although nothing is sent for it.
  ///
  /// - Parameter byteCount: the number of bytes that the host retains;
  ///   `ConnectionLimits.bytesPerMessage` is added.
  /// - Returns: the address to use when the call is answered, refused or dropped.
  public mutating func setRetainedByteCount(_ address: ReplyAddress, byteCount: Int) -> ReplyAddress
  {
    core.setRetainedByteCount(address, byteCount: byteCount)
  }

  /// Answers a call in flight with an error.
  public mutating func refuse(_ address: ReplyAddress, _ error: RPCError) {
    core.refuse(address, error)
  }

  /// Ends a call in flight without a response, as some protocols require after a cancellation.
  public mutating func drop(_ address: ReplyAddress) { core.drop(address) }

  /// Queues a notification behind all other queued output.
  public mutating func notify(_ method: String, _ params: JSON? = nil) {
    core.notify(method, params)
  }

  /// Queues a request to the other side, and returns its id. The response arrives as
  /// `Arrival.response` with this id.
  public mutating func request(_ method: String, _ params: JSON? = nil) -> RequestID {
    core.request(method, params)
  }

  /// Whether output is queued that is not encoded yet.
  public var hasPendingOutput: Bool { core.hasPendingOutput }

  /// Whether the queued output contains a response, and not only notifications and requests.
  public var hasPendingAnswer: Bool { core.hasPendingAnswer }

  /// Encodes a notification immediately, ahead of all queued output.
  public mutating func encode(
    notification method: String, params: (inout JSONWriter) -> Void
  ) {
    core.encode(notification: method, params: params)
  }

  /// Encodes all queued output.
  ///
  /// Call it only after all output encoded earlier has been written. Until then, queued output
  /// stays unencoded, and its size is bounded by the limits.
  ///
  /// - Parameter write: writes an answer (a result or an error) as the response with the given id.
  @inlinable
  public mutating func encode(
    _ write: (_ answer: Answer, _ id: RequestID, _ writer: inout JSONWriter) -> Void
  ) {
    guard core.hasPendingOutput else { return }
    core.encode { slot, id, writer in
      guard let answer = answers[slot].take() else { return }
      write(answer, id, &writer)
      freeSlots.append(slot)
    }
    guard !answers.isEmpty, freeSlots.count == answers.count else { return }
    // Release the memory of a long queue.
    answers.removeAll(keepingCapacity: answers.count <= 1_024)
    freeSlots.removeAll(keepingCapacity: answers.count <= 1_024)
  }

  /// Whether all encoded output has been written.
  public var isWritten: Bool { core.isWritten }

  /// Calls `body` with the encoded bytes that are not written yet; the buffer may be empty.
  @inlinable
  public func withPendingBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    core.withPendingBytes(body)
  }

  /// Records that the host has written `count` more bytes.
  public mutating func didWrite(_ count: Int) { core.didWrite(count) }
}
