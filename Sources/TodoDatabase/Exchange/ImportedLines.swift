import SQLiteDatabase
import TodoModel

/// The imported plain lines of a list (in version 2, of a document), and the numbers by which other
/// lines of the export refer to them.
struct ImportedLines {
  private let list: Int64
  private let tables: TodoTables
  private let addLine: Statement
  private let match: Statement
  private let addNumber: Statement
  private let find: Statement
  private let connection: Connection
  private var count: Int64 = 0
  /// The last imported line that is not removed, and the todo above it according to the export
  /// (version 2 only).
  private var last: (id: Int64, below: TodoID?)?

  init(of list: Int64, _ tables: TodoTables, over connection: Connection) throws(TodoError) {
    (self.list, self.tables, self.connection) = (list, tables, connection)
    try connection.execute(
      """
      DROP TABLE IF EXISTS temp.unmatched;
      CREATE TEMP TABLE unmatched AS
        SELECT id, place, text, is_removed FROM plain_line WHERE list = \(list);
      CREATE INDEX temp.unmatched_text ON unmatched (text, is_removed, place);
      DROP TABLE IF EXISTS temp.imported_line;
      CREATE TEMP TABLE imported_line (number INTEGER PRIMARY KEY, line INTEGER NOT NULL);
      """)
    addLine = Statement(
      """
      INSERT INTO plain_line (list, place, text, heading, is_removed) VALUES (?, ?, ?, ?, ?)
      """, on: connection)
    match = Statement(
      """
      DELETE FROM unmatched WHERE rowid = (
        SELECT rowid FROM unmatched WHERE text = ?1 AND is_removed = ?2
        ORDER BY place IS NOT ?3, place LIMIT 1)
      RETURNING id
      """, on: connection)
    addNumber = Statement(
      "INSERT INTO imported_line (number, line) VALUES (?, ?)", on: connection)
    find = Statement("SELECT line FROM imported_line WHERE number = ?", on: connection)
  }

  /// Adds a line, unless the list already has it.
  ///
  /// - Returns: Whether the list now shows a new line.
  /// - Throws: `validation` if the number of the line is not the next one.
  mutating func add(_ line: DocumentLine.Text) throws(TodoError) -> Bool {
    count += 1
    guard line.number == count else { throw .wrongNumber }
    var order: Int64?
    var below: TodoID?
    switch line.position {
    case .order(let place): order = place
    case .below(let todo): below = todo
    }
    let known = try match.first(
      .text(line.text), SQLValue(line.isRemoved), SQLValue(order), read: { $0.integer(0) })
    let id: Int64
    if let known {
      id = known
    } else if let order {
      id = try insert(line, at: order)
    } else {
      id = try insert(line, at: place(below: below))
    }
    try addNumber.run(.integer(line.number), .integer(id))
    if !line.isRemoved { last = (id, below) }
    return known == nil && !line.isRemoved
  }

  private func insert(_ line: DocumentLine.Text, at place: Int64) throws(TodoError) -> Int64 {
    try addLine.run(
      .integer(list), .integer(place), .text(line.text), SQLValue(Heading.text(of: line.text)),
      SQLValue(line.isRemoved))
    return connection.lastInsertedRow
  }

  /// Returns the place for a line that belongs below a todo or, if `todo` is `nil`, above all
  /// todos. If the last imported line belongs to the same position, the place is below that line.
  /// Otherwise, the place is directly below the todo, or at the start of the list.
  private func place(below todo: TodoID?) throws(TodoError) -> Int64 {
    if let last, last.below == todo {
      return try tables.order.place(.below(.text(last.id)), in: list)
    }
    return try tables.order.place(todo.map { .below(.todo($0)) } ?? .first, in: list)
  }

  /// Returns the id of the imported line that has the given number in the export.
  ///
  /// - Throws: `validation` if no line has the number.
  func id(_ number: Int64) throws(TodoError) -> Int64 {
    guard let id = try find.first(.integer(number), read: { $0.integer(0) }) else {
      throw .wrongNumber
    }
    return id
  }
}

extension TodoError {
  fileprivate static var wrongNumber: TodoError {
    .wrongLine("The \"number\" of a text must be from 1 on, in their order.")
  }
}
