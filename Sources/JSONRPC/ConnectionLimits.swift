/// The memory limits of one connection. At a limit, the connection asks the host to stop reading,
/// or starts no more calls.
///
/// Unprocessed input and unwritten output are measured in bytes, so that neither many small
/// messages nor a few large ones can exceed the limits.
public struct ConnectionLimits: Sendable, Equatable {
  /// The default limits.
  public static let standard = ConnectionLimits()

  /// The limits of one frame.
  public var frame: FrameLimits

  /// The limits of one message.
  public var message: MessageLimits

  /// The size of all queued messages, in bytes, at which reading pauses; 64 MiB by default. A call
  /// counts with the sizes of its method, params and id, plus `bytesPerMessage`. A response counts
  /// with `bytesPerMessage` only.
  public var queuedBytesMax: Int

  /// The size of pending output, in bytes, at which no more calls start; 1 MiB by default. A single
  /// answer may be larger.
  public var pendingOutputBytesMax: Int

  /// The maximum size of all answers to one batch, in bytes; 32 MiB by default. An answer that
  /// would exceed the limit is replaced by an error, unless it has at most `smallAnswerBytesMax`
  /// bytes.
  public var batchAnswerBytesMax: Int

  /// The maximum number of calls in flight; 1,024 by default. Further calls stay queued.
  public var callsInFlightMax: Int

  /// The maximum size of all calls in flight, in bytes; 32 MiB by default. Until a call is
  /// answered, it counts with the sizes of its method, params and id, plus `bytesPerMessage`.
  ///
  /// A call that would exceed the limit stays queued, and so do all later messages except
  /// responses, so that the order is preserved. The limit does not apply in two cases:
  /// - The call has at most `smallCallBytesMax` bytes.
  /// - No other call is in flight.
  public var inFlightBytesMax: Int

  /// The overhead that is added to the size of each message, queued or in flight, in bytes.
  public static let bytesPerMessage = 512

  /// The maximum size of a small call, in bytes, including `bytesPerMessage`. Small calls are
  /// limited only by `callsInFlightMax`, and not by `inFlightBytesMax`.
  public static let smallCallBytesMax = 4_096

  /// The maximum size of a small answer, in bytes. A small answer is sent even if the answers to
  /// its batch exceed `batchAnswerBytesMax`.
  public static let smallAnswerBytesMax = 4_096

  /// Creates limits. Values below one become one.
  public init(
    frame: FrameLimits = .standard, message: MessageLimits = .standard,
    queuedBytesMax: Int = 64 << 20, pendingOutputBytesMax: Int = 1 << 20,
    batchAnswerBytesMax: Int = 32 << 20, callsInFlightMax: Int = 1_024,
    inFlightBytesMax: Int = 32 << 20
  ) {
    self.frame = frame
    self.message = message
    self.queuedBytesMax = max(queuedBytesMax, 1)
    self.pendingOutputBytesMax = max(pendingOutputBytesMax, 1)
    self.batchAnswerBytesMax = max(batchAnswerBytesMax, 1)
    self.callsInFlightMax = max(callsInFlightMax, 1)
    self.inFlightBytesMax = max(inFlightBytesMax, 1)
  }
}
