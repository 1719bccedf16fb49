/// How messages are told apart in a stream of bytes.
public enum Framing: Sendable {
  /// The base protocol of LSP: `Content-Length: N`, a blank line, N bytes.
  case headers
  /// One JSON value a line, also known as NDJSON.
  case lines
}

/// How much a frame may ask for before it is refused.
public struct FrameLimits: Sendable, Equatable {
  /// The limits that hold when nothing else is said.
  public static let standard = FrameLimits()

  /// The largest body of a frame, or line without its end. 64 MiB unless told otherwise.
  public var frameBytesMax: Int

  /// The largest header block, its line ends included. 16 KiB unless told otherwise.
  public var headerBytesMax: Int

  /// The largest length that is believed: more than 4 GiB, and more than the largest body, is
  /// nothing that somebody means to send, and is not waited for.
  var believedBytesMax: Int { max(1 << 32, frameBytesMax) }

  /// Limits that differ from the standard ones; what is negative is zero.
  public init(frameBytesMax: Int = 64 << 20, headerBytesMax: Int = 16 << 10) {
    self.frameBytesMax = max(frameBytesMax, 0)
    self.headerBytesMax = max(headerBytesMax, 0)
  }
}

/// What a `FrameParser` found next.
public enum FrameEvent: Sendable, Equatable {
  /// The body of a frame.
  ///
  /// It is a view into the parser's buffer: cheap to take, but one that is kept while more bytes
  /// are appended costs a copy of the buffer.
  case frame(ArraySlice<UInt8>)

  /// Something that is no frame, to be answered with this error and a null id. Reading goes on.
  case problem(RPCError)

  /// The stream cannot be read any further. To be answered with this error and a null id.
  case fatal(RPCError)
}
