/// A search for the ranges of members and elements in JSON that was already checked.
///
/// All reads are checked against `count` nevertheless: invalid JSON would only end the walk early.
struct JSONWalk {
  private let bytes: UnsafePointer<UInt8>
  private let count: Int
  private var position = 0

  init(_ bytes: UnsafePointer<UInt8>, count: Int) {
    self.bytes = bytes
    self.count = count
  }

  /// Visits the members of the object at the position, each with the range of its value.
  @inline(__always)
  mutating func visitMembers(_ visit: (JSONKey, Range<Int>) -> Void) {
    position += 1
    while moveToNext() == UInt8(ascii: "\"") {
      let keyStart = position + 1
      let isEscaped = skipString()
      let key = JSONKey(
        start: keyStart, count: max(0, position - 1 - keyStart), isEscaped: isEscaped)
      guard moveToNext() == UInt8(ascii: ":") else { return }
      position += 1
      guard moveToNext() != nil else { return }
      let start = position
      skipValue()
      visit(key, start..<position)
    }
  }

  /// Visits the elements of the array at the position.
  @inline(__always)
  mutating func visitElements(_ visit: (Range<Int>) -> Void) {
    position += 1
    while let first = moveToNext(), first != UInt8(ascii: "]") {
      let start = position
      skipValue()
      guard position > start else { return }
      visit(start..<position)
    }
  }

  /// Skips whitespace and commas, and returns the byte at the position; `nil` at the end.
  @inline(__always)
  private mutating func moveToNext() -> UInt8? {
    while position < count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: ","): position += 1
      case let byte: return byte
      }
    }
    return nil
  }

  /// Skips a string.
  ///
  /// - Returns: whether it contains escapes.
  @inline(__always)
  private mutating func skipString() -> Bool {
    var isEscaped = false
    position += 1
    while position < count {
      position = SpecialBytes.firstEscape(in: bytes, from: position, to: count)
      guard position < count else { break }
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\"") { return isEscaped }
      if byte == UInt8(ascii: "\\") {
        isEscaped = true
        position = min(position + 1, count)
      }
    }
    return isEscaped
  }

  private mutating func skipValue() {
    guard position < count else { return }
    switch bytes[position] {
    case UInt8(ascii: "\""): _ = skipString()
    case UInt8(ascii: "{"), UInt8(ascii: "["): skipContainer()
    default:
      while position < count, !Self.endsScalar(bytes[position]) { position += 1 }
    }
  }

  private mutating func skipContainer() {
    var depth = 0
    while position < count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        _ = skipString()
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      position += 1
      if depth == 0 { return }
    }
  }

  private static func endsScalar(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"): true
    default: false
    }
  }
}
