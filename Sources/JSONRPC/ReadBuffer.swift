import System

/// The bytes that were received and are not yet consumed.
///
/// Consuming advances an index; the memory is reused when more bytes are appended. The buffer
/// caches how far it has searched for a line end, so that a line that arrives byte by byte is
/// searched once.
struct ReadBuffer {
  /// The capacity above which an empty buffer is released, so that one large frame does not occupy
  /// memory forever.
  private static let keptBytesMax = 1 << 20

  private var bytes: [UInt8] = []
  private var start = 0

  /// The number of bytes from `start` that were already searched, without finding a line feed.
  private var searchedCount = 0

  var count: Int { bytes.count - start }

  var first: UInt8? {
    start < bytes.count ? bytes[start] : nil
  }

  mutating func append(_ newBytes: UnsafeRawBufferPointer) {
    if start == bytes.count {
      bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptBytesMax)
      start = 0
    } else if start >= count {
      // At least as many bytes are dropped as are moved, so moving costs at most one step per byte.
      bytes.removeSubrange(..<start)
      start = 0
    }
    bytes.append(contentsOf: newBytes)
  }

  /// Announces the number of bytes that the next `consume(_:)` will need.
  ///
  /// When an eighth of these bytes has arrived, capacity for the rest is reserved, so that the
  /// arrived bytes are not moved again. Therefore, the reserved capacity is never more than eight
  /// times the number of received bytes, whatever length was announced.
  mutating func expect(_ expectedCount: Int) {
    if count >= expectedCount / 8, bytes.capacity - start < expectedCount {
      bytes.reserveCapacity(start + expectedCount)
    }
  }

  /// Consumes a line and its line feed, and returns it without the line feed; `nil` if there is no
  /// line feed.
  mutating func nextLine() -> ArraySlice<UInt8>? {
    guard let lineCount = countBeforeLineFeed() else {
      searchedCount = count
      return nil
    }
    let line = bytes[start..<start + lineCount]
    drop(lineCount + 1)
    return line
  }

  /// Consumes and returns this many bytes; `nil` if fewer have arrived.
  mutating func consume(_ takenCount: Int) -> ArraySlice<UInt8>? {
    guard takenCount <= count else { return nil }
    let taken = bytes[start..<start + takenCount]
    drop(takenCount)
    return taken
  }

  /// Consumes a complete frame whose header consists only of a `Content-Length` in its usual form.
  ///
  /// - Returns: the body; `nil` for any other input, of which nothing is consumed.
  mutating func nextFastPathFrame(_ limits: FrameLimits) -> ArraySlice<UInt8>? {
    guard let frame = fastPathFrame(limits) else { return nil }
    let body = bytes[start + frame.headerByteCount..<start + frame.headerByteCount + frame.length]
    drop(frame.headerByteCount + frame.length)
    return body
  }

  private func fastPathFrame(_ limits: FrameLimits) -> (headerByteCount: Int, length: Int)? {
    bytes.withUnsafeBytes { buffer in
      let name: StaticString = "Content-Length: "
      let end: StaticString = "\r\n\r\n"
      guard let base = buffer.baseAddress.map({ $0 + start }), count > name.utf8CodeUnitCount,
        memcmp(base, name.utf8Start, name.utf8CodeUnitCount) == 0
      else { return nil }
      var position = name.utf8CodeUnitCount
      var length = 0
      // Up to nine digits: no overflow.
      while position < count, position < name.utf8CodeUnitCount + 9 {
        let digit = base.load(fromByteOffset: position, as: UInt8.self) &- UInt8(ascii: "0")
        guard digit <= 9 else { break }
        length = length * 10 + Int(digit)
        position += 1
      }
      let headerByteCount = position + end.utf8CodeUnitCount
      guard position > name.utf8CodeUnitCount, headerByteCount <= count,
        memcmp(base + position, end.utf8Start, end.utf8CodeUnitCount) == 0,
        headerByteCount <= limits.headerBytesMax, length <= limits.frameBytesMax,
        length <= count - headerByteCount
      else { return nil }
      return (headerByteCount, length)
    }
  }

  mutating func drain() -> ArraySlice<UInt8> {
    let taken = bytes[start...]
    drop(count)
    return taken
  }

  mutating func drop(_ droppedCount: Int) {
    start += min(droppedCount, count)
    searchedCount = 0
  }

  mutating func dropAll() {
    drop(count)
  }

  mutating func skip(while isSkipped: (UInt8) -> Bool) {
    while let byte = first, isSkipped(byte) {
      start += 1
    }
    searchedCount = 0
  }

  private func countBeforeLineFeed() -> Int? {
    bytes.withUnsafeBytes { buffer in
      let searched = buffer[(start + searchedCount)...]
      guard let base = UnsafeRawBufferPointer(rebasing: searched).baseAddress,
        let found = memchr(base, Int32(UInt8(ascii: "\n")), searched.count)
      else { return nil }
      return searchedCount + (UnsafeRawPointer(found) - base)
    }
  }
}

/// Whether the byte is part of a line end.
func isLineEnd(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
}

/// Whether the byte is a space or a tab.
func isBlank(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
}
