import System

/// The bytes that have arrived and are not consumed yet.
///
/// Consuming moves an index; the memory is given back when bytes are appended. It remembers how
/// far it has looked for a line end, so that a line that arrives byte by byte is looked at once.
struct ReadBuffer {
  /// An empty buffer larger than this is released, so that one large frame is not paid for ever.
  private static let keptBytesMax = 1 << 20

  private var bytes: [UInt8] = []
  private var start = 0

  /// How far, from `start` on, there is no line feed.
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
      // At least as much is dropped as is moved, so that moving costs at most one step a byte.
      bytes.removeSubrange(..<start)
      start = 0
    }
    bytes.append(contentsOf: newBytes)
  }

  /// Says how many bytes will be taken at once when they are there.
  ///
  /// When an eighth of them is, room is made for the rest, which is then moved no more; so what is
  /// announced never takes more than eight times as much as what has arrived.
  mutating func expect(_ expectedCount: Int) {
    if count >= expectedCount / 8, bytes.capacity - start < expectedCount {
      bytes.reserveCapacity(start + expectedCount)
    }
  }

  /// Takes bytes up to a line feed, which is dropped; nil when there is none.
  mutating func nextLine() -> ArraySlice<UInt8>? {
    guard let lineCount = countBeforeLineFeed() else {
      searchedCount = count
      return nil
    }
    let line = bytes[start..<start + lineCount]
    drop(lineCount + 1)
    return line
  }

  /// Takes this many bytes, nil when there are fewer.
  mutating func consume(_ takenCount: Int) -> ArraySlice<UInt8>? {
    guard takenCount <= count else { return nil }
    let taken = bytes[start..<start + takenCount]
    drop(takenCount)
    return taken
  }

  /// Takes the body of a frame whose header is as nearly everybody writes it, a `Content-Length` and
  /// nothing else, when all of it is there; nil, and nothing is taken, in every other case.
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

/// Whether a byte is part of a line end.
func isLineEnd(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
}

/// Whether a byte is a space or a tab.
func isBlank(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
}
