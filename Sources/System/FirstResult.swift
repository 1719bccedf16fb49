extension Sequence {
  /// Returns the first result that is not `nil`. Calls `query` once for each element up to that
  /// one.
  ///
  /// `lazy.compactMap(_:).first`, in contrast, calls the closure twice for the found element, and
  /// traps if the second result is `nil`. It must not be used with a closure that depends on
  /// external state or runs code of the caller.
  package func firstResult<Result>(of query: (Element) -> Result?) -> Result? {
    for element in self {
      if let result = query(element) { return result }
    }
    return nil
  }
}
