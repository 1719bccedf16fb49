/// A todo with its date and its list, by which it is sorted.
///
/// `Todo` names a todo of one list in its store.
package struct DatedTodo<Todo> {
  package var due: String
  /// The index of the list.
  package var list: Int
  package var todo: Todo

  package init(due: String, list: Int, todo: Todo) {
    self.due = due
    self.list = list
    self.todo = todo
  }
}

extension AgendaQuery {
  /// Returns a window of the agenda of a store, which reads only the todos up to its end. A window beyond
  /// the end of the agenda shows the end.
  ///
  /// - Parameters:
  ///   - count: Returns the number of todos of a section in all lists.
  ///   - first: Returns at least `limit` todos of a section from each list, or all that it has, each list
  ///     sorted by date.
  ///   - row: Returns the row of a todo; `nil` if there is no such todo.
  package func agenda<Todo>(
    count: (AgendaSection) throws(TodoError) -> Int,
    first: (AgendaSection, _ limit: Int) throws(TodoError) -> [DatedTodo<Todo>],
    row: (DatedTodo<Todo>) throws(TodoError) -> TodoRow?
  ) throws(TodoError) -> Agenda {
    var counts: [Int] = []
    for section in AgendaSection.allCases { counts.append(try count(section)) }
    let shown = Agenda.shownCounts(of: counts)
    var agenda = Agenda()
    agenda.total = zip(shown, counts).reduce(0) { $0 + $1.0 + ($1.0 < $1.1 ? 1 : 0) }
    let limit = min(max(0, limit), agenda.total)
    agenda.offset = min(max(0, offset), agenda.total - limit)
    // The rows before the window, and in it, that are left.
    var (skipped, left) = (agenda.offset, limit)
    for (section, (shown, count)) in zip(AgendaSection.allCases, zip(shown, counts)) {
      let needed = min(shown, skipped + left)
      if needed > skipped {
        // Stable: todos of one list with the same date stay in its order.
        let dated = try first(section, needed).sorted { ($0.due, $0.list) < ($1.due, $1.list) }
        for todo in dated.prefix(needed).dropFirst(skipped) {
          guard let row = try row(todo) else { continue }
          agenda.rows.append(Agenda.Row(section, .todo(row, in: lists[todo.list])))
        }
        left -= needed - skipped
      }
      skipped = max(0, skipped - shown)
      guard shown < count else { continue }
      if skipped == 0, left > 0 {
        agenda.rows.append(Agenda.Row(section, .rest(count - shown)))
        left -= 1
      } else {
        skipped = max(0, skipped - 1)
      }
    }
    return agenda
  }
}
