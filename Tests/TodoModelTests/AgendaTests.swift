import TestSupport
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

  @Test(
    "shows each window as the same part of the whole",
    arguments: [
      [3, 0, 2, 1, 4], [130, 110, 120, 0, 300], [0, 0, 0, 0, 520], [700, 2, 0, 101, 5],
    ])
  func windows(counts: [Int]) throws {
    let today = try #require(CivilDay("2026-11-27"))
    let days = ["2026-11-20", "2026-11-27", "2026-11-28", "2026-12-01", "2027-01-01"]
    var lists: [[Todo]] = [[], []]
    for (day, count) in zip(days, counts) {
      for number in 0..<count {
        var content = TodoContent(title: "Todo \(number)")
        content.due = CivilDay(day).map { DueDate($0) }
        lists[number % 2].append(
          Todo(
            id: TodoID("\(day)-\(number)"), content: content, version: 1,
            createdAt: Timestamp(milliseconds: 0), updatedAt: Timestamp(milliseconds: 0),
            origin: nil,
            sync: .local))
      }
    }
    var query = AgendaQuery(lists: [.local, .local], today: today)
    let whole = try Agenda(of: lists, query)
    #expect(whole.rows.count == whole.total)
    for limit in [1, 7, 100] {
      for offset in stride(from: 0, through: whole.total + 5, by: max(1, whole.total / 40)) {
        (query.offset, query.limit) = (offset, limit)
        let window = try Agenda(of: lists, query)
        #expect(window.total == whole.total)
        #expect(window.rows == Array(whole.rows.dropFirst(window.offset).prefix(limit)))
        #expect(window.offset == min(offset, max(0, whole.total - limit)))
      }
    }
  }
}
