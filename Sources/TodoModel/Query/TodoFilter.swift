/// The todos that a query selects: those that match all qualifiers and contain all words.
///
///     try TodoFilter("label:home -is:done milk", today: clock.today)
package struct TodoFilter: Sendable, Equatable {
  /// The required done state, if any.
  package private(set) var isDone: Bool?
  /// Whether the query contradicts itself, such as `is:open is:done`.
  package private(set) var selectsNone = false
  /// The qualifiers except the done state.
  package private(set) var qualifiers: [Qualifier] = []
  /// The text to search for, without the qualifiers; `nil` or blank if there are no words.
  package private(set) var words: String?

  /// The filter that selects all todos.
  package static let all = TodoFilter()

  private init() {}

  /// Parses a query.
  ///
  /// - Parameters:
  ///   - text: The query; `nil` selects all todos.
  ///   - isDone: The done state, if only todos with it are selected.
  ///   - today: The current day, which `due:` and `is:overdue` compare with.
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

  /// Checks the qualifiers of a text. Their validity does not depend on the day.
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

  /// Whether the filter has no condition besides the done state.
  package var selectsAll: Bool {
    !selectsNone && qualifiers.isEmpty && (words?.trimmed.isEmpty ?? true)
  }
}

/// A condition on the fields or the state of a todo.
package struct Qualifier: Hashable, Sendable {
  package var condition: Condition
  package var isNegated: Bool

  package init(_ condition: Condition, isNegated: Bool = false) {
    self.condition = condition
    self.isNegated = isNegated
  }
}

/// A condition of a qualifier, without a negation.
package enum Condition: Hashable, Sendable {
  /// The done state, which a filter keeps in `isDone`.
  case done(Bool)
  case sync(SyncState)
  /// The todo has unsaved text of an ended server.
  case draft
  /// The todo is open, and was due before this day.
  case overdue(CivilDay)
  /// The todo has one of these labels, by their keys.
  case labels([String])
  case noLabel
  /// The todo is due on one of these days.
  case due(DayRange)
  case noDue
  /// The todo has this priority; `nil`: it has none.
  case priority(Priority?)
  /// The todo has this number at its source.
  case number(Int64)
  /// The todo is assigned to one of these users, by their keys.
  case assignees([String])
  /// The todo has one of these milestones, by their keys.
  case milestones([String])
  case comments(NumberRange)
  /// The todo is in a view of its list, by the view's key, or has unsent edits. No query contains
  /// this condition.
  case view(String)
}

/// A range of numbers from 0 on; empty if the last one is less than the first.
package struct NumberRange: Hashable, Sendable {
  package var first: Int
  package var last: Int

  package init(first: Int = 0, last: Int = .max) { (self.first, self.last) = (first, last) }

  package func contains(_ number: Int) -> Bool { first <= number && number <= last }
}

/// A range of days; empty if the last one is before the first.
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
