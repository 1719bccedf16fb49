@_spi(_Unicode) import Swift

extension TodoQuery {
  /// Returns the page of todos that this query selects from a whole list in memory. A database that
  /// answers the query with its indexes must return the same page.
  ///
  /// - Parameters:
  ///   - todos: The whole list, in the user's order.
  ///   - filter: The filter of the query, parsed for the current day.
  package func page(of todos: [Todo], _ filter: TodoFilter) -> TodoPage<Todo> {
    let words = Words(filter)
    var matching = todos.filter {
      filter.matchesDoneState(of: $0) && filter.matchesQualifiers(of: $0) && words.match($0)
    }
    matching = sort.sorted(matching)
    var page: [Todo] = []
    var byteCount = 0
    for var todo in matching.dropFirst(max(0, offset)).prefix(max(0, limit)) {
      if !includesNotes { todo.content.note = "" }
      byteCount += todo.content.title.utf8.count + todo.content.note.utf8.count
      guard byteCount <= Self.answerBytesMax || page.isEmpty else { break }
      page.append(todo)
    }
    let wantedCount = min(max(0, limit), max(0, matching.count - max(0, offset)))
    return TodoPage(
      elements: page, total: matching.count, offset: max(0, offset),
      isTruncated: page.count < wantedCount)
  }

  /// Returns the position of a todo in the result of the query: the number of matching todos before
  /// it. The todo itself does not have to match the qualifiers and search words.
  ///
  /// - Parameter todos: The whole list, in the user's order.
  /// - Returns: `nil` if the todo is missing, or does not have the required done state.
  func position(of id: TodoID, among todos: [Todo], _ filter: TodoFilter) -> Int? {
    let words = Words(filter)
    let ofState = todos.filter { filter.matchesDoneState(of: $0) }
    guard ofState.contains(where: { $0.id == id }) else { return nil }
    let before = sort.sorted(ofState).prefix { $0.id != id }
    return before.count { filter.matchesQualifiers(of: $0) && words.match($0) }
  }

  /// The search words of a query. A todo matches if each search word is the beginning of a word in
  /// its title or note.
  private struct Words {
    private let isBlank: Bool
    private let wanted: [[Unicode.Scalar]]

    init(_ filter: TodoFilter) {
      isBlank = filter.words.map { $0.trimmed.isEmpty } ?? true
      wanted = filter.words.map(TodoQuery.words) ?? []
    }

    func match(_ todo: Todo) -> Bool {
      if isBlank { return true }
      let words = TodoQuery.words(todo.content.title) + TodoQuery.words(todo.content.note)
      return !wanted.isEmpty
        && wanted.allSatisfy { prefix in words.contains { $0.starts(with: prefix) } }
    }
  }

  /// Returns the words of a text, in lower case and without accents: `Straße` becomes `strasse`.
  private static func words(_ text: String) -> [[Unicode.Scalar]] {
    let plain = text.uppercased().lowercased()._nfd.filter { scalar in
      ![.nonspacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
    }
    return plain.split { !$0.properties.isAlphabetic && $0.properties.numericType == nil }
      .map(Array.init)
  }
}

extension TodoSort {
  /// Returns the todos in this sort order. Todos that compare equal keep their order.
  fileprivate func sorted(_ todos: [Todo]) -> [Todo] {
    let order: (Todo, Todo) -> Bool
    switch key {
    case .order: return isDescending ? todos.reversed() : todos
    case .title: order = { Self.folded($0.content.title).precedes(Self.folded($1.content.title)) }
    case .created: order = { $0.createdAt < $1.createdAt }
    case .updated: order = { $0.updatedAt < $1.updatedAt }
    case .done: order = { !$0.content.isDone && $1.content.isDone }
    case .due: return sorted(todos) { $0.effectiveDue }
    case .priority:
      return sorted(todos) { $0.content.priority.flatMap(Priority.allCases.firstIndex) }
    }
    // The sort stays stable if the arguments are exchanged for a descending order.
    return todos.sorted { isDescending ? order($1, $0) : order($0, $1) }
  }

  /// Returns the todos sorted by a value. In both directions, todos without a value are last.
  private func sorted(_ todos: [Todo], by value: (Todo) -> (some Comparable)?) -> [Todo] {
    let valued = todos.filter { value($0) != nil }.sorted { a, b in
      guard let a = value(a), let b = value(b) else { return false }
      return isDescending ? b < a : a < b
    }
    return valued + todos.filter { value($0) == nil }
  }

  /// Returns the bytes of a title for comparisons, with A to Z in lower case.
  private static func folded(_ title: String) -> [UInt8] {
    title.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
  }
}

extension [UInt8] {
  fileprivate func precedes(_ other: [UInt8]) -> Bool { lexicographicallyPrecedes(other) }
}
