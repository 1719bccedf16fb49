extension AgendaQuery {
  /// Builds the window of the agenda that this query selects. If the offset is too large, returns
  /// the last `limit` rows of the agenda.
  ///
  /// - Parameters:
  ///   - count: Returns the number of todos in a section, over all lists.
  ///   - forEachTodo: Calls a closure for each todo in a range of a section. The section contains
  ///     the todos of all lists, sorted by due date. The closure gets the index of the todo's list,
  ///     and the row of the todo.
  package func agenda(
    count: (AgendaSection) throws(TodoError) -> Int,
    forEachTodo: (
      AgendaSection, Range<Int>, (_ list: Int, TodoRow) -> Void
    ) throws(TodoError) -> Void
  ) throws(TodoError) -> Agenda {
    var counts: [Int] = []
    for section in AgendaSection.allCases { counts.append(try count(section)) }
    let shown = Agenda.shownCounts(of: counts)
    var agenda = Agenda()
    agenda.total = zip(shown, counts).reduce(0) { $0 + $1.0 + ($1.0 < $1.1 ? 1 : 0) }
    let limit = min(max(0, limit), agenda.total)
    agenda.offset = min(max(0, offset), agenda.total - limit)
    agenda.rows.reserveCapacity(limit)
    // The number of rows to skip before the window, and the number of rows that still fit into it.
    var (skipped, left) = (agenda.offset, limit)
    for (section, (shown, count)) in zip(AgendaSection.allCases, zip(shown, counts)) {
      let end = min(shown, skipped + left)
      if end > skipped {
        try forEachTodo(section, skipped..<end) { list, row in
          agenda.rows.append(Agenda.Row(section, .todo(row, in: lists[list])))
        }
        left -= end - skipped
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
