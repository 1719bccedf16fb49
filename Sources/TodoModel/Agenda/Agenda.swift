/// A window of the agenda. The agenda contains the open todos of several lists, sorted by due date.
/// Todos without a due date are left out.
package struct Agenda: Sendable, Equatable {
  package var rows: [Row] = []
  /// The number of rows of the whole agenda.
  package var total = 0
  /// The index of this window's first row in the whole agenda.
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
    /// A row that stands for the hidden todos of a section. The value is the number of these todos.
    case rest(Int)
  }

  /// The maximum number of todos that an agenda shows.
  package static let todosMax = 500
  /// The number of todos that each section may always show, even if other sections have more todos
  /// than fit into the agenda.
  package static let sectionTodosMin = 100

  /// Returns how many todos of each section the agenda shows. If all todos fit into `todosMax`, the
  /// agenda shows all of them. Otherwise, the agenda shows at least `sectionTodosMin` todos of each
  /// section, or all todos of a smaller section. The first sections get the remaining room.
  ///
  /// - Parameter counts: The number of todos of each section.
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

  /// Returns the range of due dates of the section. `week` consists of the five days after
  /// tomorrow.
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

/// A query for a window of the agenda.
package struct AgendaQuery: Sendable, Equatable {
  /// The lists to read. If todos of different lists have the same due date, the agenda can show
  /// them in any order.
  package var lists: [TodoListKey]
  package var today: CivilDay
  package var offset: Int
  package var limit: Int
  /// Whether each row contains a preview: the beginning of the todo's note.
  package var includesPreviews: Bool
  /// The search query that the todos must match, such as `label:home milk`; `""` for all todos.
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

/// The numbers of open todos of a list: all of them, those due today and those overdue.
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

/// Synchronous reads of the agenda and of the numbers of open todos.
package protocol AgendaReads: Sendable {
  func agenda(_ query: AgendaQuery) throws(TodoError) -> Agenda
  func openCounts(of list: TodoListKey, on today: CivilDay) throws(TodoError) -> OpenCounts
}
