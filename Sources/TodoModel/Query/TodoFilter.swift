/// A parsed query. It selects the todos for which all qualifiers hold and which contain all words.
///
///     try TodoFilter("label:home -is:done milk", today: clock.today)
package struct TodoFilter: Sendable, Equatable {
  /// The done state that todos must have; `nil` for any.
  package private(set) var isDone: Bool?
  /// Whether the query contradicts itself, such as `is:open is:done`.
  package private(set) var selectsNone = false
  /// The qualifiers except those about the done state, which `isDone` contains.
  package private(set) var qualifiers: [Qualifier] = []
  /// The words to search for: the text without the qualifiers. There are none if it is blank or
  /// `nil`.
  package private(set) var words: String?

  /// The filter that selects all todos.
  package static let all = TodoFilter()

  private init() {}

  /// Parses a query.
  ///
  /// - Parameters:
  ///   - text: The query; `nil` selects all todos.
  ///   - isDone: The done state that todos must have; `nil` for any.
  ///   - today: The current day, to which `due:` and `is:overdue` refer.
  /// - Throws: `validation` with the field `query` and the allowed values.
  package init(
    _ text: String?, isDone: Bool? = nil, today: @autoclosure () -> CivilDay
  ) throws(TodoError) {
    self.isDone = isDone
    guard let text, text.utf8.contains(UInt8(ascii: ":")) else {
      words = text
      return
    }
    var rest: [Substring] = []
    for word in QueryWord.words(of: text) {
      switch word {
      case .plain(let text): rest.append(text)
      case .qualifier(let name, let value, let isNegated):
        add(try Condition(name, value, today: today), isNegated: isNegated)
      }
    }
    words = rest.joined(separator: " ")
  }

  /// Checks that the qualifiers of a text are valid. This does not depend on the current day.
  ///
  /// - Throws: `validation` with the field `query` and the allowed values.
  package static func check(_ text: String) throws(TodoError) {
    _ = try TodoFilter(text, today: .first)
  }

  private mutating func add(_ condition: Condition, isNegated: Bool) {
    guard case .done(let value) = condition else {
      return qualifiers.append(Qualifier(condition, isNegated: isNegated))
    }
    let isDone = value != isNegated
    if let known = self.isDone, known != isDone { selectsNone = true }
    self.isDone = isDone
  }

  /// Selects only todos of a view of the list.
  package mutating func restrict(to view: RemoteView) {
    qualifiers.append(Qualifier(.view(view.key)))
  }

  /// Whether the filter selects all todos with the required done state.
  package var selectsAll: Bool {
    !selectsNone && qualifiers.isEmpty && (words?.trimmed.isEmpty ?? true)
  }
}

/// A condition, which may be negated.
package struct Qualifier: Hashable, Sendable {
  package var condition: Condition
  package var isNegated: Bool

  package init(_ condition: Condition, isNegated: Bool = false) {
    self.condition = condition
    self.isNegated = isNegated
  }
}

/// A condition on the fields or the state of a todo.
package enum Condition: Hashable, Sendable {
  /// Todos with this done state. A filter stores this condition as `isDone`.
  case done(Bool)
  case sync(SyncState)
  /// Todos with unsaved text of an ended server.
  case draft
  /// Open todos that were due before this day.
  case overdue(CivilDay)
  /// Todos with at least one of these labels, given by their keys.
  case labels([String])
  case noLabel
  /// Todos that are due on one of these days.
  case due(DayRange)
  case noDue
  /// Todos with this priority; with `nil`, todos without a priority.
  case priority(Priority?)
  /// The todo whose item has this number at the source.
  case number(Int64)
  /// Todos that are assigned to at least one of these users, given by their keys.
  case assignees([String])
  /// Todos with one of these milestones, given by their keys.
  case milestones([String])
  case comments(NumberRange)
  /// Todos whose items are in the view with this key, and todos with unsent edits. A query cannot
  /// contain this condition.
  case view(String)
}

/// A closed range of numbers from 0 on; empty if `last` is less than `first`.
package struct NumberRange: Hashable, Sendable {
  package var first: Int
  package var last: Int

  package init(first: Int = 0, last: Int = .max) { (self.first, self.last) = (first, last) }

  package func contains(_ number: Int) -> Bool { first <= number && number <= last }
}

/// A closed range of days; empty if `last` is before `first`.
package struct DayRange: Hashable, Sendable {
  /// The number of the first day, in days since 1970-01-01 as in `CivilDay`.
  package var first: Int32
  package var last: Int32

  package init(_ days: ClosedRange<CivilDay>) {
    (first, last) = (days.lowerBound.number, days.upperBound.number)
  }

  package init(first: Int32 = CivilDay.first.number, last: Int32 = CivilDay.last.number) {
    self.first = first
    self.last = last
  }

  package func contains(_ day: CivilDay) -> Bool { first <= day.number && day.number <= last }
}
