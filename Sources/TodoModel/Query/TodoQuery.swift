/// Which todos of a list to answer, in which order, and which part of them.
package struct TodoQuery: Sendable, Equatable {
  /// Qualifiers, which must all hold, and words that must all occur in title or note, each as a
  /// prefix, without regard to case or accents. Nil or blank: all todos.
  package var text: String?
  package var isDone: Bool?
  package var sort: TodoSort
  package var offset: Int
  package var limit: Int
  /// Whether the caller said how many todos are enough.
  package var isLimited: Bool
  /// The members of each todo that are wanted; nil: all.
  package var fields: Set<TodoField>?
  /// False where whole todos are asked for without their notes, which are then left empty.
  package var includesNotes: Bool { fields?.contains(.content(.note)) ?? true }
  /// Whether rows that are asked for have the beginning of their note.
  package var includesPreviews = false

  /// The most todos that one answer holds when the caller names no limit.
  package static let limitDefault = 1_000
  /// The most bytes of titles and notes that one answer holds; a single todo may be larger.
  package static let answerBytesMax = 16 << 20

  /// Returns the qualifiers and words of the text, with `isDone`.
  ///
  /// - Throws: `validation` for a qualifier with another value than its own.
  package func filter(on days: DayClock) throws(TodoError) -> TodoFilter {
    try TodoFilter(text, isDone: isDone, today: days.today)
  }

  package init(
    text: String? = nil, isDone: Bool? = nil, sort: TodoSort = TodoSort(), offset: Int = 0,
    limit: Int? = nil, fields: Set<TodoField>? = nil
  ) {
    self.text = text
    self.isDone = isDone
    self.sort = sort
    self.offset = offset
    self.limit = limit ?? Self.limitDefault
    self.isLimited = limit != nil
    self.fields = fields
  }
}

/// The members of a todo that can be asked for.
package enum TodoField: Hashable, CaseIterable, Sendable {
  case id
  case content(ContentField)
  case version, createdAt, updatedAt, source, sourceDue, sync, section

  /// In the order in which they are written.
  package static let allCases: [TodoField] = {
    let fields = ContentField.allCases.map { TodoField.content($0) }
    return [.id] + fields + [
      .version, .createdAt, .updatedAt, .source, .sourceDue, .sync, .section,
    ]
  }()

  /// The name on the wire.
  package var name: String {
    switch self {
    case .id: "id"
    case .content(let field): field.rawValue
    case .version: "version"
    case .createdAt: "createdAt"
    case .updatedAt: "updatedAt"
    case .source: "source"
    case .sourceDue: "sourceDue"
    case .sync: "sync"
    case .section: "section"
    }
  }
}

/// The order of an answer. Todos that are equal in it stay in the user's order, both ways. Those without
/// a date or a priority are last, both ways.
package struct TodoSort: Hashable, Sendable {
  package enum Key: String, Sendable, CaseIterable {
    /// The user's order: as the user has put them. New todos are at the top, items of a source directly
    /// above the next older one.
    case order
    /// Without regard to the case of A to Z.
    case title
    case created
    case updated
    /// What is open comes before what is done.
    case done
    /// The earliest date first: the todo's own, else that of its source.
    case due
    /// The highest first.
    case priority
  }

  package var key: Key
  package var isDescending: Bool

  package init(_ key: Key = .order, isDescending: Bool = false) {
    self.key = key
    self.isDescending = isDescending
  }
}

/// A part of a list, and how many todos the whole of it has.
package struct TodoPage<Element: Sendable & Equatable>: Sendable, Equatable {
  package var elements: [Element]
  /// How many todos match the query, on all pages.
  package var total: Int
  package var offset: Int
  /// Whether there are fewer elements than were asked for, because they are too large for one
  /// answer.
  package var isTruncated: Bool

  package init(elements: [Element], total: Int, offset: Int, isTruncated: Bool = false) {
    self.elements = elements
    self.total = total
    self.offset = offset
    self.isTruncated = isTruncated
  }
}
