/// The format that separates the messages in a byte stream.
public enum Framing: Sendable {
  /// The base protocol of LSP: `Content-Length: N`, a blank line, N bytes.
  case headers
  /// One JSON value per line, also known as NDJSON.
  case lines
}

/// The limits of one frame. Frames that exceed them are refused.
public struct FrameLimits: Sendable, Equatable {
  /// The default limits.
  public static let standard = FrameLimits()

  /// The maximum size of a frame's body, or of a line without its end, in bytes; 64 MiB by default.
  public var frameBytesMax: Int

  /// The maximum size of a header block with its line ends, in bytes; 16 KiB by default.
  public var headerBytesMax: Int

  /// The maximum plausible `Content-Length`. A greater length is treated as corrupt, and its body
  /// is not skipped, because skipping it would discard the rest of the stream.
  var plausibleBodyBytesMax: Int { max(1 << 32, frameBytesMax) }

  /// Creates limits. Negative values become zero.
  public init(frameBytesMax: Int = 64 << 20, headerBytesMax: Int = 16 << 10) {
    self.frameBytesMax = max(frameBytesMax, 0)
    self.headerBytesMax = max(headerBytesMax, 0)
  }
}

/// An event of a `FrameParser`.
public enum FrameEvent: Sendable, Equatable {
  /// The body of a frame.
  ///
  /// A slice of the parser's buffer. If it is still retained when more bytes are appended, the
  /// buffer is copied.
  case frame(ArraySlice<UInt8>)

  /// An invalid frame. Answer it with this error and a null id. The parser continues.
  case problem(RPCError)

  /// An error after which the rest of the stream cannot be parsed. Answer it with this error and a
  /// null id.
  case fatal(RPCError)
}
