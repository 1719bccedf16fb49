/// The lines of a text: what is between line feeds. Where the first line ends with a carriage
/// return, an editor has put one at the end of each, and it belongs to none.
struct LineScanner {
  private let bytes: [UInt8]
  private let hasReturns: Bool
  private var position = 0

  init(_ bytes: [UInt8]) {
    // A byte order mark is what some editors begin every text with.
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    self.bytes = bytes
    position = bytes.starts(with: mark) ? mark.count : 0
    let firstEnd = bytes.firstIndex(of: ASCII.newline) ?? 0
    hasReturns = firstEnd > 0 && bytes[firstEnd - 1] == ASCII.carriageReturn
  }

  /// Whether the last line has no end.
  var isCut: Bool { bytes.last.map { $0 != ASCII.newline } ?? false }

  var last: [UInt8] { Array(bytes.suffix { $0 != ASCII.newline }) }

  subscript(range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }

  mutating func next() -> Range<Int>? {
    guard position < bytes.count else { return nil }
    let start = position
    var end = start
    bytes.withUnsafeBufferPointer { bytes in
      while end < bytes.count, bytes[end] != ASCII.newline { end += 1 }
    }
    position = end + 1
    if hasReturns, end > start, bytes[end - 1] == ASCII.carriageReturn { end -= 1 }
    return start..<end
  }

  /// A note, from the lines that it is written in.
  func note(_ ranges: [Range<Int>]) -> String {
    var note: [UInt8] = []
    note.reserveCapacity(ranges.reduce(0) { $0 + $1.count + 1 })
    for (index, range) in ranges.enumerated() {
      if index > 0 { note.append(ASCII.newline) }
      note += bytes[range].droppingIndent
    }
    return String(decoding: note, as: UTF8.self)
  }
}

extension [UInt8] {
  fileprivate func suffix(_ isIncluded: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    self[(lastIndex { !isIncluded($0) }.map { $0 + 1 } ?? 0)...]
  }
}

extension ArraySlice<UInt8> {
  var trimmingBlanks: ArraySlice<UInt8> {
    var slice = self
    while let last = slice.last, ASCII.isBlank(last) { slice.removeLast() }
    while let first = slice.first, ASCII.isBlank(first) { slice.removeFirst() }
    return slice
  }

  /// Without the two spaces, or the tab, that make a line part of a note.
  var droppingIndent: ArraySlice<UInt8> {
    if first == ASCII.tab { return dropFirst() }
    return dropFirst(prefix(2).prefix { $0 == ASCII.space }.count)
  }

  func endsWithWord(_ word: [UInt8]) -> Bool {
    guard last == word.last, count >= word.count, suffix(word.count).elementsEqual(word) else {
      return false
    }
    return count == word.count || ASCII.isBlank(self[endIndex - word.count - 1])
  }
}
