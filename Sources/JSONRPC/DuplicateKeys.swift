/// Tells whether a key of an object has been seen, in constant time a key.
///
/// Most objects have a handful of keys that differ in length or in their first or last letter. One
/// bit for each such signature answers for them; a bit that is taken already is settled by
/// comparing the keys, and once there are many by a set.
struct DuplicateKeys {
  private static let comparedMax = 16

  private var signatures: UInt64 = 0
  private var seen: Set<ByteExactText> = []

  /// Notes a key and says whether it is among the earlier ones of its object.
  ///
  /// - Parameters:
  ///   - isEqual: whether two keys are the same, byte for byte.
  ///   - text: a key as a text.
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

  /// One of 64 bits, chosen by the length, the first and the last byte of a key.
  @inline(__always)
  static func signature(of bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    guard let first = bytes.first, let last = bytes.last else { return 1 }
    let mixed = bytes.count &+ Int(first) &* 7 &+ Int(last) &* 31
    return 1 << UInt64(mixed & 63)
  }
}
