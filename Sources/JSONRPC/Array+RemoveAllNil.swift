extension Array {
  /// Empties an array whose elements have all been moved out (each is `nil`). Releases its memory
  /// if it had more than `keepingCountMax` elements, so that one long queue does not occupy memory
  /// forever.
  ///
  /// Removes the elements one by one: usually there is only one, and `removeAll` would take five
  /// times as many instructions to remove it.
  mutating func removeAllNil<Item>(keepingCountMax: Int) where Element == Item? {
    if count > keepingCountMax { self = [] }
    while !isEmpty { removeLast() }
  }
}
