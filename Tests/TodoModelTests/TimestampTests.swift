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
    "are nil for anything else",
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

  @Test("have an order")
  func order() {
    #expect(Timestamp(milliseconds: -1) < Timestamp(milliseconds: 0))
    #expect(Timestamp.now > Timestamp(milliseconds: 1_700_000_000_000))
  }
}
