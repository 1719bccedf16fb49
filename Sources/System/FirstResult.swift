extension Sequence {
  /// The first result that is not nil, of one call for each element up to it.
  ///
  /// `lazy.compactMap(_:).first` calls the closure twice for the element that it finds, and traps if
  /// the second answer is nil. So it must not be used with a closure that asks something outside of
  /// the process, or that runs code of a caller.
  package func firstResult<Result>(of query: (Element) -> Result?) -> Result? {
    for element in self {
      if let result = query(element) { return result }
    }
    return nil
  }
}
