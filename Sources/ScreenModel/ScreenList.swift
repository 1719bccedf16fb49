/// A list, or the part of it that is shown.
package struct ScreenList: Sendable, Equatable {
  /// How many items the whole list has.
  package var total: Int
  /// Where the shown part begins.
  package var offset: Int
  package var items: ListItems
  /// What to show when there is nothing to show.
  package var empty: String
  /// How the list stands towards its source; nil where it has none.
  package var status: ListStatus?
  /// One of the items, which the cursor is to move to.
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

/// How a list stands towards its source. The times are texts of RFC 3339 in UTC.
package struct ListStatus: Sendable, Equatable {
  /// How many items were changed here and not there yet.
  package var pending: Int
  /// How many were changed here and there.
  package var conflicts: Int
  /// How many the source refused.
  package var failed: Int
  /// When the list was last as the source has it.
  package var syncedAt: String?
  /// When the source may be asked again.
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
  /// How much an item wants to be seen.
  package enum Tone: String, Sendable, CaseIterable {
    /// It is over and done with.
    case muted
    /// It will be dealt with; it is good to know.
    case notice
    /// Somebody has to look at it.
    case alert
  }

  package var id: String
  package var title: String
  package var detail: String?
  /// The heading of the part of the list that the item is in.
  package var section: String?
  package var labels: [String]
  /// Nil: the item has no check mark.
  package var isChecked: Bool?
  package var badge: String?
  package var tone: Tone?
  /// Its page at its source.
  package var url: String?
  /// The beginning of its text, for who shows that beside the list.
  package var preview: String?

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
      && sameBytes(a.preview, b.preview) && sameBytes(a.labels, b.labels)
  }
}
