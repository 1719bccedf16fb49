import System

/// The output of a program, split into frames. This takes as little work as possible, because the
/// program must be measured and not the benchmark.
struct ReceivedBytes: ~Copyable {
  private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 1)
  private var start = 0
  private var end = 0

  deinit { buffer.deallocate() }

  /// Reads the bytes that are available. Returns `false` at the end of the output.
  mutating func fill(from descriptor: Int32) -> Bool {
    if start == end {
      (start, end) = (0, 0)
    } else if end == buffer.count {
      makeRoom()
    }
    let room = UnsafeMutableRawBufferPointer(rebasing: buffer[end...])
    let count = read(descriptor, room.baseAddress, room.count)
    guard count > 0 else { return false }
    end += count
    return true
  }

  private mutating func makeRoom() {
    let kept = UnsafeRawBufferPointer(rebasing: buffer[start..<end])
    if kept.count * 2 > buffer.count {
      let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: buffer.count * 2, alignment: 1)
      larger.copyMemory(from: kept)
      buffer.deallocate()
      buffer = larger
    } else {
      buffer.copyMemory(from: kept)
    }
    (start, end) = (0, kept.count)
  }

  /// Returns the body of the next frame; `nil` if the frame is not complete yet. The body is valid
  /// until the next call of `fill`.
  mutating func nextFrame() -> UnsafeRawBufferPointer? {
    let bytes = UnsafeRawBufferPointer(rebasing: buffer[start..<end])
    guard let headerCount = bytes.offset(after: "\r\n\r\n"),
      let lengthOffset = UnsafeRawBufferPointer(rebasing: bytes[..<headerCount])
        .offset(after: "Content-Length: ")
    else { return nil }
    let bodyEnd = headerCount + bytes.number(at: lengthOffset)
    guard bodyEnd <= bytes.count else { return nil }
    start += bodyEnd
    return UnsafeRawBufferPointer(rebasing: bytes[headerCount..<bodyEnd])
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the end of the first occurrence of a text; `nil` if there is none.
  func offset(after text: StaticString) -> Int? {
    let textCount = text.utf8CodeUnitCount
    guard let baseAddress, textCount > 0 else { return nil }
    var offset = 0
    while let found = memchr(baseAddress + offset, Int32(text.utf8Start[0]), count - offset) {
      let start = UnsafeRawPointer(found) - baseAddress
      guard start + textCount <= count else { return nil }
      if memcmp(found, text.utf8Start, textCount) == 0 { return start + textCount }
      offset = start + 1
    }
    return nil
  }

  /// Returns the decimal number that begins at an offset.
  func number(at offset: Int) -> Int {
    var value = 0
    for byte in self[offset...] {
      guard case UInt8(ascii: "0")...UInt8(ascii: "9") = byte else { break }
      value = value &* 10 &+ Int(byte &- UInt8(ascii: "0"))
    }
    return value
  }

  /// Whether the bytes are a notification: whether they have a method near their beginning.
  var isNotification: Bool {
    UnsafeRawBufferPointer(rebasing: self[..<Swift.min(count, 64)])
      .offset(after: "\"method\":\"") != nil
  }

  /// The id of a response; `nil` if there is none. All requests of the benchmark have numbers as
  /// ids.
  var responseID: Int? { offset(after: "\"id\":").map { number(at: $0) } }
}
