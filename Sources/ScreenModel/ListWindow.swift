/// The part of a list that a front-end shows.
package struct ListWindow: Sendable, Equatable {
  package var offset: Int
  /// The maximum number of items; `nil` for all items after `offset`.
  package var limit: Int?
  /// Whether items contain previews: the beginnings of their notes.
  package var hasPreviews: Bool

  package init(offset: Int = 0, limit: Int? = nil, hasPreviews: Bool = false) {
    self.offset = offset
    self.limit = limit
    self.hasPreviews = hasPreviews
  }

  package static let whole = ListWindow()
}
