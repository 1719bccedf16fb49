/// How much one conversation may hold before it reads no further, or starts no new work.
///
/// What the other side has sent and what it has not read yet are counted in bytes, so that neither
/// many small messages nor a few large ones take more than this.
public struct ConnectionLimits: Sendable, Equatable {
  /// The limits that hold when nothing else is said.
  public static let standard = ConnectionLimits()

  /// What one frame may ask for.
  public var frame: FrameLimits

  /// What one message may ask for.
  public var message: MessageLimits

  /// How many bytes of messages may wait to be handled before reading pauses. 64 MiB unless told
  /// otherwise. Each message counts `bytesPerMessage` more than it is long.
  public var waitingBytesMax: Int

  /// How many bytes of answers may wait for their reader before no new call is begun. 1 MiB unless
  /// told otherwise. One answer may be larger.
  public var unreadBytesMax: Int

  /// How many bytes the answers to one batch may have together. 32 MiB unless told otherwise. An
  /// answer that would bring a batch over it is an error instead; what is shorter than
  /// `smallAnswerBytesMax` never is.
  public var batchAnswerBytesMax: Int

  /// How many calls may be under way at once; more wait. 1,024 unless told otherwise.
  public var callsInFlightMax: Int

  /// The most bytes that all calls in flight may have together. 32 MiB unless told otherwise. Each
  /// call counts `bytesPerMessage` more than its params and its id have, until it is answered.
  ///
  /// A call that exceeds the limit stays in the queue, and so do later messages, which keeps their
  /// order. A call of up to `smallCallBytesMax` begins nevertheless, and so does a call of any size
  /// if no other one is in flight.
  public var inFlightBytesMax: Int

  /// The bytes for which a message counts beside its own, in the queue and in flight.
  public static let bytesPerMessage = 512

  /// The size up to which only `callsInFlightMax` limits calls, including `bytesPerMessage`.
  public static let smallCallBytesMax = 4_096

  /// What is answered in so few bytes is always answered, also in a batch that is over its limit.
  public static let smallAnswerBytesMax = 4_096

  /// Limits that differ from the standard ones; each is at least one.
  public init(
    frame: FrameLimits = .standard, message: MessageLimits = .standard,
    waitingBytesMax: Int = 64 << 20, unreadBytesMax: Int = 1 << 20,
    batchAnswerBytesMax: Int = 32 << 20, callsInFlightMax: Int = 1_024,
    inFlightBytesMax: Int = 32 << 20
  ) {
    self.frame = frame
    self.message = message
    self.waitingBytesMax = max(waitingBytesMax, 1)
    self.unreadBytesMax = max(unreadBytesMax, 1)
    self.batchAnswerBytesMax = max(batchAnswerBytesMax, 1)
    self.callsInFlightMax = max(callsInFlightMax, 1)
    self.inFlightBytesMax = max(inFlightBytesMax, 1)
  }
}
