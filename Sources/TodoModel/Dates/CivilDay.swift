/// A day of the Gregorian calendar in the years 1 to 9999, without a time zone, such as
/// `2026-12-01`.
package struct CivilDay: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number of days since 1970-01-01.
  package let number: Int32

  package static let first = CivilDay(unchecked: CivilDate.days(year: 1, month: 1, day: 1))
  package static let last = CivilDay(unchecked: CivilDate.days(year: 9999, month: 12, day: 31))

  /// The length of `description`, in bytes.
  package static let textBytes = 10

  private init(unchecked number: Int64) { self.number = Int32(truncatingIfNeeded: number) }

  /// Creates a day from its number of days since 1970-01-01; `nil` outside the years 1 to 9999.
  package init?(number: Int64) {
    guard number >= Int64(Self.first.number), number <= Int64(Self.last.number) else { return nil }
    self.init(unchecked: number)
  }

  /// Creates a day from its year, month and day; `nil` for a date that does not exist, or outside
  /// the years 1 to 9999.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= CivilDate.dayCount(ofMonth: month, year: year)
    else { return nil }
    self.init(unchecked: CivilDate.days(year: year, month: month, day: day))
  }

  /// Parses a day such as `2026-12-01`; `nil` if the text has another form, or the day does not
  /// exist.
  package init?(_ text: Substring) {
    var text = text
    guard let day = text.withUTF8({ CivilDay(utf8: $0[...]) }) else { return nil }
    self = day
  }

  package init?(_ text: String) { self.init(text[...]) }

  init?(utf8 bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    var scanner = DigitScanner(bytes)
    guard let year = scanner.number(4), scanner.skip("-"), let month = scanner.number(2),
      scanner.skip("-"), let day = scanner.number(2), scanner.isAtEnd
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  package static func < (a: CivilDay, b: CivilDay) -> Bool { a.number < b.number }

  /// Returns the day that is `days` later; `nil` outside the years 1 to 9999.
  package func adding(days: Int) -> CivilDay? {
    let (sum, overflow) = Int64(number).addingReportingOverflow(Int64(days))
    return overflow ? nil : CivilDay(number: sum)
  }

  package var weekday: Weekday {
    // 1970-01-01 was a Thursday.
    let index = (Int(number) + Weekday.thursday.rawValue) % 7
    return Weekday(rawValue: index < 0 ? index + 7 : index) ?? .monday
  }

  package var lastOfMonth: CivilDay {
    let date = CivilDate(daysSince1970: Int64(number))
    let count = CivilDate.dayCount(ofMonth: Int(date.month), year: Int(date.year))
    return CivilDay(unchecked: Int64(number) + Int64(count) - Int64(date.day))
  }

  /// The day as text, such as `2026-12-01`. Sorting these texts sorts the days.
  package var description: String {
    let date = CivilDate(daysSince1970: Int64(number))
    // The digits without separators, such as 20261201.
    var rest = Int(date.year) * 10_000 + Int(date.month) * 100 + Int(date.day)
    return String(unsafeUninitializedCapacity: Self.textBytes) { bytes in
      for index in (0..<Self.textBytes).reversed() {
        let isDigit = index != 4 && index != 7
        bytes.initializeElement(
          at: index, to: isDigit ? UInt8(ascii: "0") + UInt8(rest % 10) : UInt8(ascii: "-"))
        if isDigit { rest /= 10 }
      }
      return Self.textBytes
    }
  }
}

/// A day of the week, Monday first.
package enum Weekday: Int, Sendable, CaseIterable {
  case monday, tuesday, wednesday, thursday, friday, saturday, sunday

  package var name: String {
    switch self {
    case .monday: "monday"
    case .tuesday: "tuesday"
    case .wednesday: "wednesday"
    case .thursday: "thursday"
    case .friday: "friday"
    case .saturday: "saturday"
    case .sunday: "sunday"
    }
  }

  /// The first three letters of the name, such as `fri`.
  package var abbreviation: String { String(name.prefix(3)) }
}

/// Returns a number in decimal digits, padded with zeros to at least `count` digits.
func paddedDigits(_ value: Int, _ count: Int) -> String {
  let digits = String(value)
  return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
}

/// A parser that consumes ASCII digits and separators from the start of a text.
struct DigitScanner {
  private var rest: Slice<UnsafeBufferPointer<UInt8>>

  init(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  /// Parses a number of exactly `count` digits. If fewer digits follow, returns `nil` and consumes
  /// nothing.
  mutating func number(_ count: Int) -> Int? {
    guard rest.count >= count else { return nil }
    var value = 0
    for byte in rest.prefix(count) {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    rest = rest.dropFirst(count)
    return value
  }

  /// Parses a time such as `17:30`, and returns the minutes since midnight. Returns `nil` for any
  /// other text, and if more text follows the time.
  mutating func minutesOfDay() -> Int? {
    guard let hours = number(2), skip(":"), let minutes = number(2), isAtEnd, hours < 24,
      minutes < 60
    else { return nil }
    return hours * 60 + minutes
  }

  /// Consumes a character if it comes next; otherwise returns `false`.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }
}
