import JSONRPC

extension JSON {
  /// Parses JSON from a service. Each lone surrogate in a string is replaced by U+FFFD.
  ///
  /// `init(parsing:)` rejects lone surrogates, but some programs write them. A lone surrogate in
  /// one issue must not make the whole list unreadable.
  package init(repairing bytes: [UInt8]) throws(JSONError) {
    do {
      self = try JSON(parsing: bytes)
    } catch {
      switch error.problem {
      case .loneSurrogate: self = try JSON(parsing: Self.repaired(bytes))
      default: throw error
      }
    }
  }

  /// Returns the JSON text with each lone surrogate replaced by `\ufffd`.
  private static func repaired(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      // A backslash is consumed together with the next byte, so that the `u` in `\\u` does not
      // begin an escape.
      guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else {
        result.append(bytes[index])
        index += 1
        continue
      }
      guard let unit = unit(in: bytes, at: index) else {
        result += bytes[index...(index + 1)]
        index += 2
        continue
      }
      switch unit {
      case 0xD800...0xDBFF:
        if let low = self.unit(in: bytes, at: index + 6), (0xDC00...0xDFFF).contains(low) {
          result += bytes[index..<(index + 12)]
          index += 12
          continue
        }
        result += replacement
      case 0xDC00...0xDFFF: result += replacement
      default: result += bytes[index..<(index + 6)]
      }
      index += 6
    }
    return result
  }

  private static let replacement = Array("\\ufffd".utf8)

  /// Returns the code unit of the escape `\uXXXX` at an index; `nil` if there is no such escape.
  private static func unit(in bytes: [UInt8], at index: Int) -> UInt16? {
    guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"),
      bytes[index + 1] == UInt8(ascii: "u")
    else { return nil }
    return UInt16(String(decoding: bytes[(index + 2)..<(index + 6)], as: UTF8.self), radix: 16)
  }
}
