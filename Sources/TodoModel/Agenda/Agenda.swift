/// A window of the agenda: the open todos of several lists that have a due date, sorted by date.
package struct Agenda: Sendable, Equatable {
  package var rows: [Row] = []
  /// The number of rows of the whole agenda.
  package var total = 0
  /// The number of rows of the whole agenda before this window.
  package var offset = 0

  package init() {}

  package struct Row: Sendable, Equatable {
    package var section: AgendaSection
    package var content: Content

    package init(_ section: AgendaSection, _ content: Content) {
      self.section = section
      self.content = content
    }
  }

  package enum Content: Sendable, Equatable {
    case todo(TodoRow, in: TodoListKey)
    /// The number of todos of the section that the agenda leaves out.
    case rest(Int)
  }

  /// The maximum number of todos of an agenda.
  package static let todosMax = 500
  /// The number of todos that each section can always show, however many the other sections have.
  package static let sectionTodosMin = 100

  /// Returns how many todos of each section are shown: all if they fit into `todosMax`. Otherwise
  /// each section gets at least `sectionTodosMin`, and the first sections get the rest.
  package static func shownCounts(of counts: [Int]) -> [Int] {
    var shown = counts.map { min($0, sectionTodosMin) }
    var left = todosMax - shown.reduce(0, +)
    for index in counts.indices {
      let more = min(counts[index] - shown[index], left)
      shown[index] += more
      left -= more
    }
    return shown
  }
}

/// A section of the agenda, by due date.
package enum AgendaSection: Int, Sendable, CaseIterable {
  case overdue, today, tomorrow, week, later

  package var title: String {
    switch self {
    case .overdue: "Overdue"
    case .today: "Today"
    case .tomorrow: "Tomorrow"
    case .week: "This week"
    case .later: "Later"
    }
  }

  /// Returns the days of the section. `week` consists of the five days after tomorrow.
  package func days(on today: CivilDay) -> DayRange {
    let day = today.number
    return switch self {
    case .overdue: DayRange(last: day - 1)
    case .today: DayRange(first: day, last: day)
    case .tomorrow: DayRange(first: day + 1, last: day + 1)
    case .week: DayRange(first: day + 2, last: day + 6)
    case .later: DayRange(first: day + 7)
    }
  }
}

/// A query for a window of the agenda on a day.
package struct AgendaQuery: Sendable, Equatable {
  /// The lists to read. Todos of different lists with the same date are in an order that the store
  /// chooses.
  package var lists: [TodoListKey]
  package var today: CivilDay
  package var offset: Int
  package var limit: Int
  /// Whether rows contain the beginning of their notes.
  package var includesPreviews: Bool
  /// The text of a query that the todos must match.
  package var filter: String

  package init(
    lists: [TodoListKey], today: CivilDay, offset: Int = 0, limit: Int = .max,
    includesPreviews: Bool = false, filter: String = ""
  ) {
    self.filter = filter
    self.lists = lists
    self.today = today
    self.offset = offset
    self.limit = limit
    self.includesPreviews = includesPreviews
  }
}

/// The numbers of open todos of a list.
package struct OpenCounts: Sendable, Equatable {
  package var open = 0
  package var dueToday = 0
  package var overdue = 0

  package init(open: Int = 0, dueToday: Int = 0, overdue: Int = 0) {
    self.open = open
    self.dueToday = dueToday
    self.overdue = overdue
  }
}

/// Synchronous reads of several lists, by due date.
package protocol AgendaReads: Sendable {
  func agenda(_ query: AgendaQuery) throws(TodoError) -> Agenda
  func openCounts(of list: TodoListKey, on today: CivilDay) throws(TodoError) -> OpenCounts
}
