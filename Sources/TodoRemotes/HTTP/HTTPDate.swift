import TodoModel

/// The instants that headers of HTTP name. What cannot be read is nil, never an error.
enum HTTPDate {
  /// `Retry-After`: seconds from now, or a date by the clock of who sent it.
  static func instant(after text: String, now: Timestamp, theirs: Timestamp?) -> Timestamp? {
    guard let seconds = Int64(text) else {
      return instant(text).map { byOurClock($0, now: now, theirs: theirs) }
    }
    guard seconds >= 0 else { return nil }
    return Timestamp(milliseconds: now.milliseconds + min(seconds, 366 * 86_400) * 1_000)
  }

  /// Converts an instant from another clock to ours: a difference that is longer than a response
  /// takes is subtracted.
  ///
  /// - Parameter theirs: The time of the other clock at `now`; `nil` if it is not known.
  static func byOurClock(_ instant: Timestamp, now: Timestamp, theirs: Timestamp?) -> Timestamp {
    guard let theirs else { return instant }
    let difference = now.milliseconds - theirs.milliseconds
    guard abs(difference) > differenceMillisecondsMax else { return instant }
    return Timestamp(milliseconds: instant.milliseconds + difference)
  }

  /// Answers take time, and dates are written in whole seconds.
  private static let differenceMillisecondsMax: Int64 = 2_000

  /// Seconds since 1970, up to the year 9999.
  static func instant(epochSeconds: Int64) -> Timestamp? {
    guard (0...253_402_300_799).contains(epochSeconds) else { return nil }
    return Timestamp(milliseconds: epochSeconds * 1_000)
  }

  /// `Wed, 21 Oct 2015 07:28:00 GMT`, the one form that is still written.
  static func instant(_ text: String) -> Timestamp? {
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT", parts[1].utf8.count == 2,
      let month = months.firstIndex(of: String(parts[2]))
    else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    return Timestamp(rfc3339: "\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
  }
}

extension HTTPResponse {
  /// When it was sent, by the clock of who sent it.
  var date: Timestamp? { value(of: "Date").flatMap { HTTPDate.instant($0) } }

  /// The end of a limit that is used up; `nil` if the response has none, or it has passed.
  func resetInstant(now: Timestamp) -> Timestamp? {
    guard let reset = value(of: "X-RateLimit-Reset").flatMap({ Int64($0) }),
      let named = HTTPDate.instant(epochSeconds: reset)
    else { return nil }
    let instant = HTTPDate.byOurClock(named, now: now, theirs: date)
    return instant > now ? SyncEngine.limitEnd(instant, at: now) : nil
  }
}
