import SQLiteDatabase
import TodoModel

/// The statements for documents in exports and imports.
final class DocumentExchangeTable {
  private unowned let connection: Connection
  private lazy var documents = Statement(
    "SELECT id, path, generation FROM document WHERE list = ? ORDER BY path", on: connection)
  private lazy var generations = Statement(
    "SELECT number, kept_at FROM document_generation WHERE document = ? ORDER BY number",
    on: connection)
  private lazy var lines = Statement(
    """
    SELECT name, since, until, version, digest, cut_digest, sides FROM document_line
    WHERE document = ? ORDER BY name, since
    """, on: connection)
  private lazy var plainLines = Statement(
    "SELECT text, place, is_removed FROM plain_line WHERE list = ? ORDER BY place, id",
    on: connection)
  /// A subquery that numbers the plain lines of a document's list in their order.
  private let numbered = """
    WITH numbered AS MATERIALIZED (
      SELECT id, 'text/' || id AS entry, row_number() OVER (ORDER BY place, id) AS number
      FROM plain_line WHERE list = (SELECT list FROM document WHERE id = ?1))
    """
  private lazy var spans = Statement(
    """
    \(numbered)
    SELECT number, since, until, digest
    FROM document_text_span AS span JOIN numbered ON numbered.id = span.text
    WHERE span.document = ?1 ORDER BY number, since
    """, on: connection)
  private lazy var saved = Statement(
    """
    \(numbered)
    SELECT generation, digest, occurrence, deed.entry, done_at, coalesce(number, 0)
    FROM document_deed AS deed LEFT JOIN numbered ON numbered.entry = deed.entry
    WHERE deed.document = ?1 ORDER BY generation, digest, occurrence
    """, on: connection)
  private lazy var sides = Statement(
    "SELECT name, digest, content FROM document_held WHERE document = ? ORDER BY rowid",
    on: connection)

  private lazy var addDocument = Statement(
    """
    INSERT INTO document (list, path, generation) VALUES (?, ?, ?)
    ON CONFLICT DO NOTHING RETURNING id
    """, on: connection)
  private lazy var addGeneration = Statement(
    """
    INSERT INTO document_generation (document, number, kept_at) VALUES (?, ?, ?)
    ON CONFLICT DO NOTHING RETURNING 1
    """, on: connection)
  private lazy var addLine = Statement(
    """
    INSERT INTO document_line (document, name, since, until, version, digest, cut_digest, sides)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING 1
    """, on: connection)
  private lazy var addSpan = Statement(
    """
    INSERT INTO document_text_span (document, text, since, until, digest)
    VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING 1
    """, on: connection)
  private lazy var addSaved = Statement(
    """
    INSERT INTO document_deed (document, generation, digest, occurrence, entry, done_at)
    VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING 1
    """, on: connection)
  private lazy var addSide = Statement(
    """
    INSERT INTO document_held (document, name, digest, content) VALUES (?, ?, ?, ?)
    ON CONFLICT DO NOTHING RETURNING 1
    """, on: connection)

  init(over connection: Connection) { self.connection = connection }

  // MARK: Export

  /// Writes the plain lines and the documents of a list.
  func write(list: Int64, to writer: inout ExchangeWriter) throws(TodoError) {
    var number: Int64 = 0
    try plainLines.each([.integer(list)]) { row throws(TodoError) in
      number += 1
      let line = DocumentLine.Text(
        number: number, text: row.text(0), position: .order(row.number(1)), isRemoved: row.flag(2))
      try writer.add(.text(line))
      return true
    }
    let known = try documents.all(.integer(list)) { row in
      (row: row.integer(0), path: row.text(1), generation: row.number(2))
    }
    for document in known {
      try writer.add(.document(path: document.path, generation: document.generation))
      try each(of: document.row) { line throws(TodoError) in try writer.add(line) }
    }
  }

  private func each(
    of document: Int64, _ body: (DocumentLine) throws(TodoError) -> Void
  ) throws(TodoError) {
    func each(
      _ statement: Statement, _ read: (Row) -> DocumentLine?
    ) throws(TodoError) {
      try statement.each([.integer(document)]) { row throws(TodoError) in
        if let line = read(row) { try body(line) }
        return true
      }
    }
    func span(_ row: Row, _ column: Int32) -> DocumentLine.Span {
      DocumentLine.Span(
        since: row.number(column), until: row.isNull(column + 1) ? nil : row.number(column + 1))
    }
    try each(generations) { .generation(number: $0.number(0), keptAt: $0.time(1)) }
    try each(lines) { row in
      let line = DocumentLine.Line(
        version: row.number(3), digest: row.integer(4), cutDigest: row.integer(5),
        sides: row.text(6).split(separator: " ").compactMap { Int64($0) })
      return .line(id: TodoID(row.text(0)), span: span(row, 1), line: line)
    }
    try each(spans) { .span(text: $0.number(0), span: span($0, 1), digest: $0.integer(3)) }
    try each(saved) { row in
      guard let entry = EntryID(row.text(3)) else { return nil }
      let addition = AdditionKey(
        digest: row.integer(1), occurrence: Int(clamping: row.number(2)))
      return .saved(
        generation: row.number(0), addition: addition,
        entry: entry.todoID.map { .todo($0) } ?? .text(row.number(5)), at: row.time(4))
    }
    try each(sides) { row in
      .side(
        id: TodoID(row.text(0)), digest: row.integer(1),
        content: ContentText.content(of: row.text(2)))
    }
  }

  // MARK: Import

  /// Adds a document, and returns its row.
  ///
  /// - Returns: `nil` if the list already has the document.
  func addDocument(
    _ path: String, _ generation: Int64, to list: Int64
  ) throws(TodoError) -> Int64? {
    try addDocument.first(.integer(list), .text(path), .integer(generation)) { $0.integer(0) }
  }

  /// Adds a part (see `DocumentLine`) to a document that this import has created.
  ///
  /// - Parameter id: Converts the number of a plain line in the export to the id of the imported
  ///   line.
  /// - Throws: `validation` if the document already has the part.
  func add(
    _ line: DocumentLine, to document: Int64, id: (Int64) throws(TodoError) -> Int64
  ) throws(TodoError) {
    let (number, isNew) = (SQLValue.integer(document), { (_: Row) in true })
    let added: Bool?
    switch line {
    // These parts belong to the list.
    case .document, .text: return
    case .generation(let generation, let keptAt):
      added = try addGeneration.first(
        number, .integer(generation), .integer(keptAt.milliseconds), read: isNew)
    case .line(let id, let span, let line):
      added = try addLine.first(
        number, .text(id.text), .integer(span.since), SQLValue(span.until),
        .integer(line.version), .integer(line.digest), .integer(line.cutDigest),
        .text(line.sides.map(String.init).joined(separator: " ")), read: isNew)
    case .span(let text, let span, let digest):
      added = try addSpan.first(
        number, .integer(try id(text)), .integer(span.since), SQLValue(span.until),
        .integer(digest), read: isNew)
    case .saved(let generation, let addition, let entry, let at):
      var entry = entry
      if let text = entry.textNumber { entry = .text(text == 0 ? 0 : try id(text)) }
      added = try addSaved.first(
        number, .integer(generation), .integer(addition.digest),
        .integer(Int64(addition.occurrence)), .text(entry.text), .integer(at.milliseconds),
        read: isNew)
    case .side(let id, let digest, let content):
      added = try self.addSide(id, digest, content, to: document)
    }
    guard added != nil else { throw .wrongLine("Another line of the document says the same.") }
  }

  /// Adds a side of a conflict.
  ///
  /// - Returns: `true` if the side was added; `nil` if the document already has it.
  func addSide(
    _ id: TodoID, _ digest: Int64, _ content: TodoContent, to document: Int64
  ) throws(TodoError) -> Bool? {
    try addSide.first(
      .integer(document), .text(id.text), .integer(digest),
      .text(ContentText.text(of: content))
    ) { _ in true }
  }
}

extension ExchangeWriter {
  fileprivate mutating func add(_ line: DocumentLine) throws(TodoError) {
    try add(line.section, line.members)
  }
}
