/// A parser for due dates as users type them. It ignores case and surrounding whitespace.
///
///     try DateInput.dueDate("fri 17:30", today: today)  // the next Friday after today
package enum DateInput {
  /// The accepted forms of a due date, as text for error messages.
  package static let forms =
    "2026-12-01, today, tomorrow, a weekday such as fri, +3d, +2w or eom (the end of the month), each "
    + "optionally followed by a time such as 17:30"

  /// Parses a due date, or throws an error for the user.
  ///
  /// - Parameters:
  ///   - text: The user's input.
  ///   - today: The current day in the user's time zone.
  ///   - field: The name of the field, which the error contains.
  /// - Throws: `validation` with the accepted forms, if the text has another form, or if the day
  ///   does not exist or is outside the years 1 to 9999.
  package static func dueDate(
    _ text: String, today: CivilDay, field: String = "due"
  ) throws(TodoError) -> DueDate {
    if let date = parse(text, today: today) { return date }
    throw .validation([FieldProblem(field: field, message: problem(with: text))])
  }

  /// Parses a due date in one of `forms`; returns `nil` for any other text.
  package static func parse(_ text: String, today: CivilDay) -> DueDate? {
    // A longer text has no accepted form.
    guard text.utf8.count <= bytesMax else { return nil }
    let text = text.trimmed.lowercased()
    let (first, rest) = separated(text)
    guard let day = day(first, today: today) else { return nil }
    guard let rest else { return DueDate(day) }
    guard let minutes = minutes(rest) else { return nil }
    return DueDate(day: day, minutes: minutes)
  }

  private static let bytesMax = 256

  private static func problem(with text: String) -> String {
    let rule = "A due date must be \(forms)."
    let (first, _) = separated(text.trimmed.lowercased())
    // The message repeats the user's text only if the text looks like a date. Such a text is short
    // and has no control characters.
    guard isDateLike(first), CivilDay(first) == nil else { return rule }
    return "There is no day \(first). \(rule)"
  }

  private static func isDateLike(_ text: Substring) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var scanner = DigitScanner(bytes[...])
      return scanner.number(4) != nil && scanner.skip("-") && scanner.number(2) != nil
        && scanner.skip("-") && scanner.number(2) != nil && scanner.isAtEnd
    }
  }

  /// Splits a text into its day and its optional time. The separator is the first whitespace or,
  /// after a date such as `2026-12-01`, a `T`.
  private static func separated(_ text: String) -> (Substring, Substring?) {
    if let space = text.firstIndex(where: \.isWhitespace) {
      return (text[..<space], text[space...].drop { $0.isWhitespace })
    }
    let bytes = text.utf8
    guard bytes.count > CivilDay.textBytes else { return (text[...], nil) }
    let end = bytes.index(bytes.startIndex, offsetBy: CivilDay.textBytes)
    guard bytes[end] == UInt8(ascii: "t") else { return (text[...], nil) }
    return (text[..<end], text[bytes.index(after: end)...])
  }

  private static func day(_ text: Substring, today: CivilDay) -> CivilDay? {
    switch text {
    case "today": return today
    case "tomorrow": return today.adding(days: 1)
    case "eom": return today.lastOfMonth
    default: break
    }
    if let weekday = Weekday.allCases.first(where: { text == $0.name || text == $0.abbreviation }) {
      let distance = (weekday.rawValue - today.weekday.rawValue + 6) % 7 + 1
      return today.adding(days: distance)
    }
    return text.first == "+" ? relative(text.dropFirst(), to: today) : CivilDay(text)
  }

  /// Parses a number of days or weeks after `today`, such as `3d` or `2w`, and returns the
  /// resulting day. Returns `nil` for any other text.
  private static func relative(_ text: Substring, to today: CivilDay) -> CivilDay? {
    let digits = text.dropLast()
    guard !digits.isEmpty,
      digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let count = Int(digits)
    else { return nil }
    switch text.last {
    case "d": return today.adding(days: count)
    case "w":
      let (days, overflow) = count.multipliedReportingOverflow(by: 7)
      return overflow ? nil : today.adding(days: days)
    default: return nil
    }
  }

  /// Parses a time such as `17:30` or `9:30`, and returns the minutes since midnight.
  private static func minutes(_ text: Substring) -> Int? {
    var text = text.utf8.count == 4 ? "0\(text)"[...] : text
    return text.withUTF8 { bytes in
      var scanner = DigitScanner(bytes[...])
      return scanner.minutesOfDay()
    }
  }
}
