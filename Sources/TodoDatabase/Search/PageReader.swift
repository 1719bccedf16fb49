import SQLiteDatabase
import TodoModel

/// A reader of the pages of lists.
final class PageReader {
  private unowned let connection: Connection
  private let lists: ListTable
  private let search: SearchIndex
  private let sections: SectionTable
  private var scans: [Part: Statement] = [:]
  private var singles: [Part: Statement] = [:]
  private lazy var place = Statement(
    """
    SELECT place, id FROM todo
    WHERE list = ?1 AND name = ?2 AND is_removed = 0 AND is_done = coalesce(?3, is_done)
    """, on: connection)
  private lazy var countBefore = Statement(
    """
    SELECT count(*) FROM todo
    WHERE list = ?1 AND is_removed = 0 AND (?2 IS NULL OR is_done = ?2)
      AND (place, id) < (?3, ?4)
    """, on: connection)

  /// The largest offset in the user's order for which no cached order is created. Up to this
  /// offset, SQLite skips the rows one by one. For a larger offset, the second request in the same
  /// state of the list creates a cached order.
  private static let scannedOffsetMax = 1_000

  init(
    over connection: Connection, lists: ListTable, search: SearchIndex, sections: SectionTable
  ) {
    self.connection = connection
    self.lists = lists
    self.search = search
    self.sections = sections
  }

  func todos(
    _ query: TodoQuery, _ filter: TodoFilter, of list: TodoListKey
  ) throws(TodoError) -> TodoPage<Todo> {
    try page(query, filter, of: list, part: query.includesNotes ? .whole : .wholeWithoutNote) {
      (row, section) in
      var todo = row.todo
      todo.section = section
      return todo
    }
  }

  func rows(
    _ query: TodoQuery, _ filter: TodoFilter, of list: TodoListKey
  ) throws(TodoError) -> TodoPage<TodoRow> {
    let part = query.includesPreviews ? Part.rowWithPreview : .row
    // Headings have a meaning only in the user's order.
    let isInOrder = query.sort == TodoSort()
    return try page(query, filter, of: list, part: part) { (row, section) in
      var todoRow = row.todoRow
      todoRow.section = isInOrder ? section : nil
      return todoRow
    }
  }

  func answer(
    _ read: TodoRead, _ filter: TodoFilter, in list: TodoListKey
  ) throws(TodoError) -> TodoRead.Answer {
    switch read {
    case .todos(let query): .todos(try todos(query, filter, of: list))
    case .rows(let query): .rows(try rows(query, filter, of: list))
    case .position(let id, let query): .position(try position(of: id, query, filter, in: list))
    }
  }

  /// Whether a read must sort, search or skip many todos.
  func isSlow(
    _ read: TodoRead, _ filter: TodoFilter, in list: TodoListKey
  ) throws(TodoError) -> Bool {
    guard let list = try lists.state(of: list), list.total >= TodoRead.slowCountMin else {
      return false
    }
    guard filter.selectsAll else { return true }
    if search.orders.cached(list.key(read.query, isDone: filter.isDone), list.versions) != nil {
      return false
    }
    let isScanned = read.query.sort == TodoSort()
    switch read {
    case .todos, .rows: return !(isScanned && read.query.offset <= Self.scannedOffsetMax)
    case .position: return !isScanned
    }
  }

  /// Reads a page and the total number of todos in one snapshot.
  private func page<Element: Sendable & Equatable>(
    _ query: TodoQuery, _ filter: TodoFilter, of list: TodoListKey, part: Part,
    read: @escaping (Row, String?) -> Element
  ) throws(TodoError) -> TodoPage<Element> {
    let (offset, limit) = (max(0, query.offset), max(0, query.limit))
    return try connection.snapshot { () throws(TodoError) in
      let nothing = TodoPage<Element>(elements: [], total: 0, offset: offset)
      guard let list = try lists.state(of: list),
        let matching = try search.matching(filter, in: list.number)
      else { return nothing }
      var page = PageReading(
        part: part, sections: SectionReader(sections, list: list.number), read: read)
      let total: Int
      if matching.selectsAll {
        total = list[filter.isDone]
        if let order = try cachedOrNewOrder(query, filter, list) {
          try self.read(order.rows.dropFirst(offset).prefix(limit), &page)
        } else {
          try scan(query, filter, list, &page)
        }
      } else {
        let order = try search.order(list.key(query), list.versions)
        let hits = try search.hits(of: matching, in: order, list.versions)
        total = hits.count
        try self.read(hits.places(offset: offset, limit: limit).map { order.rows[$0] }, &page)
      }
      return TodoPage(
        elements: page.elements, total: total, offset: offset, isTruncated: page.isTruncated)
    }
  }

  /// Returns the number of matching todos before a todo; `nil` if the list does not contain the
  /// todo, the todo does not have the done state of the filter, or no todo can match.
  func position(
    of id: TodoID, _ query: TodoQuery, _ filter: TodoFilter, in list: TodoListKey
  ) throws(TodoError) -> Int? {
    try connection.snapshot { () throws(TodoError) in
      guard let state = try lists.state(of: list),
        let place = try place.first(
          .integer(state.number), .text(id.text), SQLValue(filter.isDone),
          read: { (place: $0.integer(0), row: $0.integer(1)) }),
        let matching = try search.matching(filter, in: state.number)
      else { return nil }
      guard matching.selectsAll else {
        let order = try search.order(state.key(query), state.versions)
        let hits = try search.hits(of: matching, in: order, state.versions)
        return order.place(of: place.row).map { hits.count(before: $0) }
      }
      let key = state.key(query, isDone: filter.isDone)
      if let order = search.orders.cached(key, state.versions) { return order.place(of: place.row) }
      guard query.sort == TodoSort() else {
        return try search.order(key, state.versions).place(of: place.row)
      }
      return try countBefore.first(
        .integer(state.number), SQLValue(filter.isDone), .integer(place.place),
        .integer(place.row)
      ) { Int($0.integer(0)) }
    }
  }

  /// Returns the order for a query, from the cache or new; `nil` if skipping rows in the user's
  /// order is faster.
  private func cachedOrNewOrder(
    _ query: TodoQuery, _ filter: TodoFilter, _ list: ListState
  ) throws(TodoError) -> ListOrder? {
    let key = list.key(query, isDone: filter.isDone)
    if let cached = search.orders.cached(key, list.versions) { return cached }
    if query.sort == TodoSort() {
      // The first request for a page far down creates no order, because it may be the only one.
      let isNear = query.offset <= Self.scannedOffsetMax
      if isNear || !search.orders.recordRequest(key, list.versions) { return nil }
    }
    return try search.order(key, list.versions)
  }

  private func scan<Element>(
    _ query: TodoQuery, _ filter: TodoFilter, _ list: ListState, _ page: inout PageReading<Element>
  ) throws(TodoError) {
    let part = page.part
    let statement =
      scans[part]
      ?? Statement(
        """
        SELECT \(part.columns) FROM \(part.tables)
        WHERE todo.list = ?1 AND todo.is_removed = 0 AND (?2 IS NULL OR todo.is_done = ?2)
        ORDER BY todo.place, todo.id LIMIT ?3 OFFSET ?4
        """, on: connection)
    scans[part] = statement
    try statement.each([
      .integer(list.number), SQLValue(filter.isDone), .integer(Int64(max(0, query.limit))),
      .integer(Int64(max(0, query.offset))),
    ]) { row throws(TodoError) in try page.add(row) }
  }

  private func read<Element>(
    _ rows: some Sequence<Int64>, _ page: inout PageReading<Element>
  ) throws(TodoError) {
    let part = page.part
    let statement =
      singles[part]
      ?? Statement(
        "SELECT \(part.columns) FROM \(part.tables) WHERE todo.id = ?", on: connection)
    singles[part] = statement
    for row in rows {
      var hasRoom = true
      try statement.each([.integer(row)]) { row throws(TodoError) in
        hasRoom = try page.add(row)
        return false
      }
      if !hasRoom { return }
    }
  }

  /// The columns that a page contains for each todo.
  enum Part {
    case whole, wholeWithoutNote, row, rowWithPreview

    var columns: String {
      switch self {
      case .row: TodoColumns.row
      case .rowWithPreview: TodoColumns.rowWithPreview
      case .wholeWithoutNote: TodoColumns.wholeWithoutNote
      case .whole: TodoColumns.whole
      }
    }

    var tables: String {
      switch self {
      case .row, .rowWithPreview, .wholeWithoutNote: "todo"
      case .whole: "todo JOIN note ON note.todo = todo.id"
      }
    }

    /// The size limit of a page in bytes. Pages of `TodoRow` values have no limit, because lists
    /// are shown as a whole.
    fileprivate var bytesMax: Int {
      switch self {
      case .row, .rowWithPreview: .max
      case .whole, .wholeWithoutNote: TodoQuery.answerBytesMax
      }
    }

    fileprivate func byteCount(_ row: Row) -> Int {
      switch self {
      case .row, .rowWithPreview, .wholeWithoutNote: row.byteCount(TodoColumns.title)
      case .whole: row.byteCount(TodoColumns.title) + row.byteCount(TodoColumns.note)
      }
    }
  }
}

/// The todos of a page, up to the size limit.
private struct PageReading<Element> {
  let part: PageReader.Part
  private var sections: SectionReader
  let read: (Row, String?) -> Element
  private(set) var elements: [Element] = []
  private(set) var isTruncated = false
  private var byteCount = 0

  init(
    part: PageReader.Part, sections: SectionReader, read: @escaping (Row, String?) -> Element
  ) {
    self.part = part
    self.sections = sections
    self.read = read
  }

  /// Adds the todo in a row to the page. The first todo is always added, however large it is.
  ///
  /// - Returns: `false` if there is no room for the todo.
  mutating func add(_ row: Row) throws(TodoError) -> Bool {
    byteCount += part.byteCount(row)
    guard byteCount <= part.bytesMax || elements.isEmpty else {
      isTruncated = true
      return false
    }
    let section = try sections.section(at: row.number(TodoColumn.place.rawValue))
    elements.append(read(row, section))
    return true
  }
}
