import ScreenModel
import Testing
import TodoModel

@testable import TodoWorkflows

@Suite("The rows that are shown")
struct TodoRowsTests {
  private static func row(_ number: Int, _ title: String? = nil) -> TodoRow {
    TodoRow(
      id: TodoID("t\(number)"), title: title ?? "\(number)", isDone: false, sync: .local,
      number: nil)
  }

  private func rows(_ numbers: ClosedRange<Int>, of total: Int, from offset: Int) -> TodoRows {
    TodoRows(
      numbers.map { Self.row($0) }, total: total, offset: offset,
      window: ListWindow(offset: offset, limit: 3))
  }

  private func titles(_ rows: TodoRows) -> [String] { rows.items.all.map(\.title) }

  @Test("A window without rows keeps its offset, unless it begins beyond the end")
  func emptyWindow() throws {
    let store = TodoStoreSpy(["Milk", "Rent", "Bread"])
    for (offset, shown) in [(2, 2), (9, 3)] {
      let window = ListWindow(offset: offset, limit: 0)
      let rows = try store.rows(TodoQuery(), window, in: .local, on: store.days.today)
      #expect((rows.offset, rows.total, titles(rows)) == (shown, 3, []))
    }
  }

  @Test("At the top, an added row becomes visible and the last one leaves the window")
  func addAtTheTop() {
    var rows = rows(1...3, of: 9, from: 0)
    rows.add(Self.row(0))
    #expect(titles(rows) == ["0", "1", "2"])
    #expect((rows.total, rows.offset) == (10, 0))
  }

  @Test("A removed row leaves a gap to fill, unless the list ends there")
  func remove() {
    var rows = rows(1...3, of: 4, from: 0)
    rows.remove(TodoID("t2"))
    #expect(titles(rows) == ["1", "3"])
    #expect(rows.isShort)
    rows = self.rows(1...3, of: 3, from: 0)
    rows.remove(TodoID("t2"))
    #expect(!rows.isShort)
  }

  @Test("A window whose last row is removed shows the end of the list")
  func removeLastRow() {
    var rows = rows(7...7, of: 7, from: 6)
    rows.remove(TodoID("t7"))
    #expect(rows.isShort)
    rows = self.rows(1...1, of: 1, from: 0)
    rows.remove(TodoID("t1"))
    #expect(!rows.isShort)
  }

  @Test("A change of an invisible row changes nothing")
  func replace() {
    var changed = rows(1...3, of: 9, from: 0)
    changed.replace(Self.row(7, "seven"))
    #expect(changed == rows(1...3, of: 9, from: 0))
    changed.replace(Self.row(2, "two"))
    #expect(titles(changed) == ["1", "two", "3"])
  }

  @Test(
    "The detail has what the source says, in a few words",
    arguments: [
      (SourceDetails(comments: 1), nil, "#7 · 1 comment"),
      (SourceDetails(assignees: ["ann"], comments: 2), nil, "#7 · @ann · 2 comments"),
      (
        SourceDetails(assignees: ["a", "b", "c", "d"], due: DueDate("2026-12-01")), nil,
        "#7 · due 2026-12-01 · @a @b +2"
      ),
      (
        SourceDetails(milestone: "v1", due: DueDate("2026-12-01")), DueDate("2026-12-24"),
        "#7 · due 2026-12-24 · v1"
      ),
      (
        SourceDetails(milestone: "A milestone with a very long title"), nil,
        "#7 · A milestone with a very long …"
      ),
    ])
  func details(details: SourceDetails?, due: DueDate?, text: String) {
    let row = TodoRow(
      id: TodoID("t1"), title: "t", isDone: false, due: due, sync: .synced, number: 7,
      details: details)
    #expect(TodoRows([row]).items.first?.detail == text)
  }

  @Test("A date of the source is overdue like another")
  func toneOfSourceDate() {
    let row = TodoRow(
      id: TodoID("t1"), title: "t", isDone: false, sync: .synced, number: 7,
      details: SourceDetails(due: DueDate("2026-11-26")))
    let today = CivilDay("2026-11-27") ?? .first
    #expect(TodoRows([row], today: today).items.first?.tone == .alert)
  }

  @Test("An item has a tone")
  func tones() {
    func tone(_ sync: SyncState, isDone: Bool) -> ListItem.Tone? {
      TodoRows([
        TodoRow(id: TodoID("t1"), title: "t", isDone: isDone, sync: sync, number: nil)
      ]).items.first?.tone
    }
    #expect(tone(.local, isDone: false) == nil)
    #expect(tone(.synced, isDone: true) == .muted)
    #expect(tone(.pending, isDone: false) == .notice)
    #expect(tone(.pending, isDone: true) == .notice, "what is still to be sent is not over")
    #expect(tone(.conflict, isDone: true) == .alert)
  }

  @Test("An overdue todo is an alert, one due today a notice, a done one neither")
  func dueTones() throws {
    let today = try #require(CivilDay("2026-11-23"))
    func item(_ due: String, isDone: Bool = false, _ sync: SyncState = .local) -> ListItem? {
      let row = TodoRow(
        id: TodoID("t1"), title: "t", isDone: isDone, due: DueDate(due), sync: sync, number: nil)
      return TodoRows([row], today: today).items.first
    }
    #expect(item("2026-11-22T23:59")?.tone == .alert)
    #expect(item("2026-11-22")?.tone == .alert)
    #expect(item("2026-11-23T00:00")?.tone == .notice)
    #expect(item("2026-11-23")?.tone == .notice)
    #expect(item("2026-11-24")?.tone == nil)
    #expect(item("2026-11-22", isDone: true)?.tone == .muted)
    #expect(item("2026-11-22", .pending)?.tone == .alert)
    #expect(item("2026-11-22", isDone: true, .pending)?.tone == .notice)
    #expect(item("2026-11-24T09:05")?.detail == "due 2026-11-24 09:05")
    var rows = TodoRows([], today: today)
    rows.add(
      TodoRow(
        id: TodoID("t2"), title: "t", isDone: false, due: DueDate("2026-11-22"), sync: .local,
        number: 7))
    #expect(rows.items.first?.tone == .alert && rows.items.first?.detail == "#7 · due 2026-11-22")
  }

  @Test("The labels of added rows are offered, too")
  func labels() {
    var rows = TodoRows([Self.row(1)], labels: ["bug"])
    rows.replace(
      TodoRow(
        id: TodoID("t1"), title: "t", isDone: false, labels: LabelSet(["BUG", "ui"]), sync: .local,
        number: nil))
    #expect(rows.labels == ["bug", "ui"])
    #expect(rows.items.first?.labels == ["BUG", "ui"])
  }

  @Test("An item has the URL and the beginning of the note of its todo")
  func pageAndPreview() {
    let row = TodoRow(
      id: TodoID("t1"), title: "t", isDone: false, sync: .synced, number: 7,
      url: "https://example.com/7", preview: "p")
    let item = TodoRows([row]).items.first
    #expect(item?.url == "https://example.com/7")
    #expect(item?.preview == "p")
  }

  @Test("The first row is the anchor, but not at the top")
  func anchor() {
    #expect(rows(1...3, of: 9, from: 0).anchor == nil)
    #expect(rows(4...6, of: 9, from: 3).anchor == TodoID("t4"))
  }
}
