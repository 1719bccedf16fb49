import System

/// A point in time, in milliseconds since 1970-01-01T00:00:00Z. Its text form is RFC 3339 in UTC.
package struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
  package var milliseconds: Int64

  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  package static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }

  /// The current time of the system's clock.
  package static var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(
      milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }

  /// Parses a time such as `2026-01-31T08:15:00Z` or `2026-01-31T08:15:00.250Z`; `nil` for any
  /// other text.
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
      day <= CivilDate.dayCount(ofMonth: Int(month), year: Int(year))
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

  /// The time in the format of RFC 3339, in UTC with milliseconds.
  package var description: String {
    withUnsafeTemporaryAllocation(byteCount: Self.bytesMax, alignment: 1) { room in
      let count = write(into: room)
      return String(decoding: room[..<count], as: UTF8.self)
    }
  }
}

// MARK: Writing

extension Timestamp {
  private static let dayMilliseconds: Int64 = 86_400_000

  /// The maximum length of `description`, in bytes. The year in it can have a sign and nine digits.
  package static let bytesMax = 30

  /// Writes `description` into a buffer as ASCII, and returns the number of bytes. This is five
  /// times as fast as creating a string.
  package func write(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var day = milliseconds / Self.dayMilliseconds
    var rest = milliseconds % Self.dayMilliseconds
    if rest < 0 {
      day -= 1
      rest += Self.dayMilliseconds
    }
    let date = CivilDate(daysSince1970: day)
    var text = Digits(buffer)
    if date.year < 0 { text.write("-") }
    text.write(year: date.year.magnitude)
    text.write("-")
    text.write(date.month, digitCount: 2)
    text.write("-")
    text.write(date.day, digitCount: 2)
    text.write("T")
    let (seconds, fraction) = UInt64(rest).quotientAndRemainder(dividingBy: 1_000)
    text.write(seconds / 3_600, digitCount: 2)
    text.write(":")
    text.write(seconds / 60 % 60, digitCount: 2)
    text.write(":")
    text.write(seconds % 60, digitCount: 2)
    text.write(".")
    text.write(fraction, digitCount: 3)
    text.write("Z")
    return text.count
  }
}

/// A writer of ASCII text into a buffer, which must be large enough.
private struct Digits {
  private let buffer: UnsafeMutableRawBufferPointer
  private(set) var count = 0

  init(_ buffer: UnsafeMutableRawBufferPointer) { self.buffer = buffer }

  mutating func write(_ character: Unicode.Scalar) {
    buffer[count] = UInt8(ascii: character)
    count += 1
  }

  /// Writes the last `digitCount` digits of a number, with leading zeros.
  mutating func write(_ value: UInt64, digitCount: Int) {
    var rest = value
    for offset in (0..<digitCount).reversed() {
      buffer[count &+ offset] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count &+= digitCount
  }

  /// Writes a year with at least four digits.
  mutating func write(year: UInt64) {
    var digitCount = 4
    var rest = year / 10_000
    while rest > 0 {
      digitCount += 1
      rest /= 10
    }
    write(year, digitCount: digitCount)
  }
}
