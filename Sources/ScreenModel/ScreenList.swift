/// A list, or the part of a list that the front-end shows.
package struct ScreenList: Sendable, Equatable {
  /// The number of items in the whole list.
  package var total: Int
  /// The index of the first of `items` in the whole list.
  package var offset: Int
  package var items: ListItems
  /// The text to show if the list is empty.
  package var empty: String
  /// The state of the list relative to its source; `nil` if it has no source.
  package var status: ListStatus?
  /// The item to which the front-end moves the cursor; `nil` if the cursor stays.
  package var select: ListSelection?

  package init(
    total: Int, offset: Int, items: ListItems, empty: String, status: ListStatus? = nil,
    select: ListSelection? = nil
  ) {
    self.total = total
    self.offset = offset
    self.items = items
    self.empty = empty
    self.status = status
    self.select = select
  }
}

/// The state of a list relative to its source. Times are RFC 3339 texts in UTC.
package struct ListStatus: Sendable, Equatable {
  /// The number of items with local changes that were not sent yet.
  package var pending: Int
  /// The number of items that were changed both locally and at the source.
  package var conflicts: Int
  /// The number of items that the source refused.
  package var failed: Int
  /// The time at which the list was last identical to the source.
  package var syncedAt: String?
  /// The time of the next request that the source permits.
  package var retryAt: String?

  package init(
    pending: Int, conflicts: Int, failed: Int, syncedAt: String? = nil, retryAt: String? = nil
  ) {
    self.pending = pending
    self.conflicts = conflicts
    self.failed = failed
    self.syncedAt = syncedAt
    self.retryAt = retryAt
  }
}

package struct ListItem: Sendable, Equatable {
  /// The emphasis of an item.
  package enum Tone: String, Sendable, CaseIterable {
    /// The item is done.
    case muted
    /// The item is pending, or due today.
    case notice
    /// The item requires attention: it is in conflict, refused, or overdue.
    case alert
  }

  package var id: String
  package var title: String
  package var detail: String?
  /// The heading of the section that contains the item.
  package var section: String?
  package var labels: [String]
  /// Whether the item is checked; `nil` if it has no check mark.
  package var isChecked: Bool?
  package var badge: String?
  package var tone: Tone?
  /// The URL of the item's page at the source.
  package var url: String?
  /// The beginning of the item's note, for front-ends that show it beside the list.
  package var preview: String?
  /// Whether the user can only open the item.
  package var isReadOnly = false

  package init(
    id: String, title: String, detail: String? = nil, labels: [String] = [],
    isChecked: Bool? = nil, badge: String? = nil, tone: Tone? = nil, url: String? = nil,
    preview: String? = nil
  ) {
    self.labels = labels
    self.id = id
    self.title = title
    self.detail = detail
    self.isChecked = isChecked
    self.badge = badge
    self.tone = tone
    self.url = url
    self.preview = preview
  }

  package static func == (a: ListItem, b: ListItem) -> Bool {
    a.id == b.id && a.isChecked == b.isChecked && a.badge == b.badge && a.detail == b.detail
      && a.section == b.section
      && a.tone == b.tone && a.url == b.url && sameBytes(a.title, b.title)
      && a.isReadOnly == b.isReadOnly && sameBytes(a.preview, b.preview)
      && sameBytes(a.labels, b.labels)
  }
}
