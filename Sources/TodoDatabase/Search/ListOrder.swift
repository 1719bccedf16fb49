import TodoModel

/// The todos of a list in one sort order, as row numbers, with cached search results.
///
/// With it, a page far down in the list, a page of search results, and the number of search results
/// are found without reading the list. It is valid for one state of the list (`ListVersions`).
final class ListOrder {
  /// The row numbers in this order.
  let rows: [Int64]
  /// The positions in `rows`, sorted by row number.
  private let placesByRow: [UInt32]
  private var hits: [String: Hits] = [:]
  private var textVersion: Int64?
  private var conditionHits: [Condition: Hits] = [:]
  private var editVersion: Int64?

  /// The maximum number of cached words, and of cached conditions. When a cache has reached the
  /// maximum, the cache is emptied before the next search.
  private static let wordsMax = 64

  init(rows: [Int64]) {
    self.rows = rows
    placesByRow = (0..<UInt32(truncatingIfNeeded: rows.count)).sorted {
      rows[Int($0)] < rows[Int($1)]
    }
  }

  /// Returns the positions of todos that contain a word. Calls `find` if they are not cached for
  /// `textVersion`.
  func hits(
    of word: String, textVersion: Int64, find: (inout Marking) throws(TodoError) -> Void
  ) throws(TodoError) -> Hits {
    if self.textVersion != textVersion || hits.count >= Self.wordsMax { hits.removeAll() }
    self.textVersion = textVersion
    if let known = hits[word] { return known }
    var marking = Marking(rows: rows, placesByRow: placesByRow)
    try find(&marking)
    hits[word] = marking.hits
    return marking.hits
  }

  /// Returns the positions of todos that the search for a condition finds. Calls `find` if they are
  /// not cached for this state of the list.
  func hits(
    of condition: Condition, _ versions: ListVersions,
    find: (inout Marking) throws(TodoError) -> Void
  ) throws(TodoError) -> Hits {
    var marking = Marking(rows: rows, placesByRow: placesByRow)
    guard condition.followsEdits else {
      try find(&marking)
      return marking.hits
    }
    if editVersion != versions.edit || conditionHits.count >= Self.wordsMax {
      conditionHits.removeAll()
    }
    editVersion = versions.edit
    if let known = conditionHits[condition] { return known }
    try find(&marking)
    conditionHits[condition] = marking.hits
    return marking.hits
  }

  /// Returns the position of a row; `nil` if the order does not contain it.
  func place(of row: Int64) -> Int? { rows.firstIndex(of: row) }

  /// A collector of hits. `mark` adds rows by their numbers, and `hits` contains the positions of
  /// these rows in the sort order. Marking is fastest if the row numbers ascend, as they do in the
  /// results of most indexes.
  struct Marking {
    fileprivate(set) var hits: Hits
    private let rows: [Int64]
    private let placesByRow: [UInt32]
    private var next = 0
    private var last = Int64.min

    fileprivate init(rows: [Int64], placesByRow: [UInt32]) {
      self.rows = rows
      self.placesByRow = placesByRow
      hits = Hits(count: rows.count)
    }

    /// Marks rows as hits. Ignores rows that the list does not have, such as the rows of removed
    /// todos.
    mutating func mark(_ rows: UnsafeBufferPointer<Int64>) {
      for row in rows { mark(row) }
    }

    private mutating func mark(_ row: Int64) {
      next = firstIndex(of: row, from: row < last ? 0 : next)
      last = row
      guard next < placesByRow.count else { return }
      let place = Int(placesByRow[next])
      guard rows[place] == row else { return }
      hits.insert(place)
      next += 1
    }

    /// Returns the first index that is not less than `start` and has a row number of at least
    /// `row`.
    ///
    /// If all row numbers between the row at `start` and `row` are consecutive, as is usual, the
    /// index is `start` plus the difference of the two row numbers. Otherwise, the search doubles
    /// its step each time, so that it is fast for near rows and for distant rows.
    private func firstIndex(of row: Int64, from start: Int) -> Int {
      guard start < placesByRow.count else { return start }
      let distance = Int(row &- rowNumber(at: start))
      guard distance > 0 else { return start }
      if distance < placesByRow.count - start, rowNumber(at: start + distance) == row {
        return start + distance
      }
      var (low, high, step) = (start, start, 1)
      while high < placesByRow.count, rowNumber(at: high) < row {
        low = high + 1
        high += step
        step *= 2
      }
      high = min(high, placesByRow.count)
      while low < high {
        let middle = (low + high) / 2
        if rowNumber(at: middle) < row { low = middle + 1 } else { high = middle }
      }
      return low
    }

    private func rowNumber(at index: Int) -> Int64 { rows[Int(placesByRow[index])] }
  }
}

/// A cache of the most recently used sort orders of one connection.
struct ListOrders {
  struct Key: Hashable {
    var list: Int64
    var isDone: Bool?
    var sort: TodoSort
  }

  private struct Entry {
    var order: ListOrder?
    /// The versions of the list that the order depends on.
    var version: [Int64]
    var lastUse: Int
  }

  private static let ordersMax = 4
  private var entries: [Key: Entry] = [:]
  private var uses = 0

  /// Returns the cached order for this state of the list; `nil` if there is none.
  mutating func cached(_ key: Key, _ versions: ListVersions) -> ListOrder? {
    guard var entry = entries[key], entry.version == key.version(versions) else { return nil }
    uses += 1
    entry.lastUse = uses
    entries[key] = entry
    return entry.order
  }

  /// Records a request for an order, and returns whether the order was already requested in this
  /// state of the list. If so, the caller should create and cache the order.
  mutating func recordRequest(_ key: Key, _ versions: ListVersions) -> Bool {
    if entries[key]?.version == key.version(versions) { return true }
    store(nil, key, versions)
    return false
  }

  mutating func store(_ order: ListOrder?, _ key: Key, _ versions: ListVersions) {
    uses += 1
    entries[key] = Entry(order: order, version: key.version(versions), lastUse: uses)
    guard entries.count > Self.ordersMax,
      let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
    else { return }
    entries[oldest.key] = nil
  }
}

extension ListOrders.Key {
  /// Returns the versions of the list that the order depends on. If the order contains both open
  /// and done todos, and is the user's order or sorted by creation time, edits do not affect it.
  fileprivate func version(_ versions: ListVersions) -> [Int64] {
    let depends = isDone != nil || ![.order, .created].contains(sort.key)
    return depends ? [versions.order, versions.edit] : [versions.order]
  }
}
