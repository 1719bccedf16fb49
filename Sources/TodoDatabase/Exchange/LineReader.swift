import System
import TodoModel

/// A reader of the lines of an input. It reads the input in chunks, so that reading a file needs
/// only as much memory as the longest line of the file.
package struct LineReader: ~Copyable {
  /// The maximum length of a line, in bytes. It is enough for a todo with five contents (see
  /// `StoredTodo`) of 17 MiB each, even if every byte is written as an escape of six bytes.
  package static let lineBytesMax = 512 << 20
  private static let pieceBytes = 1 << 18

  private let read: () throws(TodoError) -> [UInt8]
  private var buffer: [UInt8] = []
  /// The index of the first byte that has not been returned yet.
  private var start = 0
  private var isAtEnd = false
  /// The number of the last line that was read, starting at 1.
  private(set) var number = 0

  /// Creates a reader of the bytes that a closure returns.
  ///
  /// - Parameter read: Returns the next bytes; an empty array at the end.
  package init(read: @escaping () throws(TodoError) -> [UInt8]) { self.read = read }

  /// Creates a reader of a descriptor, which the caller closes.
  package init(descriptor: CInt) {
    self.init { () throws(TodoError) in try Self.piece(from: descriptor) }
  }

  /// Creates a reader of a text.
  package init(text: String) {
    self.init { [] }
    buffer = Array(text.utf8)
  }

  /// Calls `body` with the next line, without its line feed.
  ///
  /// - Returns: `nil` at the end.
  /// - Throws: `storage` if reading fails, `validation` for a line that is too long, and the errors
  ///   of `body`.
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
      let piece = try read()
      buffer += piece
      isAtEnd = piece.isEmpty
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

  /// Returns the index of the next line feed; `nil` if there is none. It uses `memchr`, which is
  /// many times faster than a loop in a debug build.
  private func lineEnd(from start: Int) -> Int? {
    buffer.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, start < bytes.count,
        let found = memchr(base + start, CInt(UInt8(ascii: "\n")), bytes.count - start)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  /// Returns the next bytes of a descriptor; an empty array at the end.
  ///
  /// - Throws: `storage` if reading fails.
  package static func piece(from descriptor: CInt) throws(TodoError) -> [UInt8] {
    var (count, reason) = (-1, CInt(0))
    let piece = [UInt8](unsafeUninitializedCapacity: pieceBytes) { bytes, filled in
      repeat {
        count = System.read(descriptor, bytes.baseAddress, pieceBytes)
      } while count < 0 && errno == EINTR
      reason = errno
      filled = max(0, count)
    }
    guard count >= 0 else { throw .storage("The input cannot be read: \(systemReason(reason)).") }
    return piece
  }
}
