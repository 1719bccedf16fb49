/// The output of a connection: encoded bytes that are not written yet, and items that are not
/// encoded yet.
///
/// An item for an answer contains only a slot, the index of the answer in
/// `JSONRPCConnection.answers`, because the bytes of an answer are determined only when it is
/// encoded.
struct WriteQueue: ~Copyable {
  enum Item {
    case answer(ReplyAddress, slot: Int)
    case error(ReplyAddress, RPCError)
    /// The answers to one batch, written as one array.
    case batch([Item])
    case notification(String, JSON?)
    case request(RequestID, String, JSON?)
  }

  private var bytes = ByteBuffer()
  private var writtenCount = 0
  /// The queued items; `nil` for an item that was already encoded.
  private var items: [Item?] = []
  private var itemsWeight = 0
  private var answerCount = 0
  /// The estimated length of the next item's body, in bytes: 99 if the last body had less than 100
  /// bytes, otherwise 999. Only its number of digits matters; see `FrameWriter.begin`.
  private var estimatedItemLength = 999
  /// The estimated length of the next notification that is encoded immediately, in bytes: 99 or
  /// 999, like `estimatedItemLength`.
  private var estimatedOtherLength = 999

  /// The size of the unwritten output, in bytes. The size of items that are not encoded yet is an
  /// estimate.
  var weight: Int { bytes.count - writtenCount + itemsWeight }

  var hasItems: Bool { !items.isEmpty }
  var hasPendingBytes: Bool { writtenCount < bytes.count }

  var hasAnswers: Bool { answerCount > 0 }

  mutating func enqueue(_ item: consuming Item, weight: Int) {
    if item.isAnswer { answerCount += 1 }
    items.append(item)
    itemsWeight += weight
  }

  /// Whether a call has been answered, but the answer is not encoded yet.
  func hasQueuedAnswer(to address: ReplyAddress) -> Bool {
    items.contains { $0?.answers(address) ?? false }
  }

  func withPendingBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[writtenCount...])) }
  }

  mutating func didWrite(_ count: Int) {
    writtenCount += count
    guard writtenCount >= bytes.count else { return }
    // Release the memory of a large answer.
    bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptBytesMax)
    writtenCount = 0
  }

  private static let keptBytesMax = 1 << 20
  private static let keptItemsMax = 1_024

  mutating func encode(_ frames: FrameWriter, _ write: (inout JSONWriter) -> Void) {
    var frame = frames.begin(in: &bytes, estimatedBodyByteCount: estimatedOtherLength)
    write(&frame.writer)
    estimatedOtherLength = Self.guess(after: frames.end(frame, in: &bytes))
  }

  private static func guess(after byteCount: Int) -> Int { byteCount < 100 ? 99 : 999 }

  /// Encodes all items.
  ///
  /// - Parameters:
  ///   - write: writes the answer in the given slot, as the response with the given id.
  ///   - release: called with each id that is no longer in flight.
  mutating func encodeAll(
    _ frames: FrameWriter,
    _ write: (Int, RequestID, inout JSONWriter) -> Void,
    release: (RequestID) -> Void
  ) {
    // Reserve memory for all items in one step: a buffer that grows exists twice for a while.
    if itemsWeight > Self.keptBytesMax { bytes.reserve(itemsWeight) }
    // The items are moved out and not copied: an item has many reference-counted parts.
    var sending: [Item?] = []
    swap(&sending, &items)
    for index in sending.indices {
      guard let item = sending[index].take() else { continue }
      var frame = frames.begin(in: &bytes, estimatedBodyByteCount: estimatedItemLength)
      item.write(to: &frame.writer, write, release: release)
      estimatedItemLength = Self.guess(after: frames.end(frame, in: &bytes))
    }
    sending.removeAllNil(keepingCountMax: Self.keptItemsMax)
    swap(&sending, &items)
    (itemsWeight, answerCount) = (0, 0)
  }
}

extension WriteQueue.Item {
  fileprivate var isAnswer: Bool {
    switch self {
    case .answer, .error, .batch: true
    case .notification, .request: false
    }
  }

  fileprivate func answers(_ address: ReplyAddress) -> Bool {
    switch self {
    case .answer(let other, _), .error(let other, _): other.number == address.number
    case .batch(let items): items.contains { $0.answers(address) }
    case .notification, .request: false
    }
  }

  fileprivate consuming func write(
    to writer: inout JSONWriter,
    _ writeAnswer: (Int, RequestID, inout JSONWriter) -> Void,
    release: (RequestID) -> Void
  ) {
    switch consume self {
    case .answer(let address, let slot):
      guard let id = address.id else { return }
      release(id)
      writeAnswer(slot, id, &writer)
    case .error(let address, let error):
      if let id = address.id, address.ownsID { release(id) }
      writer.response(id: address.id, error: error)
    case .batch(let items):
      writer.array { writer in
        for item in items { item.write(to: &writer, writeAnswer, release: release) }
      }
    case .notification(let method, let params): writer.notification(method: method, params: params)
    case .request(let id, let method, let params):
      writer.request(id: id, method: method, params: params)
    }
  }
}
