/// A page of items, with the link to the next page.
package struct RemotePage: Sendable, Equatable {
  package var items: [RemoteItem]
  /// The entries of the source's list that do not become todos, such as pull requests. When one of
  /// them leaves the list, the items after it move up by one place.
  package var otherEntries: [RemoteItem] = []
  /// The keys of items that were deleted since the last request.
  package var deleted: [String] = []
  /// A digest of the keys of all entries on the page, including entries that are not items, such as
  /// pull requests. Pages with the same keys in the same order have equal digests.
  package var digest: UInt64 = 0
  /// The link to the next page; `nil` on the last page.
  package var next: PageLink?
  /// The number of pages; `nil` if the source does not report it.
  package var pageCount: Int?
  /// The cursor for the next request for changes; `nil` if the page has none. It must not be used
  /// before all items of the page are stored.
  package var cursor: String?
  /// The time that the cursor stands for, by the source's clock; `nil` if the cursor is not a time.
  package var cursorAt: Timestamp?
  package var validator: RemoteValidator?
  /// Whether the source may have more changes than this page contains.
  package var isFull: Bool
  /// The time at which the source sent the response, by the source's clock.
  package var date: Timestamp?

  package init(
    items: [RemoteItem], next: PageLink? = nil, pageCount: Int? = nil, cursor: String? = nil,
    validator: RemoteValidator? = nil, isFull: Bool = false, date: Timestamp? = nil
  ) {
    self.items = items
    self.next = next
    self.pageCount = pageCount
    self.cursor = cursor
    self.validator = validator
    self.isFull = isFull
    self.date = date
    for item in items { include(item.key) }
  }

  /// Adds the key of an entry on the page to the page's digest (FNV-1a).
  package mutating func include(_ key: String) {
    if digest == 0 { digest = 0xCBF2_9CE4_8422_2325 }
    for byte in key.utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
    digest = (digest ^ 0xFF) &* 0x100_0000_01B3
  }
}
