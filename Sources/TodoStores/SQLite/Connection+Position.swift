import TodoModel

/// Finding where in a list a todo is.
extension Connection {
  /// How many todos come before one among those that match the query.
  func position(
    of id: TodoID, _ query: TodoQuery, in list: TodoListKey
  ) throws(TodoError) -> Int? {
    try snapshot { () throws(TodoError) in
      guard let place = try place(of: id, in: list) else { return nil }
      let done = query.isDone.map { [SQLValue($0)] } ?? []
      let condition =
        "todo.list = ? AND todo.is_removed = 0" + (done.isEmpty ? "" : " AND todo.is_done = ?")
      let before = "(todo.place, todo.id) < (?, ?)"
      let values =
        [.integer(place.list)] + done + [SQLValue.integer(place.place), .integer(place.row)]
      switch SearchText(query.text) {
      case .nothing: return nil
      case .everything:
        return try count("SELECT count(*) FROM todo WHERE \(condition) AND \(before)", values)
      case .match(let words):
        return try count(
          """
          SELECT count(*) FROM todo_text CROSS JOIN todo ON todo.id = todo_text.rowid
          WHERE todo_text MATCH ? AND \(condition) AND \(before)
          """, [.text(words)] + values)
      }
    }
  }

  private func count(_ sql: String, _ values: [SQLValue]) throws(TodoError) -> Int? {
    try first(sql, values) { Int($0.integer(0)) }
  }

  private func place(
    of id: TodoID, in list: TodoListKey
  ) throws(TodoError) -> (list: Int64, place: Int64, row: Int64)? {
    try first(
      """
      SELECT list.id, todo.place, todo.id FROM list JOIN todo ON todo.list = list.id
      WHERE list.profile = ? AND list.source = ? AND todo.name = ? AND todo.is_removed = 0
      """, [.text(list.profile), .text(list.source), .text(id.text)]
    ) { ($0.integer(0), $0.integer(1), $0.integer(2)) }
  }
}
