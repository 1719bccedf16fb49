import Synchronization

/// The item of a list that the cursor is to move to.
package struct ListSelection: Sendable, Equatable {
  package let id: String
  /// Distinguishes selections, also of the same item: a later one has a higher number.
  package let number: UInt64

  private static let count = Atomic<UInt64>(0)

  package init(id: String) {
    self.id = id
    number = Self.count.add(1, ordering: .relaxed).newValue
  }
}
