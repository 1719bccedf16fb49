/// The items of a list, shared between screens that show the same ones.
///
/// Comparing two lists that share their items costs nothing, however long they are: a screen is
/// described anew on every change, and most changes do not touch the list.
package struct ListItems: Sendable, Equatable {
  private final class Storage: Sendable {
    let items: [ListItem]
    let indexByID: [String: Int]

    init(_ items: [ListItem]) {
      self.items = items
      var index: [String: Int] = [:]
      index.reserveCapacity(items.count)
      for (position, item) in items.enumerated() { index[item.id] = position }
      indexByID = index
    }
  }

  private let storage: Storage

  package init(_ items: [ListItem]) { storage = Storage(items) }

  package var all: [ListItem] { storage.items }
  package var count: Int { storage.items.count }

  package func contains(id: String) -> Bool { storage.indexByID[id] != nil }

  package static func == (a: ListItems, b: ListItems) -> Bool {
    a.storage === b.storage || a.storage.items == b.storage.items
  }
}
