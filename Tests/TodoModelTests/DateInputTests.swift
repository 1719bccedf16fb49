import Testing

@testable import TodoModel

@Suite("Date input")
struct DateInputTests {
  /// A Friday.
  private let today = CivilDay(year: 2026, month: 11, day: 27)!

  private func parsed(_ text: String, on day: CivilDay? = nil) -> String? {
    DateInput.parse(text, today: day ?? today)?.description
  }

  @Test(
    "accepts the forms that users type",
    arguments: [
      ("2026-12-01", "2026-12-01"), ("2026-12-01T17:30", "2026-12-01T17:30"),
      ("2026-12-01t09:05", "2026-12-01T09:05"), ("2026-12-01 17:30", "2026-12-01T17:30"),
      ("today", "2026-11-27"), ("TODAY 0:00", "2026-11-27T00:00"), ("Tomorrow", "2026-11-28"),
      ("tomorrow 23:59", "2026-11-28T23:59"), ("sat", "2026-11-28"), ("Sun", "2026-11-29"),
      ("thu", "2026-12-03"), ("fri", "2026-12-04"), ("Friday  8:15", "2026-12-04T08:15"),
      ("+0d", "2026-11-27"), ("+3d", "2026-11-30"), ("+2W", "2026-12-11"),
      ("+1w 17:30", "2026-12-04T17:30"), ("eom", "2026-11-30"),
      ("  eom 17:30\n", "2026-11-30T17:30"),
      ("2028-02-29", "2028-02-29"), ("0001-01-01", "0001-01-01"), ("9999-12-31", "9999-12-31"),
    ])
  func acceptedForms(text: String, date: String) {
    #expect(parsed(text) == date)
  }

  @Test(
    "refuses anything else, with the accepted forms",
    arguments: [
      "", " ", "17:30", "yesterday", "fr", "frid", "+d", "+3", "+3m", "+-3d", "++3d", "3d", "-3d",
      "2026-2-1", "26-12-01", "2026-12-01T", "2026-12-01T17", "2026-12-01T24:00", "today 17:60",
      "today17:30", "todayT17:30", "today 17:30 18:00", "2026-12-01T17:30:00", "2026-12-01T17:30Z",
      "+99999999999999999999d", "+9223372036854775807w", "+9000000d", "2026/12/01", "２０２６-12-01",
      "0000-12-31", "10000-01-01", "eom\u{0}", String(repeating: "9", count: 100_000),
    ])
  func refusedForms(text: String) throws {
    let error = #expect(throws: TodoError.self) {
      try DateInput.dueDate(text, today: today, field: "when")
    }
    let problem = try #require(error?.fields.first)
    #expect(error?.kind == .validation)
    #expect(problem.field == "when")
    #expect(problem.message.hasSuffix("A due date must be \(DateInput.forms)."))
  }

  @Test(
    "names a day that does not exist",
    arguments: ["2026-02-29", "2100-02-29", "2026-04-31", "2026-13-01", "2026-00-10", "2026-01-00"])
  func nonexistentDays(text: String) {
    let error = #expect(throws: TodoError.self) {
      try DateInput.dueDate("\(text) 17:30", today: today)
    }
    #expect(error?.fields.first?.message.hasPrefix("There is no day \(text). ") == true)
  }

  @Test("finds the next weekday after every day of two weeks")
  func weekdays() throws {
    for offset in 0..<14 {
      let day = try #require(today.adding(days: offset))
      for weekday in Weekday.allCases {
        let next = try #require(DateInput.parse(weekday.abbreviation, today: day)).day
        #expect(next.weekday == weekday)
        #expect((1...7).contains(Int(next.number - day.number)))
      }
    }
  }

  @Test(
    "finds the end of each month",
    arguments: [
      ("2026-01-31", "2026-01-31"), ("2026-02-01", "2026-02-28"), ("2028-02-28", "2028-02-29"),
      ("2100-02-11", "2100-02-28"), ("2000-02-11", "2000-02-29"), ("2026-04-01", "2026-04-30"),
      ("9999-12-01", "9999-12-31"),
    ])
  func endOfMonth(today: String, end: String) {
    #expect(parsed("eom", on: CivilDay(today)) == end)
  }

  @Test("ends at the last day of the year 9999")
  func lastDay() {
    #expect(parsed("tomorrow", on: .last) == nil)
    #expect(parsed("fri", on: .last) == nil)
    #expect(parsed("+1d", on: .last) == nil)
    #expect(parsed("today", on: .last) == "9999-12-31")
  }

  @Test("counts days as the days between the first and the last day")
  func everyDay() {
    var number = Int64(CivilDay.first.number)
    var expected = 0
    for year in 1...9999 {
      for month in 1...12 {
        for day in 1...CivilDate.dayCount(ofMonth: month, year: year) {
          if Int64(CivilDay(year: year, month: month, day: day)?.number ?? 0) != number {
            expected += 1
          }
          number += 1
        }
      }
    }
    #expect(expected == 0)
    #expect(number - 1 == Int64(CivilDay.last.number))
    #expect(CivilDay(number: number) == nil)
    #expect(CivilDay(number: Int64(CivilDay.first.number) - 1) == nil)
  }

  @Test("reads back what it writes, in the order of the texts")
  func textOrder() {
    var generator = SystemRandomNumberGenerator()
    let dates = (0..<2_000).compactMap { _ -> DueDate? in
      let range = Int64(CivilDay.first.number)...Int64(CivilDay.last.number)
      guard let day = CivilDay(number: Int64.random(in: range, using: &generator)) else {
        return nil
      }
      return DueDate(day: day, minutes: Bool.random() ? nil : Int.random(in: 0..<1_440))
    }
    #expect(dates.count == 2_000)
    for date in dates { #expect(DueDate(date.description) == date) }
    #expect(dates.sorted().map(\.description) == dates.map(\.description).sorted())
  }
}
