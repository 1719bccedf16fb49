extension Array {
  /// Empties an array whose elements have all been moved out (each is `nil`). Releases its memory
  /// if it had more than `keepingCountMax` elements, so that one long queue does not occupy memory
  /// forever.
  ///
  /// Removes the elements one by one: usually there is only one, and removing it takes a fifth of
  /// the instructions of `removeAll`.
  mutating func removeAllNil<Item>(keepingCountMax: Int) where Element == Item? {
    if count > keepingCountMax { self = [] }
    while !isEmpty { removeLast() }
  }
}
