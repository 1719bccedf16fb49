/// The due date of a todo: a day, optionally with a time, in the user's wall-clock time.
///
/// The text form is `2026-12-01` or `2026-12-01T17:30`. Due dates are sorted like these texts: a
/// day without a time comes before all times of that day.
package struct DueDate: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let day: CivilDay
  /// Minutes since midnight; `nil` for a day without a time.
  package let minutes: Int?

  package static let minutesOfDay = 1_440

  /// Creates a due date; `nil` if the minutes are not in the range 0 to 1,439.
  package init?(day: CivilDay, minutes: Int?) {
    if let minutes, !(0..<Self.minutesOfDay).contains(minutes) { return nil }
    self.day = day
    self.minutes = minutes
  }

  package init(_ day: CivilDay) {
    self.day = day
    minutes = nil
  }

  /// Parses the text form, `2026-12-01` or `2026-12-01T17:30`; `nil` for any other text.
  package init?(_ text: Substring) {
    var text = text
    guard let due = text.withUTF8({ DueDate(utf8: $0[...]) }) else { return nil }
    self = due
  }

  package init?(_ text: String) { self.init(text[...]) }

  private init?(utf8 bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    let time = bytes.dropFirst(CivilDay.textBytes)
    guard let day = CivilDay(utf8: bytes.prefix(CivilDay.textBytes)) else { return nil }
    guard !time.isEmpty else {
      self.init(day)
      return
    }
    var scanner = DigitScanner(time)
    guard scanner.skip("T"), let minutes = scanner.minutesOfDay() else { return nil }
    self.init(day: day, minutes: minutes)
  }

  package static func < (a: DueDate, b: DueDate) -> Bool {
    (a.day, a.minutes ?? -1) < (b.day, b.minutes ?? -1)
  }

  package var description: String {
    guard let minutes else { return day.description }
    return "\(day)T\(paddedDigits(minutes / 60, 2)):\(paddedDigits(minutes % 60, 2))"
  }
}
