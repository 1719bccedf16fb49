extension ListItems {
  /// Returns the changes that lead from `older` to this list, in the order in which they must be
  /// applied; `nil` if it is simpler to send the whole list.
  package func changes(since older: ListItems) -> [Edit]? {
    if let edits = edits(since: older) { return edits }
    // No changes are recorded if, for example, the window has moved. Such lists are usually short.
    guard count <= Self.comparedItemsMax, older.count <= Self.comparedItemsMax else { return nil }
    return Self.compare(older.all, all)
  }

  private static let comparedItemsMax = 2_000

  /// Replaces the items by those of a list that was read again. If both lists have the same IDs in
  /// the same order, only items that differ are replaced, so that the changes are recorded.
  package mutating func update(to newer: ListItems) {
    guard hasSameIDs(as: newer) else {
      self = newer
      return
    }
    newer.visit { replace($0) }
  }

  /// Returns the edits that change `old` into `new`; `nil` if the lists differ too much. At least
  /// half of the new items must be in a common prefix, a common suffix, or a shifted part.
  private static func compare(_ old: [ListItem], _ new: [ListItem]) -> [Edit]? {
    let prefixCount = zip(old, new).prefix { $0.id == $1.id }.count
    let restCount = min(old.count, new.count) - prefixCount
    let suffixCount = zip(old.reversed(), new.reversed()).prefix(restCount)
      .prefix { $0.id == $1.id }.count
    let oldMiddle = old[prefixCount..<(old.count - suffixCount)]
    let newMiddle = new[prefixCount..<(new.count - suffixCount)]
    let kept = shift(from: oldMiddle, to: newMiddle)
    guard 2 * (prefixCount + suffixCount + kept.count) >= new.count else { return nil }
    var edits: [Edit] = []
    // The last item is removed first, so that the remaining indices stay valid.
    for index in oldMiddle.indices.reversed()
    where !(kept.old..<(kept.old + kept.count)).contains(index) {
      edits.append(.remove(at: index))
    }
    for index in newMiddle.indices
    where !(kept.new..<(kept.new + kept.count)).contains(index) {
      edits.append(.insert(new[index], at: index))
    }
    let oldByID = Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for (index, item) in new.enumerated() {
      if let before = oldByID[item.id], before != item, !edits.contains(inserting: item.id) {
        edits.append(.replace(item, at: index))
      }
    }
    return edits
  }

  /// Finds the common part of two lists if one list is shifted, such as after scrolling. Returns
  /// the index of the first common item in each list, and the number of common items. The number is
  /// 0 if neither list contains the first item of the other list.
  private static func shift(
    from old: ArraySlice<ListItem>, to new: ArraySlice<ListItem>
  ) -> (old: Int, new: Int, count: Int) {
    let nothing = (old: old.startIndex, new: new.startIndex, count: 0)
    guard let firstOld = old.first, let firstNew = new.first else { return nothing }
    if let start = old.firstIndex(where: { $0.id == firstNew.id }) {
      let count = zip(old[start...], new).prefix { $0.id == $1.id }.count
      return (start, new.startIndex, count)
    }
    if let start = new.firstIndex(where: { $0.id == firstOld.id }) {
      let count = zip(old, new[start...]).prefix { $0.id == $1.id }.count
      return (old.startIndex, start, count)
    }
    return nothing
  }
}

extension [ListItems.Edit] {
  fileprivate func contains(inserting id: String) -> Bool {
    contains { if case .insert(let item, _) = $0 { item.id == id } else { false } }
  }
}
