import System

/// An instant in milliseconds since 1970-01-01T00:00:00Z, written as RFC 3339 in UTC.
package struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
  package var milliseconds: Int64

  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  package static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }

  /// The system's clock.
  package static var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(
      milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }

  /// Reads `2026-01-31T08:15:00Z` or `2026-01-31T08:15:00.250Z`; nil for anything else.
  package init?(rfc3339 text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 20 || bytes.count == 24, bytes[bytes.count - 1] == UInt8(ascii: "Z") else {
      return nil
    }
    for (index, separator) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")] {
      guard bytes[index] == separator.utf8.first else { return nil }
    }
    func number(_ range: Range<Int>) -> Int32? {
      var value: Int32 = 0
      for byte in bytes[range] {
        guard byte >= 48, byte <= 57 else { return nil }
        value = value * 10 + Int32(byte - 48)
      }
      return value
    }
    guard let year = number(0..<4), let month = number(5..<7), (1...12).contains(month),
      let day = number(8..<10), day >= 1, let hour = number(11..<13), hour < 24,
      let minute = number(14..<16), minute < 60, let second = number(17..<19), second <= 60,
      day <= Self.dayCount(ofMonth: month, year: year)
    else { return nil }
    var milliseconds: Int32 = 0
    if bytes.count == 24 {
      guard bytes[19] == UInt8(ascii: "."), let fraction = number(20..<23) else { return nil }
      milliseconds = fraction
    }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1_900, month - 1, day)
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (hour, minute, second)
    self.milliseconds = Int64(timegm(&parts)) * 1_000 + Int64(milliseconds)
  }

  /// RFC 3339 in UTC, with milliseconds.
  package var description: String {
    var seconds = time_t(milliseconds / 1_000)
    var fraction = milliseconds % 1_000
    if fraction < 0 {
      seconds -= 1
      fraction += 1_000
    }
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let year = Int(parts.tm_year) + 1_900
    var text: [UInt8] = []
    text.reserveCapacity(24)
    if year < 0 { text.append(UInt8(ascii: "-")) }
    text.append(decimal: year.magnitude, digitCount: 4)
    text.append("-", parts.tm_mon + 1)
    text.append("-", parts.tm_mday)
    text.append("T", parts.tm_hour)
    text.append(":", parts.tm_min)
    text.append(":", parts.tm_sec)
    text.append(UInt8(ascii: "."))
    text.append(decimal: UInt(fraction), digitCount: 3)
    text.append(UInt8(ascii: "Z"))
    return String(decoding: text, as: UTF8.self)
  }

  private static func dayCount(ofMonth month: Int32, year: Int32) -> Int32 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension [UInt8] {
  /// Appends a separator and two digits.
  fileprivate mutating func append(_ separator: Unicode.Scalar, _ value: Int32) {
    append(UInt8(ascii: separator))
    append(decimal: UInt(value.magnitude), digitCount: 2)
  }

  /// Appends at least so many digits.
  fileprivate mutating func append(decimal value: UInt, digitCount: Int) {
    var divisor: UInt = 1
    for _ in 1..<digitCount { divisor *= 10 }
    while value / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
      divisor /= 10
    }
  }
}
