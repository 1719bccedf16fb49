/// A query for todos of a list: the filter, the sort order, and the page of the result.
package struct TodoQuery: Sendable, Equatable {
  /// The search query: qualifiers, which must all hold, and words, which must all occur in the
  /// title or the note. A search word occurs in a text if a word of the text begins with it,
  /// without regard to case or accents. `nil` or a blank text selects all todos.
  package var text: String?
  package var isDone: Bool?
  package var sort: TodoSort
  package var offset: Int
  package var limit: Int
  /// Whether the caller has set `limit`; if not, `limit` is `limitDefault`.
  package var isLimited: Bool
  /// The members of each todo to return; `nil` for all members.
  package var fields: Set<TodoField>?
  /// Whether the returned todos contain their notes. Otherwise, the notes are empty.
  package var includesNotes: Bool { fields?.contains(.content(.note)) ?? true }
  /// Whether the returned rows contain previews: the beginnings of the notes.
  package var includesPreviews = false

  /// The maximum number of todos on a page if the caller sets no limit.
  package static let limitDefault = 1_000
  /// The maximum size of all titles and notes on a page, in bytes. A page with a single todo may be
  /// larger.
  package static let answerBytesMax = 16 << 20

  /// Returns the filter of the query, which is parsed from `text` and `isDone`.
  ///
  /// - Throws: `validation` if a qualifier has an invalid value.
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

  /// All members, in the order in which responses contain them.
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

/// The sort order of todos. Todos that compare equal stay in the user's order in both directions.
/// A sort by due date or by priority puts todos without this value last, in both directions.
package struct TodoSort: Hashable, Sendable {
  package enum Key: String, Sendable, CaseIterable {
    /// The user's order. New todos are at the top, except todos for new items of a source. Each of
    /// these todos is directly above the todo of the next older item.
    case order
    /// By title. The case of A to Z is ignored.
    case title
    case created
    case updated
    /// By done state: open todos first.
    case done
    /// By due date: earliest first. A todo without its own due date is sorted by the due date of
    /// its item at the source.
    case due
    /// By priority: highest first.
    case priority
  }

  package var key: Key
  package var isDescending: Bool

  package init(_ key: Key = .order, isDescending: Bool = false) {
    self.key = key
    self.isDescending = isDescending
  }
}

/// A page of a list, with the number of todos on all pages.
package struct TodoPage<Element: Sendable & Equatable>: Sendable, Equatable {
  package var elements: [Element]
  /// The number of todos that match the query, on all pages.
  package var total: Int
  package var offset: Int
  /// Whether the page has fewer todos than requested, because it reached the limit in bytes.
  package var isTruncated: Bool

  package init(elements: [Element], total: Int, offset: Int, isTruncated: Bool = false) {
    self.elements = elements
    self.total = total
    self.offset = offset
    self.isTruncated = isTruncated
  }
}
