/// A list of items, or the part of a list that the front-end shows.
package struct ScreenList: Sendable, Equatable {
  /// The number of items in the whole list.
  package var total: Int
  /// The index of the first item of `items` in the whole list.
  package var offset: Int
  package var items: ListItems
  /// The text to show if the list is empty.
  package var empty: String
  /// The sync state of the list; `nil` for a local list.
  package var status: ListStatus?
  /// The item to which the front-end moves the cursor; `nil` if the cursor stays where it is.
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

/// The sync state of a list. Times are texts in the format of RFC 3339, in UTC.
package struct ListStatus: Sendable, Equatable {
  /// The number of items with local changes that were not sent yet.
  package var pending: Int
  /// The number of items that are in conflict with the source.
  package var conflicts: Int
  /// The number of items that the source has refused.
  package var failed: Int
  /// The time at which all changes of the source were last loaded; `nil` before the first load.
  package var syncedAt: String?
  /// The time before which the source allows no request; `nil` without a limit.
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
    /// The item has local changes that were not sent yet, has a draft, or is due today.
    case notice
    /// The item requires the user's attention: it is in conflict, refused, or overdue.
    case alert
  }

  package var id: String
  package var title: String
  package var detail: String?
  /// The heading of the section to which the item belongs; `nil` without a section.
  package var section: String?
  package var labels: [String]
  /// Whether the check mark is set; `nil` if the item has no check mark.
  package var isChecked: Bool?
  package var badge: String?
  package var tone: Tone?
  /// The URL of the item's web page at the source; `nil` if there is none.
  package var url: String?
  /// The beginning of the item's note; `nil` if the front-end shows no previews, or the note is
  /// empty.
  package var preview: String?
  /// Whether the user can open the item, but not change it.
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
