import TodoModel

/// The moves of entries in a document.
enum EntryMoves {
  /// Returns a smallest set of entries that must be moved to turn the order of the list into the
  /// order of the document. Entries that are not in the list do not count as moved.
  ///
  /// - Parameter present: The entries in the order of the document, each once.
  static func moved(_ present: [EntryID], from order: [EntryID]) -> Set<EntryID> {
    let places = Dictionary(
      order.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    let known = present.compactMap { entry in places[entry].map { (entry: entry, place: $0) } }
    let isOrdered = zip(known, known.dropFirst()).allSatisfy { $0.place < $1.place }
    guard !isOrdered else { return [] }
    let kept = longestRun(known.map(\.place))
    return Set(known.indices.filter { !kept.contains($0) }.map { known[$0].entry })
  }

  /// Returns the indices of a longest increasing subsequence of distinct numbers.
  private static func longestRun(_ numbers: [Int]) -> Set<Int> {
    /// For each length, the index of the smallest number with which a run of this length ends.
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: numbers.count)
    for (index, number) in numbers.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
      }
      previous[index] = low > 0 ? ends[low - 1] : nil
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var run = Set<Int>()
    var next = ends.last
    while let index = next {
      run.insert(index)
      next = previous[index]
    }
    return run
  }
}

extension DocumentMerge {
  /// Returns the entries that were moved outside the document after it was printed, and that the
  /// user of the document has not moved. Empty if the document already has the order of the list.
  package func movedElsewhere(in contents: DocumentContents) -> Set<EntryID> {
    guard let generation else { return [] }
    let logged = contents.moves.filter { $0.number > generation.lastMove }.map(\.entry)
    let elsewhere = Set(logged).subtracting(moved)
    guard !elsewhere.isEmpty else { return [] }
    let present = matches.compactMap { match -> EntryID? in
      switch match {
      case .todo(let id, _): .todo(id)
      case .text(let id): .text(id)
      case .additions, .nothing: nil
      }
    }
    let others = present.filter { !moved.contains($0) }
    return EntryMoves.moved(others, from: contents.order).isEmpty ? [] : elsewhere
  }
}

extension DocumentContents {
  /// All entries, in the order of the list.
  package var order: [EntryID] {
    var entries: [EntryID] = []
    entries.reserveCapacity(todos.count + texts.count)
    var rest = texts[...]
    func isNext(_ id: TodoID?) -> Bool { rest.first.map { $0.after == id } ?? false }
    while isNext(nil), let text = rest.popFirst() { entries.append(.text(text.id)) }
    for todo in todos {
      entries.append(.todo(todo.id))
      while isNext(todo.id), let text = rest.popFirst() { entries.append(.text(text.id)) }
    }
    return entries + rest.map { .text($0.id) }
  }
}
