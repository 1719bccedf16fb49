import FuzzDriver
import JSONRPC

/// Invariants of `FrameParser` for any stream of bytes.
@main enum FuzzFrames {
  /// Small limits, which inputs of a few bytes can exceed.
  private static let smallLimits = FrameLimits(frameBytesMax: 64, headerBytesMax: 96)
  private static let limits = [smallLimits, .standard]

  static func main() {
    fuzz { FuzzFrames.handle(Array(UnsafeBufferPointer(start: $0, count: $1))) }
  }

  private static func handle(_ input: [UInt8]) -> CInt {
    var random = InputRandom(input)
    for limits in limits {
      checkCutting(input, limits, &random)
      checkMemory(input, limits)
    }
    checkWayBack(input)
    if UInt8.random(in: 0...255, using: &random) == 0 { checkTime(input) }
    return 0
  }

  /// Checks that the events do not depend on how the bytes are split.
  private static func checkCutting(
    _ input: [UInt8], _ limits: FrameLimits, _ random: inout InputRandom
  ) {
    let whole = events(in: [input[...]], limits)
    let bytewise = input.indices.map { input[$0...$0] }
    check(events(in: bytewise, limits) == whole, "byte by byte the events differ")
    let pieces = random.pieces(of: input, sizeMax: 16)
    check(events(in: pieces, limits) == whole, "in pieces the events differ")
  }

  private static func events(
    in pieces: [ArraySlice<UInt8>], _ limits: FrameLimits
  ) -> [FrameEvent] {
    var parser = FrameParser(limits: limits)
    var events: [FrameEvent] = []
    for piece in pieces {
      parser.append(piece)
      while let event = parser.next() { events.append(event) }
    }
    while let event = parser.finish() {
      events.append(event)
      check(events.count <= input(pieces) + 1, "there are more events than bytes")
    }
    return events
  }

  private static func input(_ pieces: [ArraySlice<UInt8>]) -> Int {
    pieces.reduce(0) { $0 + $1.count }
  }

  /// Checks the memory of the parser. Whatever length the input announces, the parser keeps at most
  /// eight times the received bytes, plus 4 KiB.
  private static func checkMemory(_ input: [UInt8], _ limits: FrameLimits) {
    let before = allocatedByteCount()
    var parser = FrameParser(limits: limits)
    for half in [input.prefix(input.count / 2), input.suffix(input.count - input.count / 2)] {
      parser.append(half)
      while parser.next() != nil {}
    }
    let keptByteCount = allocatedByteCount() - before
    check(keptByteCount <= 8 * input.count + 4_096, "\(keptByteCount) bytes are kept")
    _ = parser.finish()
  }

  /// Checks that the parser finds a frame that follows any input. The input may have announced a
  /// body that is not complete, so the parser first gets enough line ends to complete the body.
  private static func checkWayBack(_ input: [UInt8]) {
    guard var padding = announcedByteCountMax(in: input, atMost: 4_096) else { return }
    padding += smallLimits.headerBytesMax
    var parser = FrameParser(limits: smallLimits)
    parser.append(input)
    while parser.next() != nil {}
    parser.append(repeatElement(Array("\r\n".utf8), count: padding).joined())
    while parser.next() != nil {}
    let body = Array("[1]".utf8)
    let isLines = parser.framing == .lines
    let header = Array("Content-Length: 3\r\n\r\n".utf8)
    parser.append(isLines ? body + Array("\n".utf8) : header + body)
    check(parser.next() == .frame(body[...]), "the frame after it is not found")
    check(parser.next() == nil, "there is something after the last frame")
  }

  /// Checks that parsing a mebibyte in pieces of 16 bytes takes less than a quarter of a second. A
  /// parser that reads each byte a few times needs a fifth of this limit. A quadratic parser would
  /// need several times the limit.
  private static func checkTime(_ input: [UInt8]) {
    guard !input.isEmpty else { return }
    let stream = Array(repeatElement(input, count: (1 << 20) / input.count + 1).joined())
    let start = threadMilliseconds()
    var parser = FrameParser()
    stream.withUnsafeBytes { stream in
      for offset in stride(from: 0, to: stream.count, by: 16) {
        parser.append(.init(rebasing: stream[offset..<min(offset + 16, stream.count)]))
        while parser.next() != nil {}
      }
    }
    _ = parser.finish()
    let milliseconds = threadMilliseconds() - start
    check(milliseconds < 250, "a mebibyte takes \(milliseconds) ms")
  }
}
