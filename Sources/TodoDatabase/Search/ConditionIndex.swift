import SQLiteDatabase
import TodoModel

/// A search for the todos that meet a condition, with the help of database indexes.
final class ConditionIndex {
  private unowned let connection: Connection
  private let mark: RowFunction
  private var statements: [String: Statement] = [:]

  init(over connection: Connection, mark: RowFunction) {
    self.connection = connection
    self.mark = mark
  }

  /// Finds the todos that meet a condition, and adds them to `marking`. If the condition has
  /// `isFoundByComplement`, finds and adds the todos that do not meet the condition instead.
  func find(
    _ condition: Condition, in list: Int64, _ marking: inout ListOrder.Marking
  ) throws(TodoError) {
    let (sql, values) = condition.search
    let statement = statements[sql] ?? Statement(sql, on: connection)
    statements[sql] = statement
    try mark.withMarking(&marking) { () throws(TodoError) in
      for value in values { try statement.run([.integer(list)] + value) }
    }
  }
}

extension RowFunction {
  /// Runs `body`, and adds the rows that it finds to `marking`. The statements of `body` pass the
  /// numbers of these rows to the SQL function `todo_mark`.
  func withMarking(
    _ marking: inout ListOrder.Marking, during body: () throws(TodoError) -> Void
  ) throws(TodoError) {
    var found = marking
    try withReceiver({ found.mark($0) }, during: body)
    marking = found
  }
}

extension Condition {
  /// Whether the index is searched for the todos that do not meet the condition, because the index
  /// contains only those todos.
  var isFoundByComplement: Bool {
    switch self {
    case .noLabel, .noDue, .priority(nil), .done(false): true
    case .comments(let numbers): numbers.contains(0)
    case .done(true), .sync, .draft, .overdue, .labels, .due, .priority, .number, .assignees,
      .milestones, .view:
      false
    }
  }

  /// Whether the todos that meet the condition stay the same until the edit version of the list
  /// changes. `false` for conditions on data that can change without an edit, such as the sync
  /// state.
  var followsEdits: Bool {
    switch self {
    case .sync, .draft, .number, .view: false
    case .done, .overdue, .labels, .noLabel, .due, .noDue, .priority, .assignees, .milestones,
      .comments:
      true
    }
  }

  /// A statement that marks the todos that meet the condition. With `isFoundByComplement`, it marks
  /// the todos that do not meet the condition. The statement is run for each element of `values`.
  /// Its first parameter is the list.
  fileprivate var search: (sql: String, values: [[SQLValue]]) {
    switch self {
    case .done: (Self.select("is_removed = 0 AND is_done = 1"), [[]])
    case .sync(let state):
      // SQLite uses the partial index only if the query contains the exact condition of the index.
      (
        Self.select("sync IN ('pending', 'conflict', 'failed') AND sync = ?2"),
        [[.text(state.rawValue)]]
      )
    case .draft:
      (
        """
        SELECT todo_mark(todo.id) FROM draft
        JOIN todo ON todo.list = draft.list AND todo.name = draft.todo WHERE draft.list = ?1
        """, [[]]
      )
    case .overdue(let day):
      (
        Self.select(
          "effective_due IS NOT NULL AND is_removed = 0 AND effective_due < ?2 AND is_done = 0"),
        [[.text(day.description)]]
      )
    case .labels(let keys):
      (
        "SELECT todo_mark(todo) FROM label WHERE list = ?1 AND key = ?2",
        keys.map { [.text($0)] }
      )
    case .noLabel: ("SELECT todo_mark(todo) FROM label WHERE list = ?1", [[]])
    case .due(let days):
      (
        Self.select(
          """
          effective_due IS NOT NULL AND is_removed = 0
            AND effective_due >= ?2 AND effective_due < ?3
          """),
        days.texts.map { [[.text($0.first), .text($0.end)]] } ?? []
      )
    case .noDue: (Self.select("effective_due IS NOT NULL AND is_removed = 0"), [[]])
    case .priority(let priority?):
      (Self.select("priority IS NOT NULL AND priority = ?2"), [[.text(priority.rawValue)]])
    case .priority(nil): (Self.select("priority IS NOT NULL"), [[]])
    case .number(let number):
      // The key of an item may be its number, or a repository name and the number.
      (
        Self.select("(remote_key = ?2 OR remote_key GLOB '*#' || ?2)"),
        [[.text(String(number))]]
      )
    case .view(let key): (ViewTable.marking, [[.text(key)]])
    case .assignees(let keys): (Self.details("= ?3"), Self.values(.assignees, keys))
    case .milestones(let keys): (Self.details("= ?3"), Self.values(.milestone, keys))
    case .comments(let numbers): Self.search(numbers)
    }
  }

  /// Returns the search for a range of comment counts. Todos without comments are not in the index.
  private static func search(_ numbers: NumberRange) -> (sql: String, values: [[SQLValue]]) {
    let last = SQLValue.integer(Int64(numbers.last))
    let name = SQLValue.text(SourceDetail.comments.rawValue)
    return numbers.contains(0)
      ? (details("> ?3"), [[name, last]])
      : (details("BETWEEN ?3 AND ?4"), [[name, .integer(Int64(numbers.first)), last]])
  }

  private static func values(_ name: SourceDetail, _ keys: [String]) -> [[SQLValue]] {
    keys.map { [.text(name.rawValue), .text($0)] }
  }

  private static func details(_ condition: String) -> String {
    "SELECT todo_mark(todo) FROM detail WHERE list = ?1 AND name = ?2 AND value \(condition)"
  }

  private static func select(_ condition: String) -> String {
    "SELECT todo_mark(id) FROM todo WHERE list = ?1 AND \(condition)"
  }
}

extension DayRange {
  /// The texts of the first and the last day, and a text that sorts after all dates of the last
  /// day; `nil` for an empty range.
  var texts: (first: String, last: String, end: String)? {
    guard let first = CivilDay(number: Int64(max(first, CivilDay.first.number))),
      let last = CivilDay(number: Int64(min(last, CivilDay.last.number))), first <= last
    else { return nil }
    // A date with a time continues with "T".
    return (first.description, last.description, "\(last)U")
  }
}
