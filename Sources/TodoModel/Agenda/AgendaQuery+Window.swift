extension AgendaQuery {
  /// Builds this window of the agenda from the counts and rows of a store. A window that extends
  /// beyond the end of the agenda is moved to the end.
  ///
  /// - Parameters:
  ///   - count: Returns the number of todos of a section in all lists.
  ///   - rows: Returns a range of the todos of a section in all lists, sorted by date, with the
  ///     index of the list of each todo.
  package func agenda(
    count: (AgendaSection) throws(TodoError) -> Int,
    rows: (AgendaSection, Range<Int>) throws(TodoError) -> [(list: Int, row: TodoRow)]
  ) throws(TodoError) -> Agenda {
    var counts: [Int] = []
    for section in AgendaSection.allCases { counts.append(try count(section)) }
    let shown = Agenda.shownCounts(of: counts)
    var agenda = Agenda()
    agenda.total = zip(shown, counts).reduce(0) { $0 + $1.0 + ($1.0 < $1.1 ? 1 : 0) }
    let limit = min(max(0, limit), agenda.total)
    agenda.offset = min(max(0, offset), agenda.total - limit)
    // The number of rows to skip before the window, and of rows still to return.
    var (skipped, left) = (agenda.offset, limit)
    for (section, (shown, count)) in zip(AgendaSection.allCases, zip(shown, counts)) {
      let end = min(shown, skipped + left)
      if end > skipped {
        for (list, row) in try rows(section, skipped..<end) {
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
