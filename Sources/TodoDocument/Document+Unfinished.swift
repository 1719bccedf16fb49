import TodoModel

/// Texts that a program is still writing, or has written only in part.
extension Document {
  /// Reads a text that may still be growing. Leaves out the last entry, which may be incomplete,
  /// unless the end marker is below this entry.
  package init(unfinished bytes: [UInt8], on today: CivilDay, marks: AssignedMarks) {
    let (document, places) = Document.located(in: bytes, on: today, marks: marks)
    self = document
    guard let last = places.entries.last else { return }
    if let end = places.end, last.lowerBound < end.lowerBound { return }
    entries.removeLast()
    // The rest is complete.
    (half, isWhole) = (nil, true)
  }

  /// Returns the bytes without an incomplete UTF-8 character at the end.
  package static func withoutHalfCharacter(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    guard let start = bytes.suffix(3).lastIndex(where: { $0 & 0xC0 != 0x80 }) else {
      return bytes[...]
    }
    let count =
      switch bytes[start] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    return bytes.count - start < count ? bytes[..<start] : bytes[...]
  }
}
