extension String {
  /// Whether both have the same UTF-8 bytes. `==` calls two spellings of one letter equal: an edit
  /// from one to the other would be lost, and two keys of an object or two ids would be one.
  ///
  /// Compared in memory, for each keypress compares all that is shown: to step through the views of
  /// both takes five times as long.
  package func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let answer = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in
        guard let left = left.baseAddress, let other = right.baseAddress else { return true }
        return memcmp(left, other, right.count) == 0
      }
    }
    return (answer ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}
