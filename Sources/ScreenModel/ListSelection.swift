import Synchronization

/// The item to which the front-end moves the cursor of a list.
package struct ListSelection: Sendable, Equatable {
  package let id: String
  /// The number of the selection. A later selection has a greater number, so that it moves the
  /// cursor even if it selects the same item.
  package let number: UInt64

  private static let count = Atomic<UInt64>(0)

  package init(id: String) {
    self.id = id
    number = Self.count.add(1, ordering: .relaxed).newValue
  }
}
