import SQLiteDatabase
import TodoModel

/// Finding todos by their words, and putting them in order.
final class SearchIndex {
  /// What was found out about lists, for the next question.
  var orders = ListOrders()

  private unowned let connection: Connection
  private let mark: RowFunction
  private var knownTokenizer: FTS5Tokenizer?
  private lazy var matches = Statement(
    "SELECT todo_mark(rowid) FROM todo_text WHERE todo_text MATCH ?", on: connection)
  private lazy var terms = Statement(
    "SELECT term, doc FROM todo_term WHERE term >= ? AND term < ?", on: connection)
  private var sorted: [TodoSort: Statement] = [:]

  init(over connection: Connection) {
    self.connection = connection
    mark = RowFunction("todo_mark", on: connection)
  }

  /// What a person typed, as words that the index has.
  func words(of typed: String?) throws(TodoError) -> SearchText {
    try SearchText(typed) { text throws(TodoError) in try cut(text) }
  }

  /// The words of a text, as they are in the index.
  func cut(_ text: String) throws(TodoError) -> [String] {
    let text = SearchFolding.folded(text) ?? text
    if let knownTokenizer { return try knownTokenizer.words(of: text) }
    let tokenizer = try FTS5Tokenizer(TodoSchema.tokenizer, of: connection)
    knownTokenizer = tokenizer
    return try tokenizer.words(of: text)
  }

  /// The todos of a list in the order of a query.
  func order(_ key: ListOrders.Key, _ versions: ListVersions) throws(TodoError) -> ListOrder {
    if let known = orders.known(key, versions) { return known }
    let rows = try statement(for: key.sort).all(
      .integer(key.list), SQLValue(key.isDone)
    ) { row in row.integer(0) }
    let order = ListOrder(rows: rows)
    orders.keep(order, key, versions)
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

  /// Where in an order all the words occur.
  func hits(
    of words: [String], in order: ListOrder, textVersion: Int64
  ) throws(TodoError) -> Hits? {
    var common: Hits?
    for word in words {
      let hits = try order.hits(of: word, textVersion: textVersion) {
        (marking) throws(TodoError) in try find(word, &marking)
      }
      common?.formIntersection(hits)
      if common == nil { common = hits }
      if common?.isEmpty == true { break }
    }
    return common
  }

  private func find(
    _ word: String, _ marking: inout ListOrder.Marking
  ) throws(TodoError) {
    let expressions = try expressions(for: word)
    var found = marking
    try mark.handing(
      { found.mark($0) },
      during: { () throws(TodoError) in
        for expression in expressions { try matches.run(.text(expression)) }
      })
    marking = found
  }

  /// How to ask the index for what begins with a word.
  ///
  /// Short beginnings are in the index themselves. For a longer one FTS5 gathers all rows of all
  /// words that begin so before it gives the first, which takes five times as long as to go through
  /// the rows of each word by itself, if the words are few.
  private func expressions(for word: String) throws(TodoError) -> [String] {
    let prefix = "\"\(word)\"*"
    guard word.unicodeScalars.count > TodoSchema.prefixIndexedCountMax, word.utf8.count <= 256
    else { return [prefix] }
    var (known, rowCount) = ([String](), 0)
    try terms.each([.text(word), .text(word + "\u{10FFFF}")]) { row throws(TodoError) in
      known.append("\"\(row.text(0))\"")
      rowCount += Int(row.integer(1))
      return true
    }
    // To ask for a word costs as much as to go through this many rows.
    let rowsPerQuestion = 50
    return known.count == 1 || known.count * rowsPerQuestion <= rowCount ? known : [prefix]
  }
}

extension TodoSort {
  /// What is alike in the wanted order stays in the user's.
  fileprivate var columns: String {
    let direction = isDescending ? " DESC" : ""
    return switch key {
    case .order: "todo.place\(direction), todo.id\(direction)"
    case .title: "todo.title COLLATE NOCASE\(direction), todo.place, todo.id"
    case .created: "todo.created_at\(direction), todo.place, todo.id"
    case .updated: "todo.updated_at\(direction), todo.place, todo.id"
    case .done: "todo.is_done\(direction), todo.place, todo.id"
    }
  }
}
