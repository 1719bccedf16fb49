import TodoModel

/// The instants that headers of HTTP name. What cannot be read is nil, never an error.
enum HTTPDate {
  /// `Retry-After`: seconds from now, or a date.
  static func instant(after text: String, now: Timestamp) -> Timestamp? {
    guard let seconds = Int64(text) else { return instant(text) }
    let secondsMax: Int64 = 366 * 86_400
    guard (0...secondsMax).contains(seconds) else { return nil }
    return Timestamp(milliseconds: now.milliseconds + seconds * 1_000)
  }

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
