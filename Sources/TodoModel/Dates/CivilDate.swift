/// A date of the proleptic Gregorian calendar: a year, a month and a day. It can be converted from
/// and to the number of days since 1970-01-01.
///
/// The algorithms are Howard Hinnant's `civil_from_days` and `days_from_civil`. They count in eras
/// of 400 years. Each year begins on the first of March, so that a leap day is the last day of its
/// year.
struct CivilDate {
  let year: Int64
  let month: UInt64
  let day: UInt64

  private static let daysOfEra: Int64 = 146_097
  /// The number of days from 0000-03-01 to 1970-01-01.
  private static let daysBefore1970: Int64 = 719_468

  init(daysSince1970: Int64) {
    let days = daysSince1970 + Self.daysBefore1970
    let era = (days >= 0 ? days : days - Self.daysOfEra + 1) / Self.daysOfEra
    let dayOfEra = UInt64(days - era * Self.daysOfEra)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = Int64(yearOfEra) + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Returns the number of days from 1970-01-01 to a date. The year must be at least 1.
  static func days(year: Int, month: Int, day: Int) -> Int64 {
    let year = Int64(month <= 2 ? year - 1 : year)
    let era = year / 400
    let yearOfEra = year - era * 400
    let monthFromMarch = Int64(month > 2 ? month - 3 : month + 9)
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * daysOfEra + dayOfEra - daysBefore1970
  }

  static func dayCount(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
