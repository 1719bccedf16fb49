/// One side of a JSON-RPC 2.0 conversation: bytes in and calls out, answers in and bytes out.
///
/// It has no input or output of its own, starts nothing and waits for nothing. It knows which ids
/// are in flight, puts the answers to a batch together, cancels, and says when to stop reading and
/// when to start nothing new. What an answer is and how it is written is up to the host.
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
/// An id is in flight from its receipt until its answer is encoded; using it again meanwhile is
/// answered with `invalidRequest`. Answers may be given in any order, each call gets one.
///
/// Messages in the queue, calls in flight and answers that are not read yet are counted in bytes; see
/// `ConnectionLimits`.
public struct JSONRPCConnection<Answer>: ~Copyable {
  @usableFromInline var core: ConnectionCore
  /// The answers that are not encoded yet; nil: a slot that is free.
  @usableFromInline var answers: [Answer?] = []
  @usableFromInline var freeSlots: [Int] = []

  /// A conversation in which nothing has been said.
  ///
  /// - Parameter framing: how both sides frame their messages, where the protocol leaves no choice;
  ///   nil: the first byte of the other side says so.
  public init(
    rules: ConnectionRules = .standard, limits: ConnectionLimits = .standard,
    framing: Framing? = nil
  ) {
    core = ConnectionCore(rules: rules, limits: limits, framing: framing)
  }

  /// How much it may hold, as it was made.
  public var limits: ConnectionLimits { core.limits }

  /// How the other side frames its messages, nil before its first byte that is not white space.
  public var framing: Framing? { core.framing }

  /// Whether more input should be taken at this moment.
  public var wantsInput: Bool { core.wantsInput }

  /// Whether the other side has said that it sends no more, or cannot be read any further.
  public var isInputEnded: Bool { core.isInputEnded }

  /// Why the input cannot be read any further, where that is so.
  public var inputProblem: RPCError? { core.inputProblem }

  /// Whether a call waits that has not begun.
  public var hasWaitingCalls: Bool { core.hasWaitingCalls }

  // MARK: In

  /// Takes bytes that have arrived, cut anywhere. Cancellations in them are applied at once.
  public mutating func receive(_ bytes: some Sequence<UInt8>) {
    let wasContiguous: Void? = bytes.withContiguousStorageIfAvailable {
      core.receive(UnsafeRawBufferPointer($0))
    }
    if wasContiguous == nil { Array(bytes).withUnsafeBytes { core.receive($0) } }
  }

  /// Takes bytes that lie in one piece, as `receive` does with any others.
  public mutating func receive(_ bytes: UnsafeRawBufferPointer) { core.receive(bytes) }

  /// Notes that no more bytes will come.
  public mutating func endInput() { core.endInput() }

  /// What is to be done next; nil when there is nothing, when too much is under way, or when too
  /// many answers wait for their reader.
  ///
  /// - Parameter isHeld: whether a call of this method has to wait. What was held stays held until
  ///   `releaseHeld()`.
  public mutating func next(
    holding isHeld: (_ method: String) -> Bool = { _ in false }
  ) -> Arrival? {
    core.next(holding: isHeld)
  }

  /// Asks anew about the calls that were held.
  public mutating func releaseHeld() { core.releaseHeld() }

  /// Answers all that waits and was not begun with an error, and forgets its notifications.
  public mutating func refuseWaiting(_ error: RPCError) { core.refuseWaiting(error) }

  // MARK: Out

  /// Answers a call, once; a batch when its last request is answered.
  ///
  /// - Parameter estimatedByteCount: about how long the answer will be, for `limits`.
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

  /// Sets the share of a call in flight to the bytes that the host retains of it.
  ///
  /// Until then a request counts with its params. Use this if the host keeps less of them, so that
  /// other calls can begin. A notification counts only from then on, and until it is answered,
  /// refused or dropped, of which the other side receives nothing.
  ///
  /// - Parameter byteCount: the bytes that the host retains, to which
  ///   `ConnectionLimits.bytesPerMessage` is added.
  /// - Returns: the address with which the call has to be answered, refused or dropped.
  public mutating func retain(_ address: ReplyAddress, byteCount: Int) -> ReplyAddress {
    core.retain(address, byteCount: byteCount)
  }

  /// Answers a call that was begun with an error.
  public mutating func refuse(_ address: ReplyAddress, _ error: RPCError) {
    core.refuse(address, error)
  }

  /// Ends a call that was begun without an answer, as some protocols want it after a cancellation.
  public mutating func drop(_ address: ReplyAddress) { core.drop(address) }

  /// Says something, after all that was said before.
  public mutating func notify(_ method: String, _ params: JSON? = nil) {
    core.notify(method, params)
  }

  /// Asks the other side; its answer arrives as `Arrival.response` with this id.
  public mutating func request(_ method: String, _ params: JSON? = nil) -> RequestID {
    core.request(method, params)
  }

  /// Whether something waits to be encoded.
  public var hasPendingOutput: Bool { core.hasPendingOutput }

  /// Whether an answer, and not only a notification, waits to be encoded.
  public var hasPendingAnswer: Bool { core.hasPendingAnswer }

  /// Encodes a notification at once, before everything that waits to be encoded.
  public mutating func encode(
    notification method: String, params: (inout JSONWriter) -> Void
  ) {
    core.encode(notification: method, params: params)
  }

  /// Encodes everything that waits.
  ///
  /// Call it when all that was encoded before has been written: so what waits stays a value, and is
  /// bounded by the limits.
  ///
  /// - Parameter write: writes one answer as the response to an id, be it a result or an error.
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
    // One long queue is not paid for ever.
    answers.removeAll(keepingCapacity: answers.count <= 1_024)
    freeSlots.removeAll(keepingCapacity: answers.count <= 1_024)
  }

  /// Whether everything that was encoded has been written.
  public var isWritten: Bool { core.isWritten }

  /// Calls `body` with the bytes that are to be written, none if there are none.
  @inlinable
  public func withPendingBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    core.withPendingBytes(body)
  }

  /// Notes that so many more bytes have been written.
  public mutating func didWrite(_ count: Int) { core.didWrite(count) }
}
