import TestSupport
import Testing
import TodoDatabase
import TodoModel
import TodoStores

struct AgendaUpdateTests {
  /// The fixture of version 15 contains todos with dates.
  @Test func updateCountsTheTodosWithDates() throws {
    let folder = TemporaryFolder()
    let path = folder.path("todos.sqlite")
    try #require(StoreFixture(version: 15).copy(to: path))
    let store = try SQLiteStore(at: .file(path), environment: .counting())
    let list = TodoListKey(profile: "ann", source: "")
    let day = try #require(CivilDay("2026-12-03"))
    // Of the two todos with a date, one is open.
    #expect(try store.openCounts(of: list, on: day).dueToday == 1)
    let query = TodoQuery(text: "due:2026-12-03")
    #expect(try store.todos(query, in: list).elements.count == 1)
    let agenda = try store.agenda(AgendaQuery(lists: [list], today: day))
    #expect(agenda.rows.map(\.section) == [.today])
  }
}
