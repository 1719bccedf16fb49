import TodoModel

/// A date or time of iCalendar, in the form in which it was written.
struct CalendarTime: Sendable, Equatable {
  enum Form: Sendable, Equatable {
    case day
    /// A time by the user's wall clock, without a time zone.
    case floating
    case utc
    /// A time by the wall clock of a time zone.
    case zone(String)
  }

  var form: Form
  /// The date and time on the clock that `form` specifies.
  var date: DueDate

  /// Parses the value of a property.
  ///
  /// - Returns: `nil` if the value is neither a date nor a time.
  init?(_ property: CalendarProperty) {
    let text = property.valueText.trimmed
    let digits = Array(text.utf8)
    guard digits.count >= 8, let day = Self.day(digits[..<8]) else { return nil }
    guard digits.count > 8 else {
      guard property[parameter: "VALUE"]?.uppercased() ?? "DATE" == "DATE" else { return nil }
      self.init(form: .day, date: DueDate(day))
      return
    }
    let isUTC = digits.last == UInt8(ascii: "Z")
    guard digits.count == (isUTC ? 16 : 15), digits[8] == UInt8(ascii: "T"),
      property[parameter: "VALUE"]?.uppercased() ?? "DATE-TIME" == "DATE-TIME",
      let hour = Self.number(digits[9..<11]), let minute = Self.number(digits[11..<13]),
      let second = Self.number(digits[13..<15]), hour < 24, minute < 60, second <= 60,
      let date = DueDate(day: day, minutes: hour * 60 + minute)
    else { return nil }
    let zone = property[parameter: "TZID"].map { Form.zone($0) } ?? .floating
    self.init(form: isUTC ? .utc : zone, date: date)
  }

  init(form: Form, date: DueDate) { (self.form, self.date) = (form, date) }

  /// The text of the value, such as `20261201` or `20261201T173000`; with `Z` at its end for UTC.
  var value: String {
    let text = date.description.filter { $0 != "-" && $0 != ":" }
    guard date.minutes != nil else { return text }
    return text + (form == .utc ? "00Z" : "00")
  }

  /// The parameters of a property with this value.
  var parameters: [String] {
    switch form {
    case .day: ["VALUE=DATE"]
    case .floating, .utc: []
    case .zone(let name): [Self.parameter(zone: name)]
    }
  }

  private static func parameter(zone: String) -> String {
    zone.contains { ":;,".contains($0) } ? "TZID=\"\(zone)\"" : "TZID=\(zone)"
  }

  /// Returns the text of a time in UTC, with seconds.
  static func utc(_ instant: Timestamp) -> String {
    let text = instant.description.prefix { $0 != "." }
    return text.filter { $0 != "-" && $0 != ":" } + "Z"
  }

  /// Parses a time in UTC, as in the property `CREATED`; `nil` for any other value.
  static func instant(_ property: CalendarProperty) -> Timestamp? {
    let text = Array(property.valueText.trimmed.utf8)
    guard text.count == 16, text[15] == UInt8(ascii: "Z") else { return nil }
    func part(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
    return Timestamp(
      rfc3339: "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T"
        + "\(part(9..<11)):\(part(11..<13)):\(part(13..<15))Z")
  }

  private static func day(_ digits: ArraySlice<UInt8>) -> CivilDay? {
    let start = digits.startIndex
    guard let year = number(digits[start..<(start + 4)]),
      let month = number(digits[(start + 4)..<(start + 6)]),
      let day = number(digits[(start + 6)..<(start + 8)])
    else { return nil }
    return CivilDay(year: year, month: month, day: day)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for byte in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value
  }
}

/// A converter between the times of calendar objects and the user's wall clock.
package struct CalendarClock: Sendable {
  /// Returns how far the user's wall clock is ahead of UTC at a time, in milliseconds.
  let utcOffset: @Sendable (Timestamp) -> Int64
  /// Returns how far the clock of a time zone is ahead of UTC at a time, in milliseconds; `nil` if
  /// the zone is not known.
  let zoneOffset: @Sendable (_ zone: String, Timestamp) -> Int64?

  package init(
    utcOffset: @escaping @Sendable (Timestamp) -> Int64,
    zoneOffset: @escaping @Sendable (_ zone: String, Timestamp) -> Int64?
  ) {
    (self.utcOffset, self.zoneOffset) = (utcOffset, zoneOffset)
  }

  /// Converts a time to the user's wall clock. A time of an unknown time zone is returned
  /// unchanged.
  func wallClock(_ time: CalendarTime) -> DueDate {
    switch time.form {
    case .day, .floating: return time.date
    case .utc: return Self.date(of: Self.milliseconds(time.date), offset: utcOffset) ?? time.date
    case .zone(let name):
      guard let instant = instant(time.date, in: name) else { return time.date }
      return Self.date(of: instant, offset: utcOffset) ?? time.date
    }
  }

  /// Converts a time of the user's wall clock to a time in the given form.
  func time(_ date: DueDate, in form: CalendarTime.Form) -> CalendarTime {
    guard date.minutes != nil else { return CalendarTime(form: .day, date: date) }
    switch form {
    case .day, .floating: return CalendarTime(form: .floating, date: date)
    case .utc:
      let instant = Self.instant(date, offset: utcOffset)
      return CalendarTime(form: .utc, date: Self.date(of: instant) { _ in 0 } ?? date)
    case .zone(let name):
      let instant = Self.instant(date, offset: utcOffset)
      guard let offset = zoneOffset(name, Timestamp(milliseconds: instant)) else {
        return CalendarTime(form: form, date: date)
      }
      return CalendarTime(form: form, date: Self.date(of: instant) { _ in offset } ?? date)
    }
  }

  private func instant(_ date: DueDate, in zone: String) -> Int64? {
    guard zoneOffset(zone, Timestamp(milliseconds: 0)) != nil else { return nil }
    return Self.instant(date) { zoneOffset(zone, $0) ?? 0 }
  }

  private static let (minuteMilliseconds, dayMilliseconds): (Int64, Int64) = (60_000, 86_400_000)

  private static func milliseconds(_ date: DueDate) -> Int64 {
    Int64(date.day.number) * dayMilliseconds + Int64(date.minutes ?? 0) * minuteMilliseconds
  }

  /// Returns the time in UTC at which a wall clock shows a date and time. If the clock shows this
  /// date and time twice, such as at the end of daylight saving time, returns one of the two times.
  private static func instant(_ date: DueDate, offset: (Timestamp) -> Int64) -> Int64 {
    let local = milliseconds(date)
    let guess = local - offset(Timestamp(milliseconds: local))
    return local - offset(Timestamp(milliseconds: guess))
  }

  private static func date(of instant: Int64, offset: (Timestamp) -> Int64) -> DueDate? {
    let local = instant + offset(Timestamp(milliseconds: instant))
    let rest = local % dayMilliseconds
    let time = rest < 0 ? rest + dayMilliseconds : rest
    guard let day = CivilDay(number: (local - time) / dayMilliseconds) else { return nil }
    return DueDate(day: day, minutes: Int(time / minuteMilliseconds))
  }
}
