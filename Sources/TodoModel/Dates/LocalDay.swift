import System

extension Timestamp {
  /// The day of the instant in UTC; the first or last day for instants outside the years 1 to 9999.
  package var dayInUTC: CivilDay {
    let (days, rest) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
    return CivilDay(number: rest < 0 ? days - 1 : days)
      ?? (milliseconds < 0 ? CivilDay.first : CivilDay.last)
  }

  /// The day of the instant in the time zone of the system.
  package var localDay: CivilDay {
    var seconds = time_t(milliseconds / 1_000)
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return dayInUTC }
    return CivilDay(
      year: Int(parts.tm_year) + 1_900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
      ?? dayInUTC
  }
}
