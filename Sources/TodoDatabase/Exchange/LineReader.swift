import System
import TodoModel

/// Reads lines from a descriptor, in pieces, so that a long file costs no more than its longest
/// line.
package struct LineReader: ~Copyable {
  /// The longest line that is taken. A note may be 1 MiB, there are three sides of it in a
  /// conflict, and a byte may be written in six.
  package static let lineBytesMax = 64 << 20
  private static let pieceBytes = 1 << 18

  private let descriptor: CInt
  private var buffer: [UInt8] = []
  /// What was handed out already.
  private var start = 0
  private var isAtEnd = false
  /// The number of the line that was read last; the first is 1.
  private(set) var number = 0

  package init(descriptor: CInt) { self.descriptor = descriptor }

  /// Reads lines that are there already.
  package init(text: String) {
    descriptor = -1
    buffer = Array(text.utf8)
    isAtEnd = true
  }

  /// Hands the next line without its end to `body`; nil at the end. Throws `storage` when nothing
  /// can be read, `validation` for a line that is too long, and what `body` throws.
  mutating func next<Value>(
    _ body: (UnsafeRawBufferPointer) throws(TodoError) -> Value
  ) throws(TodoError) -> Value? {
    var searched = start
    while true {
      if let end = lineEnd(from: searched) {
        return try hand(out: start..<end, thenFrom: end + 1, body)
      }
      guard !isAtEnd else {
        return start < buffer.count
          ? try hand(out: start..<buffer.count, thenFrom: buffer.count, body) : nil
      }
      guard buffer.count - start <= Self.lineBytesMax else {
        number += 1
        throw .wrongLine("It is longer than \(Self.lineBytesMax) bytes.")
      }
      searched = buffer.count - start
      buffer.removeSubrange(..<start)
      start = 0
      try readPiece()
    }
  }

  private mutating func hand<Value>(
    out range: Range<Int>, thenFrom next: Int,
    _ body: (UnsafeRawBufferPointer) throws(TodoError) -> Value
  ) throws(TodoError) -> Value {
    number += 1
    start = next
    let outcome = buffer.withUnsafeBytes { bytes in
      Result { () throws(TodoError) in
        try body(UnsafeRawBufferPointer(rebasing: bytes[range]))
      }
    }
    return try outcome.get()
  }

  /// The next line feed. `memchr` finds it many times faster than a loop does in a debug build.
  private func lineEnd(from start: Int) -> Int? {
    buffer.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, start < bytes.count,
        let found = memchr(base + start, CInt(UInt8(ascii: "\n")), bytes.count - start)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  private mutating func readPiece() throws(TodoError) {
    let descriptor = descriptor
    var (count, reason) = (-1, CInt(0))
    let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceBytes) { bytes, filled in
      repeat {
        count = read(descriptor, bytes.baseAddress, Self.pieceBytes)
      } while count < 0 && errno == EINTR
      reason = errno
      filled = max(0, count)
    }
    guard count >= 0 else { throw .storage("The input cannot be read: \(systemReason(reason)).") }
    buffer += piece
    isAtEnd = count == 0
  }
}
