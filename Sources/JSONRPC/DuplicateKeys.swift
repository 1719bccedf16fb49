/// A detector of repeated keys in one object, which takes constant time per key.
///
/// Most keys of an object differ in length, first byte or last byte. These three properties select
/// one of 64 bits, the signature of a key. Only keys with the same signature are compared. In an
/// object with many keys, each key is looked up in a set instead.
struct DuplicateKeys {
  private static let comparedMax = 16

  private var signatures: UInt64 = 0
  private var seen: Set<ByteExactText> = []

  /// Records a key, and returns whether it repeats an earlier key of the object.
  ///
  /// - Parameters:
  ///   - signature: the result of `signature(of:)` for the key.
  ///   - earlier: the keys of the object before this one.
  ///   - isEqual: returns whether two keys have the same bytes.
  ///   - text: returns the key as a string.
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

  /// Returns the signature of a key: a word in which a single bit is set. The length and the first
  /// and last bytes of the key select this bit.
  @inline(__always)
  static func signature(of bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    guard let first = bytes.first, let last = bytes.last else { return 1 }
    let mixed = bytes.count &+ Int(first) &* 7 &+ Int(last) &* 31
    return 1 << UInt64(mixed & 63)
  }
}
