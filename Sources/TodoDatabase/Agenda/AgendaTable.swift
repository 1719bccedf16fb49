import SQLiteDatabase
import TodoModel

/// Reads open todos by date.
final class AgendaTable {
  private unowned let connection: Connection
  private let lists: ListTable
  private let search: SearchIndex
  private lazy var countOpen = Statement(
    "SELECT coalesce(sum(open), 0) FROM due_day WHERE list = ? AND day BETWEEN ? AND ?",
    on: connection)
  /// Answered by the index alone.
  private lazy var firstOpen = Statement(
    """
    SELECT id, effective_due FROM todo
    WHERE list = ?1 AND effective_due >= ?2 AND effective_due < ?3
      AND effective_due IS NOT NULL AND is_removed = 0 AND is_done = 0
    ORDER BY effective_due, place, id LIMIT ?4
    """, on: connection)
  private lazy var due = Statement("SELECT effective_due FROM todo WHERE id = ?", on: connection)
  private var rows: [Bool: Statement] = [:]

  init(over connection: Connection, lists: ListTable, search: SearchIndex) {
    self.connection = connection
    self.lists = lists
    self.search = search
  }

  /// Reads a window of the agenda, all of it of the same moment.
  func agenda(_ query: AgendaQuery) throws(TodoError) -> Agenda {
    let filter = try TodoFilter(query.filter, isDone: false, today: query.today)
    guard filter.selectsAll else { return try agenda(query, filter) }
    return try connection.snapshot { () throws(TodoError) in
      var numbers: [(list: Int, number: Int64)] = []
      for (index, list) in query.lists.enumerated() {
        if let number = try lists.knownNumber(of: list) { numbers.append((index, number)) }
      }
      return try query.agenda(
        count: { section throws(TodoError) in
          var sum = 0
          for list in numbers { sum += try count(section.days(on: query.today), in: list.number) }
          return sum
        },
        first: { (section, limit) throws(TodoError) in
          var dated: [DatedTodo<Int64>] = []
          for list in numbers {
            dated += try first(limit, section.days(on: query.today), in: list.number) { row in
              DatedTodo(due: row.text(1), list: list.list, todo: row.integer(0))
            }
          }
          return dated
        },
        row: { (dated) throws(TodoError) in
          try self.row(dated.todo, hasPreview: query.includesPreviews)
        })
    }
  }

  /// Reads a window of the agenda of the todos that match a filter.
  private func agenda(
    _ query: AgendaQuery, _ filter: TodoFilter
  ) throws(TodoError) -> Agenda {
    try connection.snapshot { () throws(TodoError) in
      try query.agenda(
        count: { section throws(TodoError) in
          var sum = 0
          for list in query.lists {
            sum += try matches(filter, section.days(on: query.today), in: list)?.hits.count ?? 0
          }
          return sum
        },
        first: { (section, limit) throws(TodoError) in
          var dated: [DatedTodo<Int64>] = []
          for (index, list) in query.lists.enumerated() {
            guard let (order, hits) = try matches(filter, section.days(on: query.today), in: list)
            else { continue }
            for place in hits.places(offset: 0, limit: limit) {
              let row = order.rows[place]
              let due = try self.due.first(.integer(row)) { row in row.text(0) } ?? ""
              dated.append(DatedTodo(due: due, list: index, todo: row))
            }
          }
          return dated
        },
        row: { (dated) throws(TodoError) in
          try self.row(dated.todo, hasPreview: query.includesPreviews)
        })
    }
  }

  /// The open todos of a list in the order of their dates, and which of them match a filter and are due
  /// on some days; `nil` if none does.
  private func matches(
    _ filter: TodoFilter, _ days: DayRange, in list: TodoListKey
  ) throws(TodoError) -> (order: ListOrder, hits: Hits)? {
    guard let state = try lists.state(of: list),
      var matching = try search.matching(filter, in: state.number)
    else { return nil }
    matching.qualifiers.append(Qualifier(.due(days)))
    let key = ListOrders.Key(list: state.number, isDone: false, sort: TodoSort(.due))
    let order = try search.order(key, state.versions)
    return (order, try search.hits(of: matching, in: order, state.versions))
  }

  func openCounts(
    of list: TodoListKey, on today: CivilDay
  ) throws(TodoError) -> OpenCounts {
    try connection.snapshot { () throws(TodoError) in
      guard let state = try lists.state(of: list) else { return OpenCounts() }
      return OpenCounts(
        open: state[false],
        dueToday: try count(AgendaSection.today.days(on: today), in: state.number),
        overdue: try count(AgendaSection.overdue.days(on: today), in: state.number))
    }
  }

  private func count(_ days: DayRange, in list: Int64) throws(TodoError) -> Int {
    guard let texts = days.texts else { return 0 }
    return try countOpen.first(.integer(list), .text(texts.first), .text(texts.last)) { row in
      row.count(0)
    } ?? 0
  }

  private func first<Value>(
    _ limit: Int, _ days: DayRange, in list: Int64, read: (Row) -> Value
  ) throws(TodoError) -> [Value] {
    guard let texts = days.texts, limit > 0 else { return [] }
    return try firstOpen.all(
      .integer(list), .text(texts.first), .text(texts.end), .integer(Int64(limit)), read: read)
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
