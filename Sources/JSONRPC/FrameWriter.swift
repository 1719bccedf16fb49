import System

/// A writer that appends frames to an output buffer.
///
/// ```swift
/// let frames = FrameWriter(framing: .headers)
/// frames.append(to: &output) { writer in
///   writer.response(id: 1, result: ["ok": true])
/// }
/// ```
///
/// If a body is empty, no frame is written, so a batch without responses needs no special case.
public struct FrameWriter: Sendable {
  /// The position in the output at which the frame that is being written begins.
  public struct Start: Sendable {
    fileprivate let offset: Int
  }

  /// The framing of the output.
  public let framing: Framing

  /// Creates a writer that frames each message as `framing` specifies.
  public init(framing: Framing) {
    self.framing = framing
  }

  /// Appends a frame with the given body.
  public func append(_ body: some Collection<UInt8>, to output: inout [UInt8]) {
    guard !body.isEmpty else { return }
    append(to: &output) { $0.raw(body) }
  }

  /// Appends a frame whose body is written by a closure.
  public func append(to output: inout [UInt8], _ encodeBody: (inout JSONWriter) -> Void) {
    var frame = ByteBuffer()
    var open = begin(in: &frame, estimatedBodyByteCount: 999)
    encodeBody(&open.writer)
    end(open, in: &frame)
    output.append(contentsOf: frame.bytes)
  }

  /// Begins a frame: all bytes appended to the output before `end` is called are its body.
  public func begin(in output: inout [UInt8]) -> Start { Start(offset: output.count) }

  /// Ends the frame that begins at `start`, which must be the most recent one. Inserts the header
  /// before the body or appends the line end, as `framing` specifies.
  ///
  /// With line framing, each line feed in the body becomes a space. This does not change the JSON
  /// value, because a line feed in JSON can only be whitespace.
  public func end(_ start: Start, in output: inout [UInt8]) {
    guard start.offset <= output.count else { return }
    let body = Array(output[start.offset...])
    output.removeSubrange(start.offset...)
    append(body, to: &output)
  }

  // MARK: In place

  /// A frame whose body is being written. It owns the output until `end`.
  struct Open: ~Copyable {
    var writer: JSONWriter
    fileprivate let offset: Int
    fileprivate let bodyOffset: Int
  }

  /// Begins a frame at the end of `output`. Until `end`, the returned frame owns the buffer, and
  /// its `writer` appends the body.
  ///
  /// - Parameter estimatedBodyByteCount: the estimated length of the body. If the actual length has
  ///   the same number of digits, the body need not be moved when the header is completed.
  func begin(in output: inout ByteBuffer, estimatedBodyByteCount: Int) -> Open {
    let offset = output.count
    if framing == .headers { appendHeader(bodyByteCount: estimatedBodyByteCount, to: &output) }
    let bodyOffset = output.count
    return Open(writer: JSONWriter(takingOver: &output), offset: offset, bodyOffset: bodyOffset)
  }

  /// Ends a frame: completes its header, and returns the buffer to `output`. An empty body removes
  /// the frame.
  ///
  /// - Returns: the length of the body.
  @discardableResult
  func end(_ frame: consuming Open, in output: inout ByteBuffer) -> Int {
    let (offset, bodyOffset) = (frame.offset, frame.bodyOffset)
    frame.writer.returnStorage(to: &output)

    let bodyByteCount = output.count - bodyOffset
    guard bodyByteCount > 0 else {
      output.truncate(to: offset)
      return 0
    }
    switch framing {
    case .headers:
      // Usually the estimate has the right number of digits, and the body is not moved.
      guard !overwriteLength(bodyByteCount, before: bodyOffset, after: offset, in: &output)
      else { return bodyByteCount }
      var header = ByteBuffer()
      appendHeader(bodyByteCount: bodyByteCount, to: &header)
      output.replace(offset..<bodyOffset, with: header)
    case .lines:
      replaceLineFeeds(in: &output, from: bodyOffset)
      output.append(UInt8(ascii: "\n"))
    }
    return bodyByteCount
  }

  private func appendHeader(bodyByteCount: Int, to output: inout ByteBuffer) {
    switch bodyByteCount {
    case 99: return output.append("Content-Length: 99\r\n\r\n")
    case 999: return output.append("Content-Length: 999\r\n\r\n")
    default: break
    }
    output.append("Content-Length: ")
    output.append(decimal: Int64(bodyByteCount))
    output.append("\r\n\r\n")
  }

  /// Replaces the estimated length in the header with the actual one.
  ///
  /// - Returns: `false` if the two lengths differ in their number of digits.
  private func overwriteLength(
    _ length: Int, before bodyOffset: Int, after headerOffset: Int, in output: inout ByteBuffer
  ) -> Bool {
    let end = bodyOffset - 4
    let start = headerOffset + 16
    guard start < end else { return false }
    return output.withUnsafeMutableBytes { bytes in
      var rest = length
      for index in (start..<end).reversed() {
        bytes[index] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
        // The actual length has fewer or more digits than the estimate.
        if (rest == 0) != (index == start) { return false }
      }
      return true
    }
  }

  private func replaceLineFeeds(in output: inout ByteBuffer, from offset: Int) {
    output.withUnsafeMutableBytes { buffer in
      var rest = UnsafeMutableRawBufferPointer(rebasing: buffer[offset...])
      while let base = rest.baseAddress,
        let found = memchr(base, Int32(UInt8(ascii: "\n")), rest.count)
      {
        found.storeBytes(of: UInt8(ascii: " "), as: UInt8.self)
        rest = UnsafeMutableRawBufferPointer(rebasing: rest[(found - base + 1)...])
      }
    }
  }
}
