import ScreenModel
import Testing

@Suite("Equality of lists")
struct ListEqualityTests {
  private let milk = ListItem(id: "1", title: "Milk", isChecked: false)

  /// Returns a list with more items than fit into a chunk.
  private func list() -> ListItems {
    ListItems([milk] + (2...1_500).map { ListItem(id: "\($0)", title: "t") })
  }

  private func ticked(_ item: ListItem) -> ListItem {
    var item = item
    item.isChecked = true
    return item
  }

  @Test("A list after an edit and its reverse equals the list before")
  func canceledEdits() {
    let before = list()
    var after = before
    after.replace(ticked(milk))
    #expect(after != before)
    after.replace(milk)
    #expect(after == before)
    #expect(before == after)
    after.insert(ListItem(id: "new", title: "n"), at: 700)
    after.remove(id: "new")
    #expect(after == before)
  }

  @Test("Lists of the same length with different items are not equal")
  func differentItems() {
    let before = list()
    var after = before
    after.remove(id: "1")
    after.insert(ticked(milk), at: 0)
    #expect(after != before)
    after.replace(milk)
    #expect(after == before)
    after.replace(ListItem(id: "1500", title: "other"))
    after.replace(ticked(milk))
    #expect(after != before)
  }

  @Test("Items that were read again are compared one by one, and the differences are recorded")
  func update() throws {
    let before = list()
    var after = before
    after.update(to: list())
    #expect(after == before)
    #expect(try #require(after.changes(since: before)).isEmpty)
    var newer = list()
    newer.replace(ListItem(id: "1400", title: "other"))
    newer = ListItems(newer.all)
    after.update(to: newer)
    #expect(after == newer)
    #expect(
      after.changes(since: before)
        == [.replace(ListItem(id: "1400", title: "other"), at: 1_399)])
    newer.insert(ListItem(id: "new", title: "n"), at: 7)
    newer.remove(id: "1")
    after.update(to: newer)
    #expect(after == newer)
  }
}
