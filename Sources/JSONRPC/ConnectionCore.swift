/// The state of a `JSONRPCConnection`, except its answers. An answer is identified by its slot, an
/// index of `JSONRPCConnection.answers`.
///
/// The state is a separate type, so that its code is not generic.
@usableFromInline
struct ConnectionCore: ~Copyable {
  let limits: ConnectionLimits
  let rules: ConnectionRules

  private var parser: FrameParser
  private var queue = CallQueue()
  private var notices: [Arrival] = []
  private var callCount: UInt64 = 0

  private var inFlight = UnansweredRequests()
  private var budget: CallBudget
  private var batches: [Int: Batch] = [:]
  private var batchCount = 0

  private var pendingRequestIDs: Set<RequestID> = []
  private var requestCount: Int64 = 0
  /// The number of responses in the queue.
  private var queuedResponseCount = 0

  private var writeQueue = WriteQueue()

  /// Whether no more messages will arrive: the input has ended or is unreadable.
  private(set) var isInputEnded = false

  /// The error that made the input unreadable; `nil` if the input is readable.
  private(set) var inputProblem: RPCError?

  /// An unused member, always `nil`, that makes access to the struct faster. Because its type is
  /// `Any`, the compiler accesses the struct in place. Without it, each property access would copy
  /// the struct. A copy takes 75 instructions, and a message would need many copies.
  private let anchor: Any? = nil

  /// A batch with unanswered calls: the answers so far, and the number of answers that are missing.
  private struct Batch {
    var unansweredCount: Int
    var weight = 0
    var answers: [WriteQueue.Item] = []
  }

  init(
    rules: ConnectionRules = .standard, limits: ConnectionLimits = .standard,
    framing: Framing? = nil
  ) {
    self.rules = rules
    self.limits = limits
    budget = CallBudget(limits)
    parser = FrameParser(limits: limits.frame, framing: framing)
  }

  /// The framing of the other side's messages: the one specified at creation, or the one detected
  /// from the first byte received that is not whitespace; `nil` before detection.
  var framing: Framing? { parser.framing }

  /// Whether the host should read more input now.
  var wantsInput: Bool { !isInputEnded && queue.weight < limits.queuedBytesMax }

  /// Whether messages are queued.
  var hasQueuedMessages: Bool { !queue.isEmpty }

  /// Whether a call is in flight.
  var hasCallsInFlight: Bool { budget.count > 0 }

  // MARK: In

  /// Parses received bytes, which may be split anywhere, and queues their messages. Cancellations
  /// are applied immediately.
  mutating func receive(_ bytes: UnsafeRawBufferPointer) {
    guard !isInputEnded else { return }
    queue.own()
    parser.append(bytes)
    while !isInputEnded, let event = parser.next() { handle(event) }
  }

  /// Ends the input. A last line without a line feed is still parsed, and an incomplete frame with
  /// headers is answered with an error.
  mutating func endInput() {
    guard !isInputEnded else { return }
    while !isInputEnded, let event = parser.finish() { handle(event) }
    isInputEnded = true
  }

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
  mutating func next(holding isHeld: (_ method: String) -> Bool = { _ in false }) -> Arrival? {
    if !notices.isEmpty { return notices.removeFirst() }
    while budget.hasRoom, writeQueue.weight < limits.pendingOutputBytesMax,
      let entry = queue.next(callWeightMax: budget.callBytesMax, holding: isHeld)
    {
      switch consume entry {
      case .call(let call):
        budget.begin(call.address)
        return .call(call)
      case .refused(let address, let error): putError(error, address)
      case .response(let response):
        queuedResponseCount -= 1
        return .response(response)
      case .unmatchedResponse: return .unmatchedResponse
      }
    }
    // Prevents a deadlock: the calls before this response may wait for a call in flight that waits
    // for the response.
    if queuedResponseCount > 0, writeQueue.weight < limits.pendingOutputBytesMax,
      let response = queue.nextResponse()
    {
      queuedResponseCount -= 1
      return .response(response)
    }
    return nil
  }

  /// Releases the calls that were held back: `next` passes their methods to `isHeld` again.
  mutating func releaseHeld() { queue.releaseHeld() }

  /// Answers all queued requests with an error and discards all other queued messages. Messages
  /// that were already refused are answered with their own errors.
  mutating func refuseQueued(_ error: RPCError) {
    queue.releaseHeld()
    queuedResponseCount = 0
    while let entry = queue.next(holding: { _ in false }) {
      switch entry {
      case .call(let call): if call.address.expectsResponse { putError(error, call.address) }
      case .refused(let address, let error): putError(error, address)
      case .response, .unmatchedResponse: break
      }
    }
  }

  private mutating func handle(_ event: consuming FrameEvent) {
    switch consume event {
    case .frame(let body): handle(body)
    case .problem(let error): refuse(nil, error, batch: nil)
    case .fatal(let error):
      refuse(nil, error, batch: nil)
      inputProblem = error
      isInputEnded = true
    }
  }

  private mutating func handle(_ body: ArraySlice<UInt8>) {
    let scanned = body.withUnsafeBufferPointer { bytes in
      ScannedFrame(bytes, limits: limits.message)
        .refusingLongTokens(in: bytes, rules, bytesMax: limits.message.idBytesMax)
    }
    switch consume scanned {
    case .single(let message): handle(message, body, batch: nil)
    case .batch(let messages):
      batchCount += 1
      let answeredCount = messages.count { $0.expectsResponse }
      if answeredCount > 0 { batches[batchCount] = Batch(unansweredCount: answeredCount) }
      for message in messages { handle(message, body, batch: batchCount) }
    }
  }

  private mutating func handle(
    _ message: consuming ScannedMessage, _ body: ArraySlice<UInt8>, batch: Int?
  ) {
    switch consume message {
    case .call(let id, let method, let range):
      let params = range.map {
        body[body.startIndex + $0.lowerBound..<body.startIndex + $0.upperBound]
      }
      if id == nil, method == rules.cancelMethod { return cancel(params) }
      handle(id, method, params, batch: batch)
    case .response(let response):
      guard let id = response.id, pendingRequestIDs.remove(id) != nil else {
        return queue.append(.unmatchedResponse)
      }
      queue.append(.response(response))
      queuedResponseCount += 1
    case .invalid(let id, let error): refuse(id, error, batch: batch)
    }
  }

  private mutating func handle(
    _ id: RequestID?, _ method: String, _ params: ArraySlice<UInt8>?, batch: Int?
  ) {
    if rules.controlMethods.contains(method) {
      notices.append(.controlCallReceived(method: method))
    }
    var address = makeAddress(
      id, batch: batch, expectsResponse: id != nil,
      byteCount: (params?.count ?? 0) + method.utf8.count)
    if let id {
      address.ownsID = true
      if !inFlight.insert(address, id) {
        address.ownsID = false
        let error = RPCError.invalidRequest("a request with this id is in flight")
        return queue.append(.refused(address, error))
      }
    }
    queue.append(.call(IncomingCall(address: address, method: method, paramsBytes: params)))
  }

  /// Queues an error response to a message that cannot be processed.
  private mutating func refuse(_ id: RequestID?, _ error: RPCError, batch: Int?) {
    queue.append(.refused(makeAddress(id, batch: batch, expectsResponse: true), error))
  }

  private mutating func makeAddress(
    _ id: RequestID?, batch: Int?, expectsResponse: Bool, byteCount: Int = 0
  ) -> ReplyAddress {
    callCount += 1
    return ReplyAddress(
      number: callCount, id: id, batch: batch, expectsResponse: expectsResponse,
      weight: ConnectionLimits.bytesPerMessage + (id?.byteCount ?? 0) + byteCount, ownsID: false)
  }

  /// Cancels the request whose id is in the params. A queued request ends immediately; a request in
  /// flight is reported to the host as `Arrival.cancelled`. Any other id is ignored, because its
  /// request may already be answered.
  private mutating func cancel(_ params: ArraySlice<UInt8>?) {
    guard let raw = params.map({ RawJSON(checked: $0) }), let params = try? Params(raw),
      let id = try? params.optionalRequestID(rules.cancelledIDMember), let address = inFlight[id]
    else { return }
    if queue.remove(address.number) != nil {
      if rules.answersCancelled { putError(.requestCancelled(), address) } else { forget(address) }
    } else if writeQueue.hasQueuedAnswer(to: address) == false {
      notices.append(.cancelled(address))
    }
  }

  // MARK: Out

  /// Queues an answer.
  ///
  /// - Parameter slot: the position of the answer in `JSONRPCConnection.answers`.
  /// - Returns: `false` if the answer is too large for its batch. Then an error is queued instead,
  ///   and the caller must free the slot.
  @usableFromInline
  mutating func answer(_ address: ReplyAddress, slot: Int, estimatedByteCount: Int) -> Bool {
    budget.end(address)
    let weight = estimatedByteCount + (address.id?.byteCount ?? 0)
    return put(.answer(address, slot: slot), for: address, weight: weight)
  }

  /// Changes the size with which a call in flight counts towards the limits.
  ///
  /// The new size is `byteCount` bytes plus the overhead of a message and the size of the id. From
  /// then on, even a notification counts as a call in flight.
  mutating func setRetainedByteCount(_ address: ReplyAddress, byteCount: Int) -> ReplyAddress {
    budget.end(address)
    var retained = address
    retained.weight =
      ConnectionLimits.bytesPerMessage + (address.id?.byteCount ?? 0) + max(byteCount, 0)
    retained.isRetained = true
    budget.begin(retained)
    // A later cancellation reports the address recorded here.
    if let id = address.id, address.ownsID { inFlight.replace(id, retained) }
    return retained
  }

  /// Ends a notification, which then no longer counts as a call in flight.
  @usableFromInline
  mutating func endNotification(_ address: ReplyAddress) { budget.end(address) }

  /// Answers a call in flight with an error.
  mutating func refuse(_ address: ReplyAddress, _ error: RPCError) {
    budget.end(address)
    if address.expectsResponse { putError(error, address) }
  }

  /// Ends a call in flight without a response.
  mutating func drop(_ address: ReplyAddress) {
    budget.end(address)
    if address.expectsResponse { forget(address) }
  }

  /// Releases the id of a call that gets no response. If the call belongs to a batch, the response
  /// to the batch contains nothing for this call.
  private mutating func forget(_ address: ReplyAddress) {
    if let id = address.id, address.ownsID { inFlight.remove(id) }
    guard let number = address.batch, var batch = batches.removeValue(forKey: number) else {
      return
    }
    batch.unansweredCount -= 1
    if batch.unansweredCount > 0 {
      batches[number] = batch
    } else if !batch.answers.isEmpty {
      writeQueue.enqueue(.batch(batch.answers), weight: batch.weight)
    }
  }

  /// Queues a notification behind all other queued output.
  mutating func notify(_ method: String, _ params: JSON? = nil) {
    writeQueue.enqueue(
      .notification(method, params), weight: 256 + (params?.estimatedByteCount ?? 0))
  }

  /// Queues a request to the other side, and returns its id. The response arrives as
  /// `Arrival.response` with this id.
  mutating func request(_ method: String, _ params: JSON? = nil) -> RequestID {
    requestCount += 1
    let id = RequestID.integer(requestCount)
    pendingRequestIDs.insert(id)
    writeQueue.enqueue(
      .request(id, method, params), weight: 256 + (params?.estimatedByteCount ?? 0))
    return id
  }

  private mutating func putError(_ error: RPCError, _ address: ReplyAddress) {
    put(.error(address, error), for: address, weight: 256 + (address.id?.byteCount ?? 0))
  }

  @discardableResult
  private mutating func put(
    _ item: consuming WriteQueue.Item, for address: ReplyAddress, weight: Int
  ) -> Bool {
    guard let number = address.batch, var batch = batches.removeValue(forKey: number) else {
      writeQueue.enqueue(item, weight: weight)
      return true
    }
    let isSmall = weight <= ConnectionLimits.smallAnswerBytesMax
    let fits = isSmall || batch.weight + weight <= limits.batchAnswerBytesMax
    if fits {
      batch.answers.append(item)
      batch.weight += weight
    } else {
      let message =
        "the answers to this batch are over the limit of \(limits.batchAnswerBytesMax) bytes: "
        + "send it in parts"
      batch.answers.append(.error(address, .requestFailed(message)))
    }
    batch.unansweredCount -= 1
    if batch.unansweredCount == 0 {
      writeQueue.enqueue(.batch(batch.answers), weight: batch.weight)
    } else {
      batches[number] = batch
    }
    return fits
  }

  /// Whether output is queued that is not encoded yet.
  @usableFromInline
  var hasPendingOutput: Bool { writeQueue.hasItems }

  /// Whether the queued output contains a response, and not only notifications and requests.
  var hasPendingAnswer: Bool { writeQueue.hasAnswers }

  /// Encodes a notification immediately, ahead of all queued output.
  mutating func encode(
    notification method: String, params: (inout JSONWriter) -> Void
  ) {
    let frames = FrameWriter(framing: framing ?? .headers)
    writeQueue.encode(frames) { $0.notification(method: method, params: params) }
  }

  @usableFromInline
  mutating func encode(_ write: (_ slot: Int, _ id: RequestID, _ writer: inout JSONWriter) -> Void)
  {
    guard writeQueue.hasItems else { return }
    let frames = FrameWriter(framing: framing ?? .headers)
    writeQueue.encodeAll(frames, write) { inFlight.remove($0) }
  }

  /// Whether all encoded output has been written.
  var isWritten: Bool { !writeQueue.hasPendingBytes }

  /// Calls `body` with the encoded bytes that are not written yet; the buffer may be empty.
  @usableFromInline
  func withPendingBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    writeQueue.withPendingBytes(body)
  }

  /// Records that the host has written `count` more bytes.
  mutating func didWrite(_ count: Int) { writeQueue.didWrite(count) }
}

extension ScannedMessage {
  fileprivate var expectsResponse: Bool {
    switch self {
    case .call(let id, _, _): id != nil
    case .invalid: true
    case .response: false
    }
  }
}
