extension Array {
  /// Empties an array whose elements have all been taken out; releases its memory if it had more
  /// than `keepingCountMax` elements, so that one long queue does not occupy memory forever.
  ///
  /// Removing the last element costs a fifth of `removeAll`, and nearly always there is only one.
  mutating func dropTaken<Item>(keepingCountMax: Int) where Element == Item? {
    if count > keepingCountMax { self = [] }
    while !isEmpty { removeLast() }
  }
}
