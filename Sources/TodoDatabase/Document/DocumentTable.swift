import SQLiteDatabase
import TodoModel

/// The tables of the documents, and of the lines that each generation of a document shows. A
/// generation is a recorded version of the document.
final class DocumentTable {
  private unowned let connection: Connection
  private lazy var find = Statement(
    "SELECT id, generation, lease_owner FROM document WHERE list = ? AND path = ?",
    on: connection)
  private lazy var add = Statement(
    "INSERT INTO document (list, path, generation) VALUES (?, ?, ?)", on: connection)
  private lazy var setOwner = Statement(
    "UPDATE document SET lease_owner = ? WHERE id = ?", on: connection)
  private lazy var editors = Statement(
    "SELECT lease_owner FROM document_editor WHERE document = ?", on: connection)
  private lazy var addEditor = Statement(
    "INSERT OR IGNORE INTO document_editor (document, lease_owner) VALUES (?, ?)", on: connection)
  private lazy var removeEditor = Statement(
    "DELETE FROM document_editor WHERE document = ? AND lease_owner = ?", on: connection)
  private lazy var isKept = Statement(
    "SELECT last_move FROM document_generation WHERE document = ? AND number = ?",
    on: connection)
  private lazy var linesThen = Statement(
    """
    SELECT name, version, digest, cut_digest, sides FROM document_line
    WHERE document = ?1 AND since <= ?2 AND (until IS NULL OR until > ?2)
    """, on: connection)
  private lazy var textsThen = Statement(
    """
    SELECT text, digest FROM document_text_span
    WHERE document = ?1 AND since <= ?2 AND (until IS NULL OR until > ?2)
    """, on: connection)
  private lazy var advance = Statement(
    "UPDATE document SET generation = ? WHERE id = ?", on: connection)
  private lazy var addGeneration = Statement(
    """
    INSERT INTO document_generation (document, number, kept_at, last_move) VALUES (?, ?, ?, ?)
    """, on: connection)
  private lazy var endLine = Statement(
    """
    UPDATE document_line SET until = ? WHERE document = ? AND name = ? AND until IS NULL
    """, on: connection)
  private lazy var beginLine = Statement(
    """
    INSERT INTO document_line (document, name, since, version, digest, cut_digest, sides)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    """, on: connection)
  private lazy var endText = Statement(
    """
    UPDATE document_text_span SET until = ? WHERE document = ? AND text = ? AND until IS NULL
    """, on: connection)
  private lazy var beginText = Statement(
    """
    INSERT INTO document_text_span (document, text, since, digest) VALUES (?, ?, ?, ?)
    """, on: connection)
  private lazy var forget = Statement(
    "DELETE FROM document_generation WHERE document = ? AND (kept_at < ? OR number <= ?)",
    on: connection)
  private lazy var oldest = Statement(
    "SELECT min(number) FROM document_generation WHERE document = ?", on: connection)
  private lazy var forgetLines = Statement(
    "DELETE FROM document_line WHERE document = ? AND until <= ?", on: connection)
  private lazy var forgetTextSpans = Statement(
    "DELETE FROM document_text_span WHERE document = ? AND until <= ?", on: connection)
  private lazy var forgetAppliedLines = Statement(
    """
    DELETE FROM document_deed WHERE document = ?1
      AND (generation > 0 AND generation < ?2 OR done_at < ?3)
    """, on: connection)

  init(over connection: Connection) { self.connection = connection }

  struct Record {
    var row: Int64
    var generation: Int64
    var owner: String?
  }

  func record(of path: String, in list: Int64) throws(TodoError) -> Record? {
    try find.first(.integer(list), .text(path)) { row in
      Record(row: row.integer(0), generation: row.number(1), owner: row.optionalText(2))
    }
  }

  /// Adds a document. Its first generation has a number that is derived from a unique ID, so that a
  /// document of another store is not mistaken for this one.
  func make(_ path: String, in list: Int64, numberedFrom id: TodoID) throws(TodoError) -> Record {
    let digest = id.text.utf8.reduce(UInt64(0)) { $0 &* 0x100_0000_01B3 &+ UInt64($1) }
    let first = Int64(digest % UInt64(Self.firstGenerationMax)) + 1
    try add.run(.integer(list), .text(path), .integer(first))
    return Record(row: connection.lastInsertedRow, generation: first)
  }

  private static let firstGenerationMax: Int64 = 1_000_000_000_000

  func setOwner(_ owner: String?, of document: Int64) throws(TodoError) {
    try setOwner.run(SQLValue(owner), .integer(document))
  }

  // MARK: Editors

  func editors(of document: Int64) throws(TodoError) -> [String] {
    try editors.all(.integer(document)) { row in row.text(0) }
  }

  func addEditor(_ owner: String, to document: Int64) throws(TodoError) {
    try addEditor.run(.integer(document), .text(owner))
  }

  func removeEditor(_ owner: String, from document: Int64) throws(TodoError) {
    try removeEditor.run(.integer(document), .text(owner))
  }

  // MARK: Generations

  func generation(
    _ number: Int64, of document: Int64
  ) throws(TodoError) -> DocumentGeneration? {
    let lastMove = try isKept.first(.integer(document), .integer(number)) { $0.integer(0) }
    guard let lastMove else { return nil }
    let lines = try linesThen.all(.integer(document), .integer(number)) { row in
      let line = LineDigests(
        version: row.integer(1), digest: row.integer(2), cutDigest: row.integer(3),
        sides: row.text(4).split(separator: " ").compactMap { Int64($0) })
      return (TodoID(row.text(0)), line)
    }
    let texts = try textsThen.all(.integer(document), .integer(number)) { row in
      (row.integer(0), row.integer(1))
    }
    var generation = DocumentGeneration(
      number: number, lines: Dictionary(lines) { first, _ in first },
      texts: Dictionary(texts) { first, _ in first })
    generation.lastMove = lastMove
    return generation
  }

  func record(_ next: NextGeneration, of document: Int64, at now: Timestamp) throws(TodoError) {
    let number = SQLValue.integer(next.number)
    let document = SQLValue.integer(document)
    try advance.run(number, document)
    try addGeneration.run(
      document, number, .integer(now.milliseconds), .integer(next.lastMove))
    for (id, line) in next.lines {
      try endLine.run(number, document, .text(id.text))
      guard let line else { continue }
      try beginLine.run(
        document, .text(id.text), number, .integer(line.version), .integer(line.digest),
        .integer(line.cutDigest), .text(line.sides.map(String.init).joined(separator: " ")))
    }
    for (id, digest) in next.texts {
      try endText.run(number, document, .integer(id))
      guard let digest else { continue }
      try beginText.run(document, .integer(id), number, .integer(digest))
    }
    try forgetOld(document, newest: next.number, now)
  }

  private func forgetOld(
    _ document: SQLValue, newest: Int64, _ now: Timestamp
  ) throws(TodoError) {
    let time = now.milliseconds - DocumentLimits.generationDaysMax * 86_400_000
    try forget.run(document, .integer(time), .integer(newest - DocumentLimits.generationsMax))
    let oldest = try oldest.first(document) { row in row.integer(0) } ?? newest
    try forgetLines.run(document, .integer(oldest))
    try forgetTextSpans.run(document, .integer(oldest))
    try forgetAppliedLines.run(document, .integer(oldest), .integer(time))
  }
}
