extension Sequence {
  /// Returns the first result of `query` that is not `nil`. Calls `query` once for each element up
  /// to this result.
  ///
  /// In contrast, `lazy.compactMap(_:).first` calls the closure twice for the element that it
  /// finds, and traps if the second result is `nil`. This is wrong for a closure that depends on
  /// external state, or has side effects.
  package func firstResult<Result>(of query: (Element) -> Result?) -> Result? {
    for element in self {
      if let result = query(element) { return result }
    }
    return nil
  }
}
