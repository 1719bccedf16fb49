import Testing

@testable import TodoModel

@Suite("Timestamps")
struct TimestampTests {
  @Test(
    "are read and written as RFC 3339 in UTC",
    arguments: [
      ("1970-01-01T00:00:00.000Z", 0), ("1970-01-01T00:00:00.001Z", 1),
      ("1969-12-31T23:59:59.999Z", -1), ("1969-12-31T23:59:59.000Z", -1_000),
      ("1900-01-01T00:00:00.000Z", -2_208_988_800_000),
      ("2000-02-29T12:00:00.500Z", 951_825_600_500),
      ("2024-02-29T23:59:59.999Z", 1_709_251_199_999),
      ("2026-01-31T08:15:00.250Z", 1_769_847_300_250),
      ("2038-01-19T03:14:08.000Z", 2_147_483_648_000),
      ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
      ("0001-01-01T00:00:00.000Z", -62_135_596_800_000),
    ] as [(String, Int64)])
  func readingAndWriting(text: String, milliseconds: Int64) {
    #expect(Timestamp(rfc3339: text)?.milliseconds == milliseconds)
    #expect(Timestamp(milliseconds: milliseconds).description == text)
  }

  @Test("are read without a fraction, too")
  func noFraction() {
    #expect(Timestamp(rfc3339: "2026-01-31T08:15:00Z")?.description == "2026-01-31T08:15:00.000Z")
  }

  @Test("take a leap second for the second after it")
  func leapSecond() {
    #expect(Timestamp(rfc3339: "2016-12-31T23:59:60Z")?.description == "2017-01-01T00:00:00.000Z")
  }

  @Test(
    "are `nil` for other texts",
    arguments: [
      "", "Z", "now", "2026-01-31", "2026-01-31T08:15:00", "2026-01-31 08:15:00Z",
      "2026-01-31t08:15:00z", "2026-01-31T08:15:00+00:00", "2026-01-31T08:15:00.25Z",
      "2026-01-31T08:15:00.2500Z", "2026-01-31T08:15:00,250Z", "2026/01/31T08:15:00Z",
      "2026-00-31T08:15:00Z", "2026-13-01T08:15:00Z", "2026-01-00T08:15:00Z",
      "2026-01-32T08:15:00Z", "2026-01-31T24:00:00Z", "2026-01-31T08:60:00Z",
      "2026-01-31T08:15:61Z", "-026-01-31T08:15:00Z", "+026-01-31T08:15:00Z",
      "2026-01-31T08:15: 0Z", "２０２６-01-31T0Z", "2026-01-31T08:15:00.2x0Z",
      String(repeating: "9", count: 10_000),
    ])
  func garbage(text: String) {
    #expect(Timestamp(rfc3339: text) == nil)
  }

  @Test(
    "are nil for a day that its month does not have",
    arguments: [
      "2026-02-29", "2026-02-30", "2026-02-31", "2024-02-30", "1900-02-29", "2100-02-29",
      "2026-04-31", "2026-06-31", "2026-09-31", "2026-11-31",
    ])
  func daysOfMonths(date: String) {
    #expect(Timestamp(rfc3339: "\(date)T00:00:00Z") == nil)
  }

  @Test("are written whatever the number", arguments: [Int64.min, -62_200_000_000_000, .max])
  func farAway(milliseconds: Int64) {
    #expect(Timestamp(milliseconds: milliseconds).description.hasSuffix("Z"))
  }

  @Test(
    "are written as the C library says, before the year 0 and far ahead",
    arguments: [
      (Int64.min, "-292275055-05-16T16:47:04.192Z"), (.max, "292278994-08-17T07:12:55.807Z"),
      (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
      (-62_167_219_200_001, "-0001-12-31T23:59:59.999Z"),
      (253_402_300_800_000, "10000-01-01T00:00:00.000Z"),
    ] as [(Int64, String)])
  func atTheEnds(milliseconds: Int64, text: String) {
    #expect(Timestamp(milliseconds: milliseconds).description == text)
  }

  @Test(
    "are written as they are read, each day of a year",
    arguments: [(1600, -135_140), (1900, -25_567), (2000, 10_957), (2023, 19_358), (2024, 19_723)])
  func everyDay(year: Int, firstDay: Int64) {
    var (month, day, number) = (1, 1, firstDay)
    while month <= 12 {
      let time = Timestamp(milliseconds: number * 86_400_000 + 86_399_999)
      #expect(time.description == "\(year)-\(padded(month))-\(padded(day))T23:59:59.999Z")
      #expect(Timestamp(rfc3339: time.description) == time)
      (day, number) = (day + 1, number + 1)
      if day > dayCount(month, year) { (month, day) = (month + 1, 1) }
    }
  }

  private func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private func dayCount(_ month: Int, _ year: Int) -> Int {
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  @Test("fit where they are written", arguments: [0, 1_769_847_300_250, Int64.min, Int64.max])
  func written(milliseconds: Int64) {
    let time = Timestamp(milliseconds: milliseconds)
    var room = [UInt8](repeating: 0, count: Timestamp.bytesMax)
    let count = room.withUnsafeMutableBytes { time.write(into: $0) }
    #expect(String(decoding: room[..<count], as: UTF8.self) == time.description)
  }

  @Test("have an order")
  func order() {
    #expect(Timestamp(milliseconds: -1) < Timestamp(milliseconds: 0))
    #expect(Timestamp.now > Timestamp(milliseconds: 1_700_000_000_000))
  }
}
