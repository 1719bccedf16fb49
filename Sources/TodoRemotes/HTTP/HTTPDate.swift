import TodoModel

/// Parsers for the times in HTTP headers. They return `nil` for an invalid time.
enum HTTPDate {
  /// Returns the time that a `Retry-After` header names. The header contains a number of seconds
  /// from now, or a date by the server's clock.
  static func instant(after text: String, now: Timestamp, theirs: Timestamp?) -> Timestamp? {
    guard let seconds = Int64(text) else {
      return instant(text).map { byOurClock($0, now: now, theirs: theirs) }
    }
    guard seconds >= 0 else { return nil }
    return Timestamp(milliseconds: now.milliseconds + min(seconds, 366 * 86_400) * 1_000)
  }

  /// Converts a time from the server's clock to the local clock. A difference of up to
  /// `differenceMillisecondsMax` between the clocks is ignored.
  ///
  /// - Parameter theirs: The time of the server's clock when the local clock showed `now`; `nil` if
  ///   it is not known.
  static func byOurClock(_ instant: Timestamp, now: Timestamp, theirs: Timestamp?) -> Timestamp {
    guard let theirs else { return instant }
    let difference = now.milliseconds - theirs.milliseconds
    guard abs(difference) > differenceMillisecondsMax else { return instant }
    return Timestamp(milliseconds: instant.milliseconds + difference)
  }

  /// The maximum clock difference that is ignored. Small differences have other causes: responses
  /// take time, and dates are in whole seconds.
  private static let differenceMillisecondsMax: Int64 = 2_000

  /// Converts a number of seconds since 1970 to a time; `nil` before 1970 and after the year 9999.
  static func instant(epochSeconds: Int64) -> Timestamp? {
    guard (0...253_402_300_799).contains(epochSeconds) else { return nil }
    return Timestamp(milliseconds: epochSeconds * 1_000)
  }

  /// Parses a date such as `Wed, 21 Oct 2015 07:28:00 GMT`. Other formats are obsolete.
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
  /// The time at which the server sent the response, by the server's clock; `nil` if it is not
  /// known.
  var date: Timestamp? { value(of: "Date").flatMap { HTTPDate.instant($0) } }

  /// Returns the time at which an exhausted rate limit ends; `nil` if the response does not name
  /// it, or the time has passed.
  func resetInstant(now: Timestamp) -> Timestamp? {
    guard let reset = value(of: "X-RateLimit-Reset").flatMap({ Int64($0) }),
      let named = HTTPDate.instant(epochSeconds: reset)
    else { return nil }
    let instant = HTTPDate.byOurClock(named, now: now, theirs: date)
    return instant > now ? SyncEngine.limitEnd(instant, at: now) : nil
  }
}
