/// What is to be written, and what waits until that has been written.
///
/// Answers wait in slots outside: what they say is decided when they are encoded.
struct Outbox: ~Copyable {
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
  /// Nil: encoded already.
  private var items: [Item?] = []
  private var itemsWeight = 0
  private var answerCount = 0
  /// Answers of a conversation are alike, and so is what is said at once: the last one says how many
  /// digits the length of the next one will have.
  private var estimatedItemLength = 999
  private var estimatedOtherLength = 999

  /// What has not been written yet, in bytes; what is not encoded is guessed.
  var weight: Int { bytes.count - writtenCount + itemsWeight }

  var hasItems: Bool { !items.isEmpty }
  var hasPendingBytes: Bool { writtenCount < bytes.count }

  var hasAnswers: Bool { answerCount > 0 }

  mutating func wait(_ item: consuming Item, weight: Int) {
    if item.isAnswer { answerCount += 1 }
    items.append(item)
    itemsWeight += weight
  }

  /// Whether a call has been answered and its answer is not encoded.
  func waitsToAnswer(_ address: ReplyAddress) -> Bool {
    items.contains { $0?.answers(address) ?? false }
  }

  func withPendingBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[writtenCount...])) }
  }

  mutating func didWrite(_ count: Int) {
    writtenCount += count
    guard writtenCount >= bytes.count else { return }
    // One large answer is not paid for ever.
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

  /// - Parameter release: called with each id that is no longer in flight.
  mutating func encodeAll(
    _ frames: FrameWriter,
    _ write: (Int, RequestID, inout JSONWriter) -> Void,
    release: (RequestID) -> Void
  ) {
    // Room for all of it at once: growing step by step would hold it twice.
    if itemsWeight > Self.keptBytesMax { bytes.reserve(itemsWeight) }
    // Moved out and not copied: an item has many parts that are counted.
    var sending: [Item?] = []
    swap(&sending, &items)
    for index in sending.indices {
      guard let item = sending[index].take() else { continue }
      var frame = frames.begin(in: &bytes, estimatedBodyByteCount: estimatedItemLength)
      item.write(to: &frame.writer, write, release: release)
      estimatedItemLength = Self.guess(after: frames.end(frame, in: &bytes))
    }
    sending.dropTaken(keepingCountMax: Self.keptItemsMax)
    swap(&sending, &items)
    (itemsWeight, answerCount) = (0, 0)
  }
}

extension Outbox.Item {
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
      if let id = address.id, address.holdsID { release(id) }
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
