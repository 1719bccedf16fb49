import TodoModel

/// The text of a buffer, with an index of its lines.
///
/// A line ends with LF or CR LF. Whether a CR alone ends a line depends on the client, see
/// `LineEnds`.
struct BufferText: Sendable, Equatable {
  private(set) var bytes: [UInt8]
  /// The byte offset at which each line starts. Even an empty text has one line.
  private(set) var lineStarts: [Int]
  let lineEnds: LineEnds

  init(_ bytes: [UInt8], lineEnds: LineEnds = .feeds) {
    (self.bytes, self.lineEnds) = (bytes, lineEnds)
    lineStarts = lineEnds.lineStarts(of: bytes)
  }

  /// Creates a text from bytes whose line starts were already determined.
  init(bytes: [UInt8], lineStarts: [Int], lineEnds: LineEnds) {
    (self.bytes, self.lineStarts, self.lineEnds) = (bytes, lineStarts, lineEnds)
  }

  init(_ text: String, lineEnds: LineEnds = .feeds) {
    self.init(Array(text.utf8), lineEnds: lineEnds)
  }

  static let empty = BufferText([])

  static func == (a: BufferText, b: BufferText) -> Bool { a.bytes == b.bytes }

  /// The line ending of the first line; LF if the text has no line ending. Inserted lines get the
  /// same line ending.
  var lineEnd: [UInt8] {
    guard let end = bytes.firstIndex(of: Byte.newline), end > 0, bytes[end - 1] == Byte.return
    else { return [Byte.newline] }
    return [Byte.return, Byte.newline]
  }

  /// Returns a line without its ending; empty if the number is out of range.
  func line(_ number: Int) -> ArraySlice<UInt8> {
    guard lineStarts.indices.contains(number) else { return [] }
    return bytes[lineStarts[number]..<lineEndOffset(number)]
  }

  /// Returns the number of the line that contains a byte offset.
  func lineNumber(at offset: Int) -> Int {
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }

  // MARK: Positions

  /// Returns the byte offset of a position. Positions beyond the end of their line, or of the text,
  /// are clamped.
  func offset(of position: TextPosition, _ encoding: PositionEncoding) -> Int {
    guard position.line >= 0 else { return 0 }
    guard position.line < lineStarts.count else { return bytes.count }
    return encoding.offset(
      of: position.character, in: bytes[lineStarts[position.line]..<lineEndOffset(position.line)])
  }

  func position(of offset: Int, _ encoding: PositionEncoding) -> TextPosition {
    let offset = min(max(offset, 0), bytes.count)
    let line = lineNumber(at: offset)
    return TextPosition(
      line: line, character: encoding.count(of: bytes[lineStarts[line]..<offset]))
  }

  // MARK: Changes

  /// Returns the text after several replacements, which must be in ascending order. All ranges
  /// refer to the present text, as in LSP.
  func replacing(_ edits: [TextReplacement]) -> BufferText {
    var bytes = bytes
    for edit in edits.reversed() { bytes.replaceSubrange(edit.range, with: edit.text) }
    return BufferText(bytes, lineEnds: lineEnds)
  }

  private func lineEndOffset(_ line: Int) -> Int {
    guard line + 1 < lineStarts.count else { return bytes.count }
    let end = lineStarts[line + 1] - 1
    guard bytes[end] == Byte.newline, end > lineStarts[line] else { return end }
    return bytes[end - 1] == Byte.return ? end - 1 : end
  }
}

/// The line endings that a client recognizes when it counts lines.
enum LineEnds: Sendable {
  /// Only LF, for editors that show a CR alone as a character of the line.
  case feeds
  /// LF, CR LF, and CR alone, as LSP specifies.
  case feedsAndReturns

  fileprivate func lineStarts(of bytes: [UInt8]) -> [Int] {
    var starts = [0]
    bytes.withUnsafeBufferPointer { bytes in
      for index in bytes.indices
      where isEnd(bytes[index], next: index + 1 < bytes.count ? bytes[index + 1] : nil) {
        starts.append(index + 1)
      }
    }
    return starts
  }

  /// Whether a byte is the last byte of a line ending.
  ///
  /// - Parameter next: The byte after `byte`; `nil` at the end of the text.
  func isEnd(_ byte: UInt8, next: UInt8?) -> Bool {
    byte == Byte.newline || self == .feedsAndReturns && byte == Byte.return && next != Byte.newline
  }
}

/// An LSP position: the number of a line, and an offset in the line in units of the encoding.
struct TextPosition: Sendable, Equatable {
  var line: Int
  var character: Int
}

/// A byte range of a text, and its replacement.
struct TextReplacement: Sendable, Equatable {
  var range: Range<Int>
  var text: [UInt8]
}

enum Byte {
  static let newline = UInt8(ascii: "\n")
  static let `return` = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")

  /// Whether a byte is a UTF-8 continuation byte.
  static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
