import SQLiteDatabase
import TodoModel

/// The table of the lines of saved documents, each with the entry that the line became. An entry is
/// a todo or a plain line. Each line is recorded for a generation: a recorded version of the
/// document.
final class AppliedLineTable {
  private unowned let connection: Connection
  private lazy var lastShown = Statement(
    """
    SELECT max(version) FROM document_line
    WHERE document = ?1 AND name = ?2 AND (digest = ?3 OR cut_digest = ?3)
    """, on: connection)
  private lazy var find = Statement(
    """
    SELECT entry FROM document_deed
    WHERE document = ? AND generation = ? AND digest = ? AND occurrence = ?
    """, on: connection)
  private lazy var lastOccurrence = Statement(
    """
    SELECT max(occurrence) FROM document_deed
    WHERE document = ? AND generation = ? AND digest = ?
    """, on: connection)
  private lazy var forget = Statement(
    """
    DELETE FROM document_deed
    WHERE document = ? AND generation = ? AND digest = ? AND occurrence = ?
    """, on: connection)
  private lazy var add = Statement(
    """
    REPLACE INTO document_deed (document, generation, digest, occurrence, entry, done_at)
    VALUES (?, ?, ?, ?, ?, ?)
    """, on: connection)
  private lazy var additions = Statement(
    """
    SELECT digest, occurrence, entry FROM document_deed AS deed
    WHERE document = ? AND generation = ? AND NOT EXISTS (
      SELECT 1 FROM document_line AS line
      WHERE line.document = deed.document AND deed.entry GLOB 'todo/*'
        AND line.name = substr(deed.entry, 6) AND since <= generation)
    """, on: connection)
  private lazy var all = Statement(
    "SELECT digest, occurrence, entry FROM document_deed WHERE document = ? AND generation = ?",
    on: connection)

  init(over connection: Connection) { self.connection = connection }

  /// Returns the latest version at which a todo had a line with this digest; `nil` if it never had
  /// such a line. Searches all generations (recorded versions) of the document.
  func lastVersion(
    shownAs digest: Int64, of id: TodoID, in document: Int64
  ) throws(TodoError) -> Int64? {
    try lastShown.first(
      .integer(document), .text(id.text), .integer(digest)
    ) { row in row.isNull(0) ? nil : row.integer(0) } ?? nil
  }

  /// Returns the entry that a line became; `nil` if the line is not recorded for this
  /// generation (recorded version) of the document.
  func entry(
    of addition: AdditionKey, _ generation: Int64, in document: Int64
  ) throws(TodoError) -> EntryID? {
    try find.first(
      .integer(document), .integer(generation), .integer(addition.digest),
      .integer(Int64(addition.occurrence))
    ) { row in EntryID(row.text(0)) } ?? nil
  }

  /// Returns the new lines that are recorded for a generation (recorded version) of a document,
  /// each with the entry that the line became.
  func additions(
    to generation: Int64, in document: Int64
  ) throws(TodoError) -> [(addition: AdditionKey, entry: EntryID)] {
    try records(additions, generation, document)
  }

  /// Returns the new and edited lines that are recorded for a generation (recorded version) of a
  /// document, each with the entry that the line became.
  func lines(
    of generation: Int64, in document: Int64
  ) throws(TodoError) -> [(addition: AdditionKey, entry: EntryID)] {
    try records(all, generation, document)
  }

  private func records(
    _ statement: Statement, _ generation: Int64, _ document: Int64
  ) throws(TodoError) -> [(addition: AdditionKey, entry: EntryID)] {
    try statement.all(.integer(document), .integer(generation)) { row in
      EntryID(row.text(2)).map { entry in
        (
          AdditionKey(digest: row.integer(0), occurrence: Int(clamping: row.integer(1))),
          entry
        )
      }
    }.compactMap { $0 }
  }

  func record(
    _ addition: AdditionKey, _ generation: Int64, became entry: EntryID,
    in document: Int64, at now: Timestamp
  ) throws(TodoError) {
    try add.run(
      .integer(document), .integer(generation), .integer(addition.digest),
      .integer(Int64(addition.occurrence)), .text(entry.text), .integer(now.milliseconds))
  }

  /// Deletes the record of an applied line. If the user types the line again, it counts as new.
  func forget(
    _ addition: AdditionKey, _ generation: Int64, in document: Int64
  ) throws(TodoError) {
    try forget.run(
      .integer(document), .integer(generation), .integer(addition.digest),
      .integer(Int64(addition.occurrence)))
  }

  /// Records an applied line for a later generation (recorded version of the document) than the
  /// generation on which the save is based (see `DocumentSave.later`). If the line is a new line
  /// and not an edited line, it gets the next free `occurrence` among the equal new lines of the
  /// later generation.
  func recordLater(
    _ addition: AdditionKey, _ generation: Int64, became entry: EntryID,
    in document: Int64, at now: Timestamp
  ) throws(TodoError) {
    var next = addition
    if addition.isTyped {
      let last = try lastOccurrence.first(
        .integer(document), .integer(generation), .integer(addition.digest)
      ) { row in row.count(0) }
      next.occurrence = (last ?? 0) + 1
    }
    try record(next, generation, became: entry, in: document, at: now)
  }
}
