import SQLiteDatabase
import TodoModel

/// The statements that read open todos by date.
final class AgendaTable {
  private unowned let connection: Connection
  private let lists: ListTable
  private let search: SearchIndex
  private var cachedCounts = CachedSectionCounts()
  private lazy var count = Statement(
    "SELECT coalesce(sum(open), 0) FROM due_day WHERE list = ?1 AND day BETWEEN ?2 AND ?3",
    on: connection)
  private var windows: [WindowKey: Statement] = [:]
  private lazy var due = Statement("SELECT effective_due FROM todo WHERE id = ?", on: connection)
  private lazy var dueAndURL = Statement(
    "SELECT effective_due, remote_url FROM todo WHERE id = ?", on: connection)
  private var rows: [Bool: Statement] = [:]

  private struct WindowKey: Hashable {
    var listCount: Int
    var hasPreviews: Bool
  }

  init(over connection: Connection, lists: ListTable, search: SearchIndex) {
    self.connection = connection
    self.lists = lists
    self.search = search
  }

  /// Reads a window of the agenda from a single snapshot of the database.
  ///
  /// - Parameter view: Returns the part of a list that the user sees; `nil` if the user sees the
  ///   whole list.
  func agenda(
    _ query: AgendaQuery, view: (TodoListKey) -> RemoteView?
  ) throws(TodoError) -> Agenda {
    let filter = try TodoFilter(query.filter, isDone: false, today: query.today)
    guard filter.selectsAll, query.lists.allSatisfy({ view($0) == nil }) else {
      return try query.mayRepeatItems(view)
        ? agendaWithoutRepeats(query, filter, view: view) : agenda(query, filter, view: view)
    }
    return try connection.snapshot { () throws(TodoError) in
      var indexes: [Int64: Int] = [:]
      var counts = SectionCounts()
      for (index, list) in query.lists.enumerated() {
        guard let state = try lists.state(of: list) else { continue }
        indexes[state.number] = index
        counts.add(try self.counts(of: state, on: query.today))
      }
      let numbers = indexes.keys.sorted()
      return try query.agenda(
        count: { section in counts[section] },
        forEachTodo: { (section, range, body) throws(TodoError) in
          try forEachTodo(
            range, section.days(on: query.today), in: numbers, indexes, query, body)
        })
    }
  }

  /// Reads a window of an agenda that contains only the todos that match a filter.
  private func agenda(
    _ query: AgendaQuery, _ filter: TodoFilter, view: (TodoListKey) -> RemoteView?
  ) throws(TodoError) -> Agenda {
    try connection.snapshot { () throws(TodoError) in
      try query.agenda(
        count: { section throws(TodoError) in
          var sum = 0
          for list in query.lists {
            let days = section.days(on: query.today)
            sum += try matches(filter, days, in: list, view(list))?.hits.count ?? 0
          }
          return sum
        },
        forEachTodo: { (section, range, body) throws(TodoError) in
          var dated: [(due: String, list: Int, row: Int64)] = []
          for (index, list) in query.lists.enumerated() {
            let days = section.days(on: query.today)
            guard let (order, hits) = try matches(filter, days, in: list, view(list)) else {
              continue
            }
            for place in hits.places(offset: 0, limit: range.upperBound) {
              let row = order.rows[place]
              let due = try self.due.first(.integer(row)) { row in row.text(0) } ?? ""
              dated.append((due, index, row))
            }
          }
          dated.sort { ($0.due, $0.list) < ($1.due, $1.list) }
          for (_, list, number) in dated[range] {
            guard let row = try row(number, hasPreview: query.includesPreviews) else { continue }
            body(list, row)
          }
        })
    }
  }

  /// Reads a window of the agenda of several lists that may contain the same item. Such an item
  /// appears only in the first of these lists.
  private func agendaWithoutRepeats(
    _ query: AgendaQuery, _ filter: TodoFilter, view: (TodoListKey) -> RemoteView?
  ) throws(TodoError) -> Agenda {
    try connection.snapshot { () throws(TodoError) in
      var known: Set<String> = []
      var dated: [AgendaSection: [(due: String, list: Int, row: Int64)]] = [:]
      for section in AgendaSection.allCases { dated[section] = [] }
      for (index, list) in query.lists.enumerated() {
        var own: Set<String> = []
        for section in AgendaSection.allCases {
          let days = section.days(on: query.today)
          guard let (order, hits) = try matches(filter, days, in: list, view(list)) else {
            continue
          }
          for place in hits.places(offset: 0, limit: .max) {
            let row = order.rows[place]
            let found = try dueAndURL.first(.integer(row)) { ($0.text(0), $0.optionalText(1)) }
            guard let (due, url) = found, !known.contains(url ?? "") else { continue }
            if let url { own.insert(url) }
            dated[section]?.append((due, index, row))
          }
        }
        known.formUnion(own)
      }
      dated = dated.mapValues { $0.sorted { ($0.due, $0.list) < ($1.due, $1.list) } }
      return try query.agenda(
        count: { dated[$0]?.count ?? 0 },
        forEachTodo: { (section, range, body) throws(TodoError) in
          for (_, list, number) in (dated[section] ?? [])[range] {
            guard let row = try row(number, hasPreview: query.includesPreviews) else { continue }
            body(list, row)
          }
        })
    }
  }

  /// Returns the open todos of a list, sorted by due date, and the positions of the todos that
  /// match a filter and are due on `days`; `nil` if no todo can match.
  ///
  /// - Parameters:
  ///   - days: The due days; `nil` for all todos, even those without a date.
  ///   - view: The part of the list that the user sees; `nil` for the whole list.
  private func matches(
    _ filter: TodoFilter, _ days: DayRange?, in list: TodoListKey, _ view: RemoteView?
  ) throws(TodoError) -> (order: ListOrder, hits: Hits)? {
    guard let state = try lists.state(of: list),
      var matching = try search.matching(filter, in: state.number)
    else { return nil }
    if let view { matching.qualifiers.append(Qualifier(.view(view.key))) }
    if let days { matching.qualifiers.append(Qualifier(.due(days))) }
    let key = ListOrders.Key(list: state.number, isDone: false, sort: TodoSort(.due))
    let order = try search.order(key, state.versions)
    return (order, try search.hits(of: matching, in: order, state.versions))
  }

  /// Counts the open todos of a list, and those that are due today or overdue.
  ///
  /// - Parameter view: The part of the list that the user sees; `nil` for the whole list.
  func openCounts(
    of list: TodoListKey, on today: CivilDay, _ view: RemoteView?
  ) throws(TodoError) -> OpenCounts {
    try connection.snapshot { () throws(TodoError) in
      if view != nil {
        func count(_ days: DayRange?) throws(TodoError) -> Int {
          try matches(.all, days, in: list, view)?.hits.count ?? 0
        }
        return OpenCounts(
          open: try count(nil), dueToday: try count(AgendaSection.today.days(on: today)),
          overdue: try count(AgendaSection.overdue.days(on: today)))
      }
      guard let state = try lists.state(of: list) else { return OpenCounts() }
      let counts = try counts(of: state, on: today)
      return OpenCounts(
        open: state[false], dueToday: counts[.today], overdue: counts[.overdue])
    }
  }

  private func counts(
    of list: ListState, on today: CivilDay
  ) throws(TodoError) -> SectionCounts {
    try cachedCounts.counts(of: list, on: today) { days throws(TodoError) in
      guard let texts = days.texts else { return 0 }
      return try count.first(
        .integer(list.number), .text(texts.first), .text(texts.last)
      ) { row in row.count(0) } ?? 0
    }
  }

  /// Sorts the todos of several lists that are due on `days` by date, and calls `body` with the
  /// todos at the positions in `range`. Todos with the same date are in the order of their lists'
  /// numbers. Merges the index entries of the lists first, so that only the todos for `body` are
  /// read from the table.
  ///
  /// - Parameter indexes: The position of each list in `query.lists`, by the list's number.
  private func forEachTodo(
    _ range: Range<Int>, _ days: DayRange, in lists: [Int64], _ indexes: [Int64: Int],
    _ query: AgendaQuery, _ body: (_ list: Int, TodoRow) -> Void
  ) throws(TodoError) {
    guard let texts = days.texts, !lists.isEmpty else { return }
    let key = WindowKey(listCount: lists.count, hasPreviews: query.includesPreviews)
    let statement = windows[key] ?? Statement(Self.window(key), on: connection)
    windows[key] = statement
    let values: [SQLValue] = [
      .text(texts.first), .text(texts.end), .integer(Int64(range.count)),
      .integer(Int64(range.lowerBound)),
    ]
    try statement.each(values + lists.map { .integer($0) }) { row in
      body(indexes[row.integer(TodoColumn.note.rawValue + 1)] ?? 0, row.todoRow)
      return true
    }
  }

  /// Returns a statement that merges the index entries of the lists, and then reads only the rows
  /// of the window. If it merged whole rows, SQLite would copy each column several times.
  private static func window(_ key: WindowKey) -> String {
    let columns = key.hasPreviews ? TodoColumns.rowWithPreview : TodoColumns.row
    let parts = (5..<5 + key.listCount).map { list in
      """
      SELECT effective_due AS date, list, place, id FROM todo
      WHERE list = ?\(list) AND effective_due >= ?1 AND effective_due < ?2
        AND effective_due IS NOT NULL AND is_removed = 0 AND is_done = 0
      """
    }
    // The CROSS JOIN makes SQLite read the sorted window first, so that the rows keep its order.
    return """
      SELECT \(columns), found.list FROM (
        \(parts.joined(separator: "\nUNION ALL\n"))
        ORDER BY date, list, place, id LIMIT ?3 OFFSET ?4
      ) AS found CROSS JOIN todo ON todo.id = found.id
      """
  }

  private func row(_ number: Int64, hasPreview: Bool) throws(TodoError) -> TodoRow? {
    let columns = hasPreview ? TodoColumns.rowWithPreview : TodoColumns.row
    let statement =
      rows[hasPreview]
      ?? Statement("SELECT \(columns) FROM todo WHERE todo.id = ?", on: connection)
    rows[hasPreview] = statement
    return try statement.first(.integer(number)) { row in row.todoRow }
  }
}

extension AgendaQuery {
  /// Whether two of the lists may contain the same item. This is possible if a list has a view that
  /// can contain items of other lists.
  fileprivate func mayRepeatItems(_ view: (TodoListKey) -> RemoteView?) -> Bool {
    lists.count { !$0.isLocal } > 1 && lists.contains { view($0)?.spansPlaces ?? false }
  }
}
