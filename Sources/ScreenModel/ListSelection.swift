import Synchronization

/// The item of a list to which the front-end moves the cursor.
package struct ListSelection: Sendable, Equatable {
  package let id: String
  /// The number of the selection. A later selection has a higher number, even of the same item.
  package let number: UInt64

  private static let count = Atomic<UInt64>(0)

  package init(id: String) {
    self.id = id
    number = Self.count.add(1, ordering: .relaxed).newValue
  }
}
