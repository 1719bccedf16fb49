import SQLiteDatabase
import TodoModel

/// The words and qualifiers that todos of a list must match.
///
/// A query can also require a done state:
/// - If the query has words or qualifiers, the done state is added to `qualifiers`. All these
///   queries with the same sort key share one cached order of the list.
/// - Otherwise, `qualifiers` is empty, and each done state has a cached order of its own.
struct MatchingTodos {
  var list: Int64
  var words: [String]
  var qualifiers: [Qualifier]

  var selectsAll: Bool { words.isEmpty && qualifiers.isEmpty }
}

/// A search for todos by words and qualifiers. It also provides the sort orders of lists.
final class SearchIndex {
  /// The cached orders and search results.
  var orders = ListOrders()

  private unowned let connection: Connection
  private let mark: RowFunction
  private let conditions: ConditionIndex
  private var knownTokenizer: FTS5Tokenizer?
  private lazy var matches = Statement(
    "SELECT todo_mark(rowid) FROM todo_text WHERE todo_text MATCH ?", on: connection)
  private lazy var termsWithPrefix = Statement(
    "SELECT term, doc FROM todo_term WHERE term >= ? AND term < ?", on: connection)
  private var sorted: [TodoSort: Statement] = [:]

  init(over connection: Connection) {
    self.connection = connection
    mark = RowFunction("todo_mark", on: connection)
    conditions = ConditionIndex(over: connection, mark: mark)
  }

  /// Returns the words and qualifiers that todos must match; `nil` if no todo can match.
  func matching(_ filter: TodoFilter, in list: Int64) throws(TodoError) -> MatchingTodos? {
    guard !filter.selectsNone else { return nil }
    let words: [String]
    switch try self.words(of: filter.words) {
    case .nothing: return nil
    case .everything: words = []
    case .words(let found): words = found
    }
    var matching = MatchingTodos(list: list, words: words, qualifiers: filter.qualifiers)
    if let isDone = filter.isDone, !matching.selectsAll {
      matching.qualifiers.append(Qualifier(.done(isDone)))
    }
    return matching
  }

  /// Splits the text of a query into words, in the form that words have in the index.
  func words(of typed: String?) throws(TodoError) -> SearchText {
    try SearchText(typed) { text throws(TodoError) in try cut(text) }
  }

  /// Splits a text into words in the same way as the index.
  func cut(_ text: String) throws(TodoError) -> [String] {
    let text = SearchFolding.folded(text) ?? text
    if let knownTokenizer { return try knownTokenizer.words(of: text) }
    let tokenizer = try FTS5Tokenizer(TodoSchema.tokenizer, of: connection)
    knownTokenizer = tokenizer
    return try tokenizer.words(of: text)
  }

  /// Returns the row numbers of a list in a sort order, which is cached.
  func order(_ key: ListOrders.Key, _ versions: ListVersions) throws(TodoError) -> ListOrder {
    if let cached = orders.cached(key, versions) { return cached }
    let rows = try statement(for: key.sort).all(
      .integer(key.list), SQLValue(key.isDone)
    ) { row in row.integer(0) }
    let order = ListOrder(rows: rows)
    orders.store(order, key, versions)
    return order
  }

  private func statement(for sort: TodoSort) -> Statement {
    if let known = sorted[sort] { return known }
    let statement = Statement(
      """
      SELECT todo.id FROM todo
      WHERE todo.list = ?1 AND todo.is_removed = 0 AND (?2 IS NULL OR todo.is_done = ?2)
      ORDER BY \(sort.columns)
      """, on: connection)
    sorted[sort] = statement
    return statement
  }

  /// Finds the todos of `order` that match all words and qualifiers, and returns their positions in
  /// `order`.
  func hits(
    of matching: MatchingTodos, in order: ListOrder, _ versions: ListVersions
  ) throws(TodoError) -> Hits {
    var common = Hits(all: order.rows.count)
    // The qualifiers come first: if no todo matches them, no word is searched for.
    for qualifier in matching.qualifiers where !common.isEmpty {
      let hits = try order.hits(of: qualifier.condition, versions) {
        (marking) throws(TodoError) in
        try conditions.find(qualifier.condition, in: matching.list, &marking)
      }
      if qualifier.isNegated != qualifier.condition.isFoundByComplement {
        common.subtract(hits)
      } else {
        common.formIntersection(hits)
      }
    }
    for word in matching.words where !common.isEmpty {
      let hits = try order.hits(of: word, textVersion: versions.text) {
        (marking) throws(TodoError) in try find(word, &marking)
      }
      common.formIntersection(hits)
    }
    return common
  }

  private func find(
    _ word: String, _ marking: inout ListOrder.Marking
  ) throws(TodoError) {
    let expressions = try expressions(for: word)
    try mark.withMarking(&marking) { () throws(TodoError) in
      for expression in expressions { try matches.run(.text(expression)) }
    }
  }

  /// Returns the FTS5 expressions that together find all words with a prefix.
  ///
  /// Short prefixes are in the index. For a longer prefix, FTS5 collects all rows of all words with
  /// the prefix before it returns the first row. If few words have the prefix, a search for the
  /// prefix takes five times as long as a separate search for each of these words.
  private func expressions(for word: String) throws(TodoError) -> [String] {
    let prefix = "\"\(word)\"*"
    guard word.unicodeScalars.count > TodoSchema.prefixIndexedCountMax, word.utf8.count <= 256
    else { return [prefix] }
    var (known, rowCount) = ([String](), 0)
    try termsWithPrefix.each([.text(word), .text(word + "\u{10FFFF}")]) { row throws(TodoError) in
      known.append("\"\(row.text(0))\"")
      rowCount += Int(row.integer(1))
      return true
    }
    // Searching for one more word costs as much as reading this number of rows.
    let rowsPerSearch = 50
    return known.count == 1 || known.count * rowsPerSearch <= rowCount ? known : [prefix]
  }
}

extension TodoSort {
  /// The columns of `ORDER BY`. Todos with the same sort key stay in the user's order, which is in
  /// the last columns.
  fileprivate var columns: String {
    let direction = isDescending ? " DESC" : ""
    return switch key {
    case .order: "todo.place\(direction), todo.id\(direction)"
    case .title: "todo.title COLLATE NOCASE\(direction), todo.place, todo.id"
    case .created: "todo.created_at\(direction), todo.place, todo.id"
    case .updated: "todo.updated_at\(direction), todo.place, todo.id"
    case .done: "todo.is_done\(direction), todo.place, todo.id"
    case .priority:
      """
      todo.priority IS NULL,
      CASE todo.priority WHEN 'high' THEN 0 WHEN 'medium' THEN 1 ELSE 2 END\(direction),
      todo.place, todo.id
      """
    case .due:
      "todo.effective_due IS NULL, todo.effective_due\(direction), todo.place, todo.id"
    }
  }
}
