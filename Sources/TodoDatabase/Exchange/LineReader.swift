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
      let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n"))
      if let end { return try hand(out: start..<end, thenFrom: end + 1, body) }
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

  private mutating func readPiece() throws(TodoError) {
    let before = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: Self.pieceBytes))
    var count: Int
    repeat {
      count = buffer.withUnsafeMutableBytes { bytes in
        read(
          descriptor, UnsafeMutableRawBufferPointer(rebasing: bytes[before...]).baseAddress,
          Self.pieceBytes)
      }
    } while count < 0 && errno == EINTR
    let reason = errno
    buffer.removeLast(Self.pieceBytes - max(0, count))
    guard count >= 0 else { throw .storage("The input cannot be read: \(systemReason(reason)).") }
    isAtEnd = count == 0
  }
}
