import TodoModel

@testable import SQLiteDatabase

/// A schema part with one table, which the tests use instead of the tables of todos and accounts.
struct NoteSchema: SchemaPart {
  var scripts: [String] { ["CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL);"] }

  func update(from version: Int, over connection: Connection) {}

  func renew(over connection: Connection) {}
}

extension Schema {
  static let notes = Schema(
    applicationID: 0x6E6F_7465, version: 5, versionMin: 4, parts: [NoteSchema()])
}

extension Database {
  /// Opens a database of notes.
  convenience init(
    ofNotesAt path: String, onDamage: DamageRule = .setAside
  ) throws(TodoError) {
    try self.init(
      at: .file(path), schema: .notes, now: { Timestamp(milliseconds: 1_700_000_000_000) },
      onDamage: onDamage)
  }

  /// Adds notes in one transaction.
  func add(_ notes: String...) throws(TodoError) {
    try change { connection throws(TodoError) in
      for note in notes { try connection.add(note) }
    }
  }

  /// All notes, the oldest first.
  var notes: [String] {
    get throws(TodoError) {
      try read { connection throws(TodoError) in try connection.notes }
    }
  }
}

extension Connection {
  func add(_ note: String) throws(TodoError) {
    try Statement("INSERT INTO note (text) VALUES (?)", on: self).run(.text(note))
  }

  var notes: [String] {
    get throws(TodoError) {
      try Statement("SELECT text FROM note ORDER BY id", on: self).all { row in row.text(0) }
    }
  }
}
