/// Which part of a list a front-end shows, and how much of it.
package struct ListWindow: Sendable, Equatable {
  package var offset: Int
  /// Nil: everything from the offset on.
  package var limit: Int?
  /// Whether each item has the beginning of its text.
  package var hasPreviews: Bool

  package init(offset: Int = 0, limit: Int? = nil, hasPreviews: Bool = false) {
    self.offset = offset
    self.limit = limit
    self.hasPreviews = hasPreviews
  }

  package static let whole = ListWindow()
}
