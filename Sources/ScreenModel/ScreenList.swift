/// A list, or the part of it that is shown.
package struct ScreenList: Sendable, Equatable {
  /// How many items the whole list has.
  package var total: Int
  /// Where the shown part begins.
  package var offset: Int
  package var items: ListItems
  /// What to show when there is nothing to show.
  package var empty: String

  package init(total: Int, offset: Int, items: ListItems, empty: String) {
    self.total = total
    self.offset = offset
    self.items = items
    self.empty = empty
  }
}

package struct ListItem: Sendable, Equatable {
  package var id: String
  package var title: String
  package var detail: String?
  /// Nil: the item has no check mark.
  package var isChecked: Bool?
  package var badge: String?

  package init(
    id: String, title: String, detail: String? = nil, isChecked: Bool? = nil, badge: String? = nil
  ) {
    self.id = id
    self.title = title
    self.detail = detail
    self.isChecked = isChecked
    self.badge = badge
  }

  package static func == (a: ListItem, b: ListItem) -> Bool {
    a.id == b.id && a.isChecked == b.isChecked && a.badge == b.badge && a.detail == b.detail
      && sameBytes(a.title, b.title)
  }
}
