/// The value of the header `timezone`: a fixed offset from UTC, such as `+02:00`.
///
/// There is no daylight saving time in a transcript.
enum TranscriptZone {
  private static let minuteMilliseconds: Int64 = 60_000

  /// Returns the offset of a text such as `+02:00`, in milliseconds; `nil` if the text is not an
  /// offset of less than 24 hours.
  static func utcOffset(_ text: String) -> Int64? {
    let characters = Array(text.utf8)
    guard characters.count == 6, characters[3] == UInt8(ascii: ":"),
      let hours = number(characters[1...2]), let minutes = number(characters[4...5]), hours < 24,
      minutes < 60
    else { return nil }
    let offset = (hours * 60 + minutes) * minuteMilliseconds
    switch characters[0] {
    case UInt8(ascii: "+"): return offset
    case UInt8(ascii: "-"): return -offset
    default: return nil
    }
  }

  static func text(ofOffset milliseconds: Int64) -> String {
    let minutes = Int(milliseconds.magnitude) / Int(minuteMilliseconds)
    func digits(_ value: Int) -> String { (value < 10 ? "0" : "") + String(value) }
    return (milliseconds < 0 ? "-" : "+") + digits(minutes / 60) + ":" + digits(minutes % 60)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    return Int64(String(decoding: digits, as: UTF8.self))
  }
}
