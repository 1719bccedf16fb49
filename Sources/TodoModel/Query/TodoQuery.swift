/// A query for the todos of a list: the conditions, the sort order and the page.
package struct TodoQuery: Sendable, Equatable {
  /// Qualifiers, which must all match, and words, which must all occur in the title or the note,
  /// each as a prefix, without regard to case or accents. `nil` or blank text selects all todos.
  package var text: String?
  package var isDone: Bool?
  package var sort: TodoSort
  package var offset: Int
  package var limit: Int
  /// Whether the caller has set a limit.
  package var isLimited: Bool
  /// The members of each todo to return; `nil` for all.
  package var fields: Set<TodoField>?
  /// Whether whole todos contain their notes; otherwise the notes are empty.
  package var includesNotes: Bool { fields?.contains(.content(.note)) ?? true }
  /// Whether rows contain the beginning of their notes.
  package var includesPreviews = false

  /// The maximum number of todos on a page if the caller sets no limit.
  package static let limitDefault = 1_000
  /// The maximum size of the titles and notes on a page, in bytes; a single todo may be larger.
  package static let answerBytesMax = 16 << 20

  /// Returns the qualifiers and words of the text, with `isDone`.
  ///
  /// - Throws: `validation` for an invalid value of a qualifier.
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

/// The members of a todo that a query can return.
package enum TodoField: Hashable, CaseIterable, Sendable {
  case id
  case content(ContentField)
  case version, createdAt, updatedAt, source, sourceDue, sync, section

  /// All members, in the order in which they are written.
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

/// The sort order of a page. Todos that compare equal stay in the user's order, ascending and
/// descending. Those without a date or a priority are last in both directions.
package struct TodoSort: Hashable, Sendable {
  package enum Key: String, Sendable, CaseIterable {
    /// The user's order. New todos are at the top; items of a source are directly above the next
    /// older one.
    case order
    /// By title, ignoring the case of A to Z.
    case title
    case created
    case updated
    /// Open todos first.
    case done
    /// The earliest due date first: the todo's own date, else that of its source.
    case due
    /// The highest priority first.
    case priority
  }

  package var key: Key
  package var isDescending: Bool

  package init(_ key: Key = .order, isDescending: Bool = false) {
    self.key = key
    self.isDescending = isDescending
  }
}

/// A page of a list, and the number of todos on all pages.
package struct TodoPage<Element: Sendable & Equatable>: Sendable, Equatable {
  package var elements: [Element]
  /// The number of todos that match the query, on all pages.
  package var total: Int
  package var offset: Int
  /// Whether there are fewer elements than requested, because of the limit on bytes.
  package var isTruncated: Bool

  package init(elements: [Element], total: Int, offset: Int, isTruncated: Bool = false) {
    self.elements = elements
    self.total = total
    self.offset = offset
    self.isTruncated = isTruncated
  }
}
