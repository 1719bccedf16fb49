/// Detects repeated keys of one object, in constant time per key.
///
/// Most objects have few keys, which differ in length or in their first or last byte. Each such
/// signature sets one of 64 bits. If the bit is set already, the keys are compared, or looked up in
/// a set once there are many.
struct DuplicateKeys {
  private static let comparedMax = 16

  private var signatures: UInt64 = 0
  private var seen: Set<ByteExactText> = []

  /// Returns whether a key repeats an earlier one of its object, and records it.
  ///
  /// - Parameters:
  ///   - isEqual: whether two keys have the same bytes.
  ///   - text: the key as a string.
  @inline(__always)
  mutating func contains<Key>(
    _ key: Key, signature: UInt64, earlier: UnsafeBufferPointer<Key>,
    isEqual: (Key, Key) -> Bool, text: (Key) -> String
  ) -> Bool {
    let isNewSignature = signatures & signature == 0
    signatures |= signature
    if isNewSignature && earlier.count <= Self.comparedMax {
      return false
    }
    guard earlier.count > Self.comparedMax else {
      return earlier.contains { isEqual($0, key) }
    }
    if seen.isEmpty {
      for other in earlier { seen.insert(ByteExactText(text: text(other))) }
    }
    return !seen.insert(ByteExactText(text: text(key))).inserted
  }

  /// One of 64 bits, selected by the length and the first and last byte of a key.
  @inline(__always)
  static func signature(of bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    guard let first = bytes.first, let last = bytes.last else { return 1 }
    let mixed = bytes.count &+ Int(first) &* 7 &+ Int(last) &* 31
    return 1 << UInt64(mixed & 63)
  }
}
