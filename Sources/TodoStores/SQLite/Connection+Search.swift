import TodoModel

/// Finding todos by their words, and putting them in order.
extension Connection {
  /// The todos of a list in the order of a query.
  func order(_ key: ListOrders.Key, _ versions: ListVersions) throws(TodoError) -> ListOrder {
    if let known = orders.known(key, versions) { return known }
    let done = key.isDone.map { [SQLValue($0)] } ?? []
    let rows = try all(
      """
      SELECT todo.id FROM todo
      WHERE todo.list = ? AND todo.is_removed = 0\(done.isEmpty ? "" : " AND todo.is_done = ?")
      ORDER BY \(key.sort.columns)
      """, [.integer(key.list)] + done
    ) { row in row.integer(0) }
    let order = ListOrder(rows: rows)
    orders.keep(order, key, versions)
    return order
  }

  /// Where in an order all the words occur.
  func hits(
    of words: [String], in order: ListOrder, textVersion: Int64
  ) throws(TodoError) -> Hits? {
    var common: Hits?
    for word in words {
      let hits = try order.hits(of: word, textVersion: textVersion) {
        (marking) throws(TodoError) in try find(word, &marking)
      }
      common?.formIntersection(hits)
      if common == nil { common = hits }
      if common?.isEmpty == true { break }
    }
    return common
  }

  private func find(
    _ word: String, _ marking: inout ListOrder.Marking
  ) throws(TodoError) {
    let expressions = try expressions(for: word)
    try markFunction.mark(into: &marking) { () throws(TodoError) in
      for expression in expressions {
        try run("SELECT todo_mark(rowid) FROM todo_text WHERE todo_text MATCH ?", .text(expression))
      }
    }
  }

  /// How to ask the index for what begins with a word.
  ///
  /// Short beginnings are in the index themselves. For a longer one FTS5 gathers all rows of all
  /// words that begin so before it gives the first, which takes five times as long as to go through
  /// the rows of each word by itself, if the words are few.
  private func expressions(for word: String) throws(TodoError) -> [String] {
    let prefix = "\"\(word)\"*"
    guard word.unicodeScalars.count > Schema.prefixIndexedCountMax, word.utf8.count <= 256 else {
      return [prefix]
    }
    var (terms, rowCount) = ([String](), 0)
    try each(
      "SELECT term, doc FROM todo_term WHERE term >= ? AND term < ?",
      [.text(word), .text(word + "\u{10FFFF}")]
    ) { row throws(TodoError) in
      terms.append("\"\(row.text(0))\"")
      rowCount += Int(row.integer(1))
      return true
    }
    // To ask for a word costs as much as to go through this many rows.
    let rowsPerQuestion = 50
    return terms.count == 1 || terms.count * rowsPerQuestion <= rowCount ? terms : [prefix]
  }
}

extension TodoSort {
  /// What is alike in the wanted order stays in the user's.
  fileprivate var columns: String {
    let direction = isDescending ? " DESC" : ""
    return switch key {
    case .order: "todo.place\(direction), todo.id\(direction)"
    case .title: "todo.title COLLATE NOCASE\(direction), todo.place, todo.id"
    case .created: "todo.created_at\(direction), todo.place, todo.id"
    case .updated: "todo.updated_at\(direction), todo.place, todo.id"
    case .done: "todo.is_done\(direction), todo.place, todo.id"
    }
  }
}
