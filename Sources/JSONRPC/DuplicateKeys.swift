/// Tells whether a key of an object has been seen, in constant time a key.
///
/// Most objects have a handful of keys that differ in length or in their first or last letter. One
/// bit for each such signature answers for them; a bit that is taken already is settled by
/// comparing the keys, and once there are many by a set.
struct DuplicateKeys {
  private static let comparedMax = 16

  private var signatures: UInt64 = 0
  private var seen: Set<ByteExactText> = []

  /// Notes a key and says whether it is among the earlier `members`.
  @inline(__always)
  mutating func contains(
    _ key: String, signature: UInt64, members: UnsafeBufferPointer<JSONObject.Member>
  ) -> Bool {
    let isNewSignature = signatures & signature == 0
    signatures |= signature
    if isNewSignature && members.count <= Self.comparedMax {
      return false
    }
    return search(key, members: members)
  }

  @inline(never)
  private mutating func search(
    _ key: String, members: UnsafeBufferPointer<JSONObject.Member>
  ) -> Bool {
    guard members.count > Self.comparedMax else {
      return members.contains { $0.key.hasSameBytes(as: key) }
    }
    if seen.isEmpty {
      seen.formUnion(members.lazy.map { ByteExactText(text: $0.key) })
    }
    return !seen.insert(ByteExactText(text: key)).inserted
  }

  /// One of 64 bits, chosen by the length, the first and the last byte of a key as it is written.
  @inline(__always)
  static func signature(of bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    guard let first = bytes.first, let last = bytes.last else { return 1 }
    let mixed = bytes.count &+ Int(first) &* 7 &+ Int(last) &* 31
    return 1 << UInt64(mixed & 63)
  }
}
