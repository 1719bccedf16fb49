import System

/// A parser for the most common form of a call: an object that contains only `jsonrpc`, `id`,
/// `method` and `params`, each at most once. The keys and the method are ASCII without escapes, and
/// the id has at most 18 digits.
///
/// It takes a third of the instructions of the general parser. Any other message, valid or not, is
/// left to `MessageScan`, which reports the errors.
struct FastPathCall {
  private var hasVersion = false
  private var id: Int64?
  private var method: Range<Int>?
  private var params: Range<Int>?

  /// Parses a call in the most common form; returns `nil` for any other message.
  static func scan(
    _ bytes: UnsafePointer<UInt8>, count: Int, limits: JSONLimits
  ) -> ScannedMessage? {
    guard bytes[0] == UInt8(ascii: "{") else { return nil }
    return JSONScanner.scan(bytes, count: count, limits: limits) { scanner in
      var call = FastPathCall()
      do throws(JSONError) {
        _ = try scanner.cursor.beginValue()
        guard try call.scanMembers(&scanner) else { return nil }
        try scanner.cursor.checkEnd()
      } catch {
        return nil
      }
      return call.message(in: bytes)
    }
  }

  private mutating func scanMembers(_ scanner: inout JSONScanner) throws(JSONError) -> Bool {
    var hasNext = try scanner.open(isObject: true)
    while hasNext {
      let isFastPath: Bool
      if Self.skipKey(#""jsonrpc""#, &scanner) {
        isFastPath = try scanVersion(&scanner)
      } else if Self.skipKey(#""id""#, &scanner) {
        isFastPath = try scanID(&scanner)
      } else if Self.skipKey(#""method""#, &scanner) {
        isFastPath = try scanMethod(&scanner)
      } else if Self.skipKey(#""params""#, &scanner) {
        isFastPath = params == nil
        params = try scanner.scanValue()
      } else {
        isFastPath = false
      }
      guard isFastPath else { return false }
      hasNext = try scanner.moveToNextChild()
    }
    return true
  }

  /// Skips the given key, its colon and the whitespace between them.
  ///
  /// - Returns: `false` if another key is next; nothing is skipped then.
  @inline(__always)
  private static func skipKey(_ key: StaticString, _ scanner: inout JSONScanner) -> Bool {
    let count = key.utf8CodeUnitCount
    let start = scanner.cursor.position
    guard scanner.cursor.count - start > count,
      memcmp(scanner.cursor.bytes + start, key.utf8Start, count) == 0
    else { return false }
    scanner.cursor.position = start + count
    scanner.cursor.skipWhiteSpace()
    guard scanner.cursor.peek() == UInt8(ascii: ":") else {
      scanner.cursor.position = start
      return false
    }
    scanner.cursor.position += 1
    return true
  }

  @inline(__always)
  private mutating func scanVersion(_ scanner: inout JSONScanner) throws(JSONError) -> Bool {
    let version: StaticString = #""2.0""#
    let count = version.utf8CodeUnitCount
    _ = try scanner.cursor.beginValue()
    guard !hasVersion, scanner.cursor.count - scanner.cursor.position >= count,
      memcmp(scanner.cursor.bytes + scanner.cursor.position, version.utf8Start, count) == 0
    else { return false }
    scanner.cursor.position += count
    hasVersion = true
    return true
  }

  /// Parses an id of up to 18 digits, which fit into 64 bits.
  ///
  /// - Returns: `false` for any other id, which is left to the general parser.
  @inline(__always)
  private mutating func scanID(_ scanner: inout JSONScanner) throws(JSONError) -> Bool {
    let first = try scanner.cursor.beginValue() &- UInt8(ascii: "0")
    guard id == nil, first <= 9 else { return false }
    scanner.cursor.position += 1
    var number = Int64(first)
    var digitCount = 1
    while true {
      let digit = scanner.cursor.peek() &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      // A leading zero must be the only digit.
      guard digitCount < 18, first != 0 else { return false }
      number = number * 10 + Int64(digit)
      digitCount += 1
      scanner.cursor.position += 1
    }
    id = number
    return true
  }

  @inline(__always)
  private mutating func scanMethod(_ scanner: inout JSONScanner) throws(JSONError) -> Bool {
    guard try scanner.cursor.beginValue() == UInt8(ascii: "\""), method == nil else { return false }
    let start = scanner.cursor.position + 1
    let end = SpecialBytes.first(in: scanner.cursor.bytes, from: start, to: scanner.cursor.count)
    guard end < scanner.cursor.count, scanner.cursor.bytes[end] == UInt8(ascii: "\"") else {
      return false
    }
    method = start..<end
    scanner.cursor.position = end + 1
    return true
  }

  private func message(in bytes: UnsafePointer<UInt8>) -> ScannedMessage? {
    guard hasVersion, let method else { return nil }
    if let params {
      switch bytes[params.lowerBound] {
      case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "n"): break
      default: return nil
      }
    }
    let name = UnsafeBufferPointer(start: bytes + method.lowerBound, count: method.count)
    return .call(
      id: id.map { .integer($0) }, method: String(decoding: name, as: UTF8.self), params: params)
  }
}
