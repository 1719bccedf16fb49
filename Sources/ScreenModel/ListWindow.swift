/// Which part of a list a front-end shows.
package struct ListWindow: Sendable, Equatable {
  package var offset: Int
  /// Nil: everything from the offset on.
  package var limit: Int?

  package init(offset: Int = 0, limit: Int? = nil) {
    self.offset = offset
    self.limit = limit
  }

  package static let whole = ListWindow()
}
