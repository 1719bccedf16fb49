import SQLiteDatabase
import TodoModel

/// What was made of lines that were saved, the texts that stand against todos, and the lines that
/// are no todo.
final class DeedTable {
  private unowned let connection: Connection
  private lazy var stoodThere = Statement(
    """
    SELECT 1 FROM document_line
    WHERE document = ?1 AND name = ?2 AND version = ?3 AND (digest = ?4 OR cut_digest = ?4) LIMIT 1
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
  private lazy var note = Statement(
    """
    REPLACE INTO document_deed (document, generation, digest, occurrence, entry, done_at)
    VALUES (?, ?, ?, ?, ?, ?)
    """, on: connection)
  private lazy var keepConflict = Statement(
    "REPLACE INTO document_held (document, name, digest, content) VALUES (?, ?, ?, ?)",
    on: connection)
  private lazy var drop = Statement(
    "DELETE FROM document_held WHERE document = ? AND name = ? AND digest = ?", on: connection)
  private lazy var held = Statement(
    "SELECT name, content FROM document_held WHERE document = ? ORDER BY rowid",
    on: connection)
  private lazy var conflictsOf = Statement(
    "SELECT digest, content FROM document_held WHERE document = ? AND name = ?",
    on: connection)
  private lazy var orphans = Statement(
    """
    SELECT name, digest, content FROM document_held
    WHERE document = ? AND NOT EXISTS (
      SELECT 1 FROM todo WHERE todo.list = ? AND todo.name = document_held.name AND is_removed = 0)
    ORDER BY rowid
    """, on: connection)
  private lazy var texts = Statement(
    """
    SELECT id, text, below FROM document_text WHERE document = ? AND is_removed = 0
    ORDER BY place
    """, on: connection)
  private lazy var additions = Statement(
    """
    SELECT digest, occurrence, entry FROM document_deed AS deed
    WHERE document = ? AND generation = ? AND NOT EXISTS (
      SELECT 1 FROM document_line AS line
      WHERE line.document = deed.document AND deed.entry GLOB 'todo/*'
        AND line.name = substr(deed.entry, 6) AND since <= generation)
    """, on: connection)
  private lazy var text = Statement(
    "SELECT text FROM document_text WHERE document = ? AND id = ? AND is_removed = 0",
    on: connection)
  private lazy var addText = Statement(
    "INSERT INTO document_text (document, place, text, below) VALUES (?, ?, ?, ?)",
    on: connection)
  private lazy var placeOfText = Statement(
    "SELECT place, below FROM document_text WHERE document = ? AND id = ?", on: connection)
  private lazy var firstPlace = Statement(
    """
    SELECT place FROM document_text WHERE document = ? AND below IS ? ORDER BY place LIMIT 1
    """, on: connection)
  private lazy var lastPlace = Statement(
    "SELECT coalesce(max(place), 0) FROM document_text WHERE document = ?", on: connection)
  private lazy var makePlaces = Statement(
    "UPDATE document_text SET place = place + ?3 WHERE document = ?1 AND place >= ?2",
    on: connection)
  private lazy var spaceText = Statement(
    "UPDATE document_text SET text = ? WHERE document = ? AND id = ?", on: connection)
  private lazy var removeText = Statement(
    "UPDATE document_text SET is_removed = 1 WHERE document = ? AND id = ?", on: connection)

  init(over connection: Connection) { self.connection = connection }

  /// Whether a line stood like that in some generation.
  func stoodThere(
    _ digest: Int64, of id: TodoID, at version: Int64, in document: Int64
  ) throws(TodoError) -> Bool {
    try stoodThere.first(
      .integer(document), .text(id.text), .integer(version), .integer(digest)
    ) { _ in true } ?? false
  }

  // MARK: Deeds

  /// The entry that a line became; nil for a new line.
  func entry(
    of addition: DocumentAddition, _ generation: Int64, in document: Int64
  ) throws(TodoError) -> EntryID? {
    try find.first(
      .integer(document), .integer(generation), .integer(addition.digest),
      .integer(Int64(addition.occurrence))
    ) { row in EntryID(row.text(0)) } ?? nil
  }

  /// What lines became that were typed into a generation.
  func additions(
    to generation: Int64, in document: Int64
  ) throws(TodoError) -> [(addition: DocumentAddition, entry: EntryID)] {
    try additions.all(.integer(document), .integer(generation)) { row in
      EntryID(row.text(2)).map { entry in
        (
          DocumentAddition(digest: row.integer(0), occurrence: Int(clamping: row.integer(1))),
          entry
        )
      }
    }.compactMap { $0 }
  }

  func record(
    _ addition: DocumentAddition, _ generation: Int64, became entry: EntryID,
    in document: Int64, at now: Timestamp
  ) throws(TodoError) {
    try note.run(
      .integer(document), .integer(generation), .integer(addition.digest),
      .integer(Int64(addition.occurrence)), .text(entry.text), .integer(now.milliseconds))
  }

  /// Forgets that a line was taken: it is new when it is typed again.
  func forget(
    _ addition: DocumentAddition, _ generation: Int64, in document: Int64
  ) throws(TodoError) {
    try forget.run(
      .integer(document), .integer(generation), .integer(addition.digest),
      .integer(Int64(addition.occurrence)))
  }

  /// Notes it for a later text, where it is the first of its like that nothing is known of.
  func recordLater(
    _ addition: DocumentAddition, _ generation: Int64, became entry: EntryID,
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

  // MARK: Texts of conflicts

  func keepConflict(
    _ content: TodoContent, _ digest: Int64, against id: TodoID, in document: Int64
  ) throws(TodoError) {
    try keepConflict.run(
      .integer(document), .text(id.text), .integer(digest),
      .text(ContentText.text(of: content)))
  }

  func drop(_ digest: Int64, against id: TodoID, in document: Int64) throws(TodoError) {
    try drop.run(.integer(document), .text(id.text), .integer(digest))
  }

  func held(in document: Int64) throws(TodoError) -> [TodoID: [TodoContent]] {
    let all = try held.all(.integer(document)) { row in
      (TodoID(row.text(0)), ContentText.content(of: row.text(1)))
    }
    return Dictionary(grouping: all) { $0.0 }.mapValues { $0.map(\.1) }
  }

  func held(
    against id: TodoID, in document: Int64
  ) throws(TodoError) -> [(digest: Int64, content: TodoContent)] {
    try conflictsOf.all(.integer(document), .text(id.text)) { row in
      (row.integer(0), ContentText.content(of: row.text(1)))
    }
  }

  /// Texts whose todo is gone.
  func orphans(
    in document: Int64, of list: Int64
  ) throws(TodoError) -> [(id: TodoID, digest: Int64, content: TodoContent)] {
    try orphans.all(.integer(document), .integer(list)) { row in
      (TodoID(row.text(0)), row.integer(1), ContentText.content(of: row.text(2)))
    }
  }

  // MARK: Lines that are no todo

  func texts(in document: Int64) throws(TodoError) -> [DocumentText] {
    try texts.all(.integer(document)) { row in
      DocumentText(
        id: row.integer(0), text: row.text(1), after: row.optionalText(2).map { TodoID($0) })
    }
  }

  func text(_ id: Int64, in document: Int64) throws(TodoError) -> String? {
    try text.first(.integer(document), .integer(id)) { row in row.text(0) }
  }

  /// Adds texts after one that is or was there, else as the first below a todo. Their ids.
  func addTexts(
    _ texts: [String], after known: Int64?, below: TodoID?, in document: Int64
  ) throws(TodoError) -> [Int64] {
    var below = below?.text
    var place: Int64?
    if let known {
      let found = try placeOfText.first(.integer(document), .integer(known)) { row in
        (place: row.number(0), below: row.optionalText(1))
      }
      if let found { (place, below) = (found.place + 1, found.below) }
    }
    if place == nil {
      place = try firstPlace.first(.integer(document), SQLValue(below)) { row in row.number(0) }
    }
    if place == nil {
      place = try lastPlace.first(.integer(document)) { row in row.number(0) + 1 }
    }
    var next = place ?? 1
    try makePlaces.run(.integer(document), .integer(next), .integer(Int64(texts.count)))
    return try texts.map { text throws(TodoError) in
      try addText.run(.integer(document), .integer(next), .text(text), SQLValue(below))
      next += 1
      return connection.lastInsertedRow
    }
  }

  func spaceText(_ id: Int64, _ text: String, in document: Int64) throws(TodoError) {
    try spaceText.run(.text(text), .integer(document), .integer(id))
  }

  func removeText(_ id: Int64, in document: Int64) throws(TodoError) {
    try removeText.run(.integer(document), .integer(id))
  }
}
