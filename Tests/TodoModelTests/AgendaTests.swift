import Testing

@testable import TodoModel

@Suite("The agenda")
struct AgendaTests {
  @Test(
    "shows 500 todos, and room for each section",
    arguments: [
      ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5]), ([0, 0, 0, 0, 501], [0, 0, 0, 0, 500]),
      ([1_000, 0, 0, 0, 0], [500, 0, 0, 0, 0]), ([1_000, 7, 0, 0, 1_000], [393, 7, 0, 0, 100]),
      ([1_000, 1_000, 1_000, 1_000, 1_000], [100, 100, 100, 100, 100]),
      ([0, 300, 0, 300, 100], [0, 300, 0, 100, 100]),
    ])
  func shownCounts(counts: [Int], shown: [Int]) {
    #expect(Agenda.shownCounts(of: counts) == shown)
  }

  @Test("has every day in one section")
  func sections() throws {
    let today = try #require(CivilDay("2026-11-27"))
    for (text, section) in [
      ("0001-01-01", AgendaSection.overdue), ("2026-11-26", .overdue), ("2026-11-27", .today),
      ("2026-11-28", .tomorrow), ("2026-11-29", .week), ("2026-12-03", .week),
      ("2026-12-04", .later), ("9999-12-31", .later),
    ] {
      let day = try #require(CivilDay(text))
      #expect(AgendaSection.allCases.filter { $0.days(on: today).contains(day) } == [section])
    }
  }
}
