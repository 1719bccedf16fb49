import Synchronization

/// The items of a list. Copies of the value share their storage.
///
/// A changed list shares most of its storage with the unchanged list, and records the change. So
/// the time for changing a list and for finding the changes hardly depends on the length of the
/// list.
package struct ListItems: Sendable, Equatable {
  /// A change of one item at an index. The enum is indirect, so that a change is cheap to copy.
  package indirect enum Edit: Sendable, Equatable {
    case insert(ListItem, at: Int)
    case remove(at: Int)
    case replace(ListItem, at: Int)
  }

  /// The maximum number of items in a chunk. A smaller chunk is faster to copy. With larger chunks,
  /// there are fewer chunks to search.
  private static let chunkItemsMax = 512
  /// The maximum number of recorded changes. If more changes lie between two versions, the items of
  /// both versions are compared instead.
  private static let recordedEditsMax = 64

  /// A reference to an item. Copying an item retains about ten references; copying a row retains
  /// only one.
  private final class Row: Sendable {
    let item: ListItem

    init(_ item: ListItem) { self.item = item }
  }

  /// Some consecutive items of the list, with the index of each ID in the chunk.
  private final class Chunk: Sendable {
    let rows: [Row]
    let indexByID: [String: Int]

    init(_ rows: [Row]) {
      self.rows = rows
      var index: [String: Int] = [:]
      index.reserveCapacity(rows.count)
      for (position, row) in rows.enumerated() { index[row.item.id] = position }
      indexByID = index
    }

    /// Creates a copy of a chunk in which an item is replaced. The new item must have the same
    /// `id`.
    init(_ chunk: Chunk, replacing index: Int, by item: ListItem) {
      var rows = chunk.rows
      rows[index] = Row(item)
      (self.rows, indexByID) = (rows, chunk.indexByID)
    }
  }

  private struct RecordedEdit: Sendable {
    /// The version of the list before the change.
    var base: UInt64
    var edit: Edit
  }

  private static let versionCount = Atomic<UInt64>(0)

  private var chunks: [Chunk]
  package private(set) var count: Int
  /// The version of the list. Lists with the same version are equal.
  private var version: UInt64
  /// The latest changes, oldest first. The last change has led to this version.
  private var edits: [RecordedEdit] = []

  package init(_ items: [ListItem] = []) {
    chunks = stride(from: 0, to: items.count, by: Self.chunkItemsMax).map { start in
      Chunk(items[start..<min(start + Self.chunkItemsMax, items.count)].map(Row.init))
    }
    count = items.count
    version = Self.makeVersion()
  }

  private static func makeVersion() -> UInt64 {
    versionCount.add(1, ordering: .relaxed).newValue
  }

  package var isEmpty: Bool { count == 0 }
  package var first: ListItem? { chunks.first?.rows.first?.item }

  /// Calls a closure with each item in order.
  package func visit(_ body: (ListItem) -> Void) {
    for chunk in chunks { for row in chunk.rows { body(row.item) } }
  }

  package var all: [ListItem] {
    var items: [ListItem] = []
    items.reserveCapacity(count)
    visit { items.append($0) }
    return items
  }

  package func contains(id: String) -> Bool { chunks.contains { $0.indexByID[id] != nil } }

  package func index(of id: String) -> Int? { place(of: id)?.index }

  /// The item at an index; `nil` if the index is out of range.
  package subscript(index: Int) -> ListItem? {
    guard let place = place(at: index), index < count else { return nil }
    return chunks[place.chunk].rows[place.offset].item
  }

  /// Returns whether both lists have the same IDs in the same order.
  func hasSameIDs(as other: ListItems) -> Bool {
    chunks.elementsEqual(other.chunks) { a, b in
      a.rows.elementsEqual(b.rows) { $0.item.id == $1.item.id }
    }
  }

  package static func == (a: ListItems, b: ListItems) -> Bool {
    if a.version == b.version { return true }
    guard a.count == b.count else { return false }
    // A single recorded change always makes a list different. Several changes can cancel each other
    // out.
    if let edits = b.edits(since: a) ?? a.edits(since: b), edits.count < 2 { return edits.isEmpty }
    return a.hasSameItems(as: b)
  }

  /// Returns whether both lists have equal items. Chunks and rows that both lists share are not
  /// compared.
  private func hasSameItems(as other: ListItems) -> Bool {
    guard chunks.elementsEqual(other.chunks, by: { $0.rows.count == $1.rows.count }) else {
      return all == other.all
    }
    return chunks.elementsEqual(other.chunks) { a, b in
      a === b || a.rows.elementsEqual(b.rows) { $0 === $1 || $0.item == $1.item }
    }
  }
}

// MARK: Changes

extension ListItems {
  /// Inserts an item before an index. An index outside the list counts as its start or its end.
  package mutating func insert(_ item: ListItem, at index: Int) {
    let index = min(max(0, index), count)
    guard let place = place(at: index) else {
      chunks.append(Chunk([Row(item)]))
      return record(.insert(item, at: index), countChange: 1)
    }
    var rows = chunks[place.chunk].rows
    rows.insert(Row(item), at: place.offset)
    if rows.count > Self.chunkItemsMax {
      let half = rows.count / 2
      chunks[place.chunk] = Chunk(Array(rows[..<half]))
      chunks.insert(Chunk(Array(rows[half...])), at: place.chunk + 1)
    } else {
      chunks[place.chunk] = Chunk(rows)
    }
    record(.insert(item, at: index), countChange: 1)
  }

  /// Replaces the item with the same `id`. Does nothing if there is no such item.
  package mutating func replace(_ item: ListItem) {
    guard let place = place(of: item.id) else { return }
    let chunk = chunks[place.chunk]
    guard chunk.rows[place.offset].item != item else { return }
    chunks[place.chunk] = Chunk(chunk, replacing: place.offset, by: item)
    record(.replace(item, at: place.index), countChange: 0)
  }

  /// Removes the item with the given `id`. Does nothing if there is no such item.
  package mutating func remove(id: String) {
    if let place = place(of: id) { remove(place) }
  }

  package mutating func removeLast() {
    guard let chunk = chunks.indices.last else { return }
    let offset = chunks[chunk].rows.count - 1
    remove(Place(chunk: chunk, offset: offset, index: count - 1))
  }

  private mutating func remove(_ place: Place) {
    var rows = chunks[place.chunk].rows
    rows.remove(at: place.offset)
    if rows.isEmpty { chunks.remove(at: place.chunk) } else { chunks[place.chunk] = Chunk(rows) }
    record(.remove(at: place.index), countChange: -1)
  }

  private mutating func record(_ edit: Edit, countChange: Int) {
    if edits.count == Self.recordedEditsMax { edits.removeFirst() }
    edits.append(RecordedEdit(base: version, edit: edit))
    version = Self.makeVersion()
    count += countChange
  }

  private struct Place {
    var chunk: Int
    var offset: Int
    var index: Int
  }

  private func place(of id: String) -> Place? {
    var start = 0
    for (number, chunk) in chunks.enumerated() {
      if let offset = chunk.indexByID[id] {
        return Place(chunk: number, offset: offset, index: start + offset)
      }
      start += chunk.rows.count
    }
    return nil
  }

  /// Returns the chunk and the offset for an index, which can be `count`; `nil` if the list is
  /// empty.
  private func place(at index: Int) -> Place? {
    var start = 0
    for (number, chunk) in chunks.enumerated() {
      let isLast = number == chunks.count - 1
      if index < start + chunk.rows.count || isLast {
        return Place(chunk: number, offset: min(index - start, chunk.rows.count), index: index)
      }
      start += chunk.rows.count
    }
    return nil
  }
}

// MARK: Recorded changes

extension ListItems {
  /// Returns the recorded changes that lead from `older` to this list, in order; `nil` if not all
  /// of them are recorded.
  func edits(since older: ListItems) -> [Edit]? {
    if older.version == version { return [] }
    guard let start = edits.firstIndex(where: { $0.base == older.version }) else { return nil }
    return edits[start...].map(\.edit)
  }
}
