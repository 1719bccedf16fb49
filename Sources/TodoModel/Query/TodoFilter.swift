/// A parsed search query. It selects the todos for which all qualifiers hold, and which contain all
/// search words.
///
///     try TodoFilter("label:home -is:done milk", today: clock.today)
package struct TodoFilter: Sendable, Equatable {
  /// The done state that a todo must have; `nil` for any.
  package private(set) var isDone: Bool?
  /// Whether the query contradicts itself, such as `is:open is:done`, and so selects no todo.
  package private(set) var selectsNone = false
  /// The qualifiers, except those for the done state, which are stored in `isDone`.
  package private(set) var qualifiers: [Qualifier] = []
  /// The search words: the query without its qualifiers. `nil` or blank if there are none.
  package private(set) var words: String?

  /// A filter that selects all todos.
  package static let all = TodoFilter()

  private init() {}

  /// Parses a search query.
  ///
  /// - Parameters:
  ///   - text: The query; `nil` selects all todos.
  ///   - isDone: The done state that a todo must have; `nil` for any.
  ///   - today: The current day, to which `due:` and `is:overdue` refer.
  /// - Throws: `validation` with the field `query`. The message names the allowed values.
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

  /// Checks that the qualifiers of a query are valid, whatever the current day is.
  ///
  /// - Throws: `validation` with the field `query`. The message names the allowed values.
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

  /// Restricts the filter to the todos in a view of the list.
  package mutating func restrict(to view: RemoteView) {
    qualifiers.append(Qualifier(.view(view.key)))
  }

  /// Whether the filter selects all todos that have the required done state.
  package var selectsAll: Bool {
    !selectsNone && qualifiers.isEmpty && (words?.trimmed.isEmpty ?? true)
  }
}

/// A condition for todos, and whether it is negated.
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
  /// The todo has this done state. A filter stores this condition as `isDone`.
  case done(Bool)
  case sync(SyncState)
  /// The todo has a draft: unsaved text from a server process that has ended.
  case draft
  /// The todo is open, and was due before this day.
  case overdue(CivilDay)
  /// The todo has at least one of these labels, given in lower case (`LabelSet.key`).
  case labels([String])
  case noLabel
  /// The todo is due on one of these days.
  case due(DayRange)
  case noDue
  /// The todo has this priority; with `nil`, it has none.
  case priority(Priority?)
  /// The todo's item has this number at the source.
  case number(Int64)
  /// The todo is assigned to at least one of these users, given by their names in lower case.
  case assignees([String])
  /// The todo belongs to one of these milestones, given by their titles in lower case.
  case milestones([String])
  case comments(NumberRange)
  /// The todo's item is in the view (see `RemoteView`) with this key, or the todo has unsent edits.
  /// Only the server adds this condition; a query cannot contain it.
  case view(String)
}

/// A closed range of non-negative numbers; empty if `last` is less than `first`.
package struct NumberRange: Hashable, Sendable {
  package var first: Int
  package var last: Int

  package init(first: Int = 0, last: Int = .max) { (self.first, self.last) = (first, last) }

  package func contains(_ number: Int) -> Bool { first <= number && number <= last }
}

/// A closed range of days, given by their numbers; empty if `last` is before `first`.
package struct DayRange: Hashable, Sendable {
  /// The first day, in days since 1970-01-01 as in `CivilDay.number`.
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
