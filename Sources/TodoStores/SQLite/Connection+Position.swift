import TodoModel

/// Finding where in a list a todo is.
extension Connection {
  /// How many todos come before one among those that match the query.
  func position(
    of id: TodoID, _ query: TodoQuery, in list: TodoListKey
  ) throws(TodoError) -> Int? {
    try snapshot { () throws(TodoError) in
      guard let state = try state(of: list),
        let place = try place(of: id, query.isDone, in: state.number)
      else { return nil }
      switch try SearchText(query.text, tokenizer) {
      case .nothing: return nil
      case .everything:
        if let order = orders.known(state.key(query), state.versions) {
          return order.place(of: place.row)
        }
        guard query.sort == TodoSort() else {
          return try order(state.key(query), state.versions).place(of: place.row)
        }
        let done = query.isDone.map { [SQLValue($0)] } ?? []
        return try first(
          """
          SELECT count(*) FROM todo
          WHERE todo.list = ? AND todo.is_removed = 0\(done.isEmpty ? "" : " AND todo.is_done = ?")
            AND (todo.place, todo.id) < (?, ?)
          """,
          [.integer(state.number)] + done + [.integer(place.place), .integer(place.row)]
        ) { Int($0.integer(0)) }
      case .words(let words):
        let order = try order(state.key(query), state.versions)
        let hits = try hits(of: words, in: order, textVersion: state.versions.text)
        return order.place(of: place.row).map { hits?.count(before: $0) ?? 0 }
      }
    }
  }

  private func place(
    of id: TodoID, _ isDone: Bool?, in list: Int64
  ) throws(TodoError) -> (place: Int64, row: Int64)? {
    try first(
      """
      SELECT place, id FROM todo
      WHERE list = ?1 AND name = ?2 AND is_removed = 0 AND is_done = coalesce(?3, is_done)
      """,
      [.integer(list), .text(id.text), isDone.map { SQLValue($0) } ?? .null]
    ) { ($0.integer(0), $0.integer(1)) }
  }
}
