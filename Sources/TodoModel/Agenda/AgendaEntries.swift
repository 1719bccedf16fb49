/// The todos of an agenda in their order, before their rows are read.
///
/// `Todo` names a todo of one list in its store. A store gives the first todos of each section and
/// counts the rest.
package struct AgendaEntries<Todo> {
  package struct Entry {
    package var section: AgendaSection
    /// The index of the list, and the todo; `nil` for the row that counts the rest.
    package var todo: (list: Int, Todo)?
    package var restCount = 0
  }

  /// A todo with its date and its list, by which it is sorted.
  package struct Dated {
    package var due: String
    package var list: Int
    package var todo: Todo

    package init(due: String, list: Int, todo: Todo) {
      self.due = due
      self.list = list
      self.todo = todo
    }
  }

  package private(set) var entries: [Entry] = []

  /// - Parameters:
  ///   - count: Returns the number of todos of a section in all lists.
  ///   - first: Returns at least `limit` todos of a section from each list, or all that it has, each list
  ///     sorted by date.
  package init(
    count: (AgendaSection) throws(TodoError) -> Int,
    first: (AgendaSection, _ limit: Int) throws(TodoError) -> [Dated]
  ) throws(TodoError) {
    var counts: [Int] = []
    for section in AgendaSection.allCases { counts.append(try count(section)) }
    let shown = Agenda.shownCounts(of: counts)
    for (index, section) in AgendaSection.allCases.enumerated() where counts[index] > 0 {
      // Stable: todos of one list with the same date stay in its order.
      let dated = try first(section, shown[index]).sorted { ($0.due, $0.list) < ($1.due, $1.list) }
      for entry in dated.prefix(shown[index]) {
        entries.append(Entry(section: section, todo: (entry.list, entry.todo)))
      }
      let rest = counts[index] - shown[index]
      if rest > 0 { entries.append(Entry(section: section, todo: nil, restCount: rest)) }
    }
  }

  /// Returns a window of the agenda. A window beyond the end shows the end.
  package func agenda(
    _ query: AgendaQuery, row: (_ list: Int, Todo) throws(TodoError) -> TodoRow?
  ) throws(TodoError) -> Agenda {
    var agenda = Agenda()
    agenda.total = entries.count
    let limit = max(0, query.limit)
    agenda.offset = min(max(0, query.offset), max(0, entries.count - min(limit, entries.count)))
    for entry in entries.dropFirst(agenda.offset).prefix(limit) {
      guard let (list, todo) = entry.todo else {
        agenda.rows.append(Agenda.Row(entry.section, .rest(entry.restCount)))
        continue
      }
      guard let row = try row(list, todo) else { continue }
      agenda.rows.append(Agenda.Row(entry.section, .todo(row, in: query.lists[list])))
    }
    return agenda
  }
}
