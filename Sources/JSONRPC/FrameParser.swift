/// A parser that splits a byte stream into frames. The stream may arrive in chunks of any size.
///
/// ```swift
/// var parser = FrameParser()
/// parser.append(bytes)
/// while let event = parser.next() { handle(event) }
/// // And when the input has ended:
/// while let event = parser.finish() { handle(event) }
/// ```
///
/// The first byte that is not whitespace selects the framing: lines if it is `{` or `[`, headers
/// otherwise. After an invalid frame, the parser resynchronizes. If a line or a body is too long,
/// the parser continues after that line or body. Otherwise, the parser continues at the next blank
/// line or `Content-Length`.
///
/// The events do not depend on how the bytes are split. Each byte is read a bounded number of
/// times. The buffer contains the bytes that have arrived and are not yet consumed; skipped bytes
/// are discarded. For a body whose length was announced, the buffer reserves at most eight times
/// the number of body bytes that have arrived.
public struct FrameParser: Sendable {
  private enum State {
    case start
    case line
    case skippedLine
    case header
    /// The parser skips a header block that is too long. `lineIsBlank` is whether the current line
    /// is blank so far.
    case skippedHeader(lineIsBlank: Bool)
    case body(byteCount: Int)
    case skippedBody(byteCount: Int)
  }

  private enum Step {
    case found(FrameEvent)
    case again
    case moreBytesWanted
  }

  /// The limits of one frame.
  public let limits: FrameLimits

  /// The framing of this stream; `nil` until its first byte that is not whitespace.
  public private(set) var framing: Framing?

  private var buffer = ReadBuffer()
  private var state = State.start
  private var block = HeaderBlock()

  /// Whether the previous header block was invalid. If so, the length of its body is unknown, and
  /// the bytes of that body may precede the next header.
  private var isAfterBadBlock = false

  /// Creates a parser at the beginning of a stream.
  ///
  /// - Parameter framing: the framing, if the protocol fixes it; `nil` to detect it from the first
  ///   byte that is not whitespace.
  public init(limits: FrameLimits = .standard, framing: Framing? = nil) {
    self.limits = limits
    self.framing = framing
    switch framing {
    case .headers: state = .header
    case .lines: state = .line
    case nil: break
    }
  }

  /// The number of bytes in the buffer: those that no event has consumed yet.
  package var bufferedByteCount: Int { buffer.count }

  /// Appends received bytes. Call `next()` until it returns `nil` before you append more; otherwise
  /// the buffer grows.
  public mutating func append(_ bytes: UnsafeRawBufferPointer) {
    buffer.append(bytes)
  }

  /// Appends received bytes.
  public mutating func append(_ bytes: some Sequence<UInt8>) {
    let wasContiguous: Void? = bytes.withContiguousStorageIfAvailable {
      buffer.append(UnsafeRawBufferPointer($0))
    }
    if wasContiguous == nil {
      Array(bytes).withUnsafeBytes { buffer.append($0) }
    }
  }

  /// Returns the next event in the buffered bytes; `nil` if more bytes are needed.
  public mutating func next() -> FrameEvent? {
    while true {
      switch step() {
      case .found(let event): return event
      case .again: continue
      case .moreBytesWanted: return nil
      }
    }
  }

  /// Returns the next event after the input has ended; `nil` if there are no more events. Call this
  /// method repeatedly after the last `append(_:)`.
  ///
  /// The last line is a frame even without a line feed. An incomplete frame with headers is a fatal
  /// error.
  public mutating func finish() -> FrameEvent? {
    if let event = next() {
      return event
    }
    let rest = buffer.drain()
    let lastState = state
    if let framing {
      state = framing == .lines ? .line : .header
    }
    switch lastState {
    case .line:
      return frame(fromLine: rest)
    case .header where block.isEmpty && (rest.allSatisfy(isLineEnd) || isAfterBadBlock):
      return nil
    case .header:
      block = HeaderBlock()
      return .fatal(.invalidRequest("the input ended inside a header"))
    case .body(let byteCount):
      let message = "the input ended after \(rest.count) of the \(byteCount) bytes of a frame"
      return .fatal(.invalidRequest(message))
    case .start, .skippedLine, .skippedHeader, .skippedBody:
      return nil
    }
  }

  private mutating func step() -> Step {
    switch state {
    case .start: chooseFraming()
    case .line: readLine()
    case .skippedLine: skipLine()
    case .header: readHeaderLine()
    case .skippedHeader(let lineIsBlank): skipHeaderLine(lineIsBlank: lineIsBlank)
    case .body(let byteCount): readBody(byteCount: byteCount)
    case .skippedBody(let byteCount): skipBody(byteCount: byteCount)
    }
  }

  private mutating func chooseFraming() -> Step {
    buffer.skip { isLineEnd($0) || isBlank($0) }
    guard let first = buffer.first else { return .moreBytesWanted }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      framing = .lines
      state = .line
    } else {
      framing = .headers
      state = .header
    }
    return .again
  }
}

// MARK: - Lines

extension FrameParser {
  private mutating func readLine() -> Step {
    if let line = buffer.nextLine() {
      return frame(fromLine: line).map(Step.found) ?? .again
    }
    // The byte over the limit may be the carriage return of the line end.
    guard buffer.count - 1 > limits.frameBytesMax else { return .moreBytesWanted }
    buffer.dropAll()
    state = .skippedLine
    return .found(lineTooLong)
  }

  private mutating func skipLine() -> Step {
    guard buffer.nextLine() != nil else {
      buffer.dropAll()
      return .moreBytesWanted
    }
    state = .line
    return .again
  }

  /// Returns the event for a line without its line feed; `nil` for a blank line.
  private func frame(fromLine line: ArraySlice<UInt8>) -> FrameEvent? {
    let body = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    if body.count > limits.frameBytesMax {
      return lineTooLong
    }
    return body.allSatisfy { isBlank($0) || isLineEnd($0) } ? nil : .frame(body)
  }

  private var lineTooLong: FrameEvent {
    .problem(.invalidRequest("a line is over the limit of \(limits.frameBytesMax) bytes"))
  }
}

// MARK: - Headers

extension FrameParser {
  private mutating func readHeaderLine() -> Step {
    if block.isEmpty, !isAfterBadBlock,
      let body = buffer.nextFastPathFrame(limits)
    {
      return .found(.frame(body))
    }
    guard let line = buffer.nextLine() else {
      guard block.byteCount + buffer.count > limits.headerBytesMax else {
        return .moreBytesWanted
      }
      let partialLine = buffer.drain()
      return beginSkippingHeader(lineIsBlank: partialLine.allSatisfy(isLineEnd))
    }
    let isBlankLine = line.allSatisfy(isLineEnd)
    guard block.byteCount + line.count < limits.headerBytesMax else {
      return isBlankLine ? endTooLongHeader() : beginSkippingHeader(lineIsBlank: true)
    }
    if isBlankLine {
      return block.isEmpty ? .again : endHeader()
    }
    block.parse(line: line)
    return .again
  }

  private mutating func endHeader() -> Step {
    let ended = block
    block = HeaderBlock()
    guard let byteCount = ended.byteCountOfBody else {
      isAfterBadBlock = true
      return .found(.problem(.invalidRequest(ended.problem ?? HeaderBlock.lengthMissing)))
    }
    guard byteCount <= limits.plausibleBodyBytesMax else {
      isAfterBadBlock = true
      let message = "a Content-Length of \(byteCount) cannot be right"
      return .found(.problem(.invalidRequest(message)))
    }
    let wasAfterBadBlock = isAfterBadBlock
    isAfterBadBlock = false
    if byteCount > limits.frameBytesMax {
      state = .skippedBody(byteCount: byteCount)
      let message =
        "a frame of \(byteCount) bytes is over the limit of \(limits.frameBytesMax) bytes"
      return .found(.problem(.invalidRequest(message)))
    }
    if let problem = ended.problem {
      state = .skippedBody(byteCount: byteCount)
      return .found(.problem(.invalidRequest(problem)))
    }
    state = .body(byteCount: byteCount)
    if ended.isAfterGarbage && !wasAfterBadBlock {
      return .found(.problem(.invalidRequest("there are bytes between a frame and a header")))
    }
    return .again
  }

  private mutating func beginSkippingHeader(lineIsBlank: Bool) -> Step {
    block = HeaderBlock()
    state = .skippedHeader(lineIsBlank: lineIsBlank)
    return .found(headerTooLong)
  }

  private mutating func endTooLongHeader() -> Step {
    block = HeaderBlock()
    isAfterBadBlock = true
    return .found(headerTooLong)
  }

  private mutating func skipHeaderLine(lineIsBlank: Bool) -> Step {
    guard let line = buffer.nextLine() else {
      let partialLine = buffer.drain()
      state = .skippedHeader(lineIsBlank: lineIsBlank && partialLine.allSatisfy(isLineEnd))
      return .moreBytesWanted
    }
    if lineIsBlank && line.allSatisfy(isLineEnd) {
      isAfterBadBlock = true
      state = .header
    } else {
      state = .skippedHeader(lineIsBlank: true)
    }
    return .again
  }

  private mutating func readBody(byteCount: Int) -> Step {
    guard let body = buffer.consume(byteCount) else {
      buffer.expect(byteCount)
      return .moreBytesWanted
    }
    state = .header
    return .found(.frame(body))
  }

  private mutating func skipBody(byteCount: Int) -> Step {
    let skippedCount = min(byteCount, buffer.count)
    buffer.drop(skippedCount)
    if skippedCount < byteCount {
      state = .skippedBody(byteCount: byteCount - skippedCount)
      return .moreBytesWanted
    }
    state = .header
    return .again
  }

  private var headerTooLong: FrameEvent {
    .problem(.invalidRequest("a header is over the limit of \(limits.headerBytesMax) bytes"))
  }
}
