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
  package init?(_ text: some StringProtocol) {
    let bytes = text.utf8
    guard bytes.count > CivilDay.textBytes else {
      guard let day = CivilDay(text) else { return nil }
      self.init(day)
      return
    }
    let end = bytes.index(bytes.startIndex, offsetBy: CivilDay.textBytes)
    guard bytes[end] == UInt8(ascii: "T"), let day = CivilDay(text[..<end]) else { return nil }
    var time = DigitScanner(text[bytes.index(after: end)...])
    guard let hours = time.number(2), time.skip(":"), let minutes = time.number(2), time.isAtEnd,
      hours < 24, minutes < 60
    else { return nil }
    self.init(day: day, minutes: hours * 60 + minutes)
  }

  package static func < (a: DueDate, b: DueDate) -> Bool {
    (a.day, a.minutes ?? -1) < (b.day, b.minutes ?? -1)
  }

  package var description: String {
    guard let minutes else { return day.description }
    return "\(day)T\(paddedDigits(minutes / 60, 2)):\(paddedDigits(minutes % 60, 2))"
  }
}
