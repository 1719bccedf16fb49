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

  @Test("At the top, what is added comes into sight and pushes the last one out")
  func addAtTheTop() {
    var rows = rows(1...3, of: 9, from: 0)
    rows.add(Self.row(0))
    #expect(titles(rows) == ["0", "1", "2"])
    #expect((rows.total, rows.offset) == (10, 0))
  }

  @Test("A row that is taken out leaves a gap to be filled, unless the list ends there")
  func remove() {
    var rows = rows(1...3, of: 4, from: 0)
    rows.remove(TodoID("t2"))
    #expect(titles(rows) == ["1", "3"])
    #expect(rows.isShort)
    rows = self.rows(1...3, of: 3, from: 0)
    rows.remove(TodoID("t2"))
    #expect(!rows.isShort)
  }

  @Test("A change of a row that is not shown changes nothing")
  func replace() {
    var changed = rows(1...3, of: 9, from: 0)
    changed.replace(Self.row(7, "seven"))
    #expect(changed == rows(1...3, of: 9, from: 0))
    changed.replace(Self.row(2, "two"))
    #expect(titles(changed) == ["1", "two", "3"])
  }

  @Test("The first row is the anchor, but not at the top")
  func anchor() {
    #expect(rows(1...3, of: 9, from: 0).anchor == nil)
    #expect(rows(4...6, of: 9, from: 3).anchor == TodoID("t4"))
  }
}
