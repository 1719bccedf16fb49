import SQLiteDatabase
import TodoModel

/// The tables of documents (`DocumentMemory`), since version 6.
///
/// A generation is a recorded version of a document. It is not stored as a whole. A line is stored
/// with the first generation that shows it (`since`) and the first later generation that does not
/// (`until`). So one edited line needs one more row.
///
/// Since version 7, the tables contain the processes that have a document open in an editor. Since
/// version 8, the generations that show a plain line need not be consecutive: with two editors, a
/// line can be missing from a generation in between. Since version 10, the entry that a line became
/// is recorded with its kind (`todo/` or `text/`). Since version 20, the plain lines are in
/// `EntrySchema`.
package struct DocumentSchema: SchemaPart {
  package init() {}

  package var scripts: [String] {
    [Self.tables, Self.conflictTextTable, Self.editorTable, Self.textSpanTable]
  }

  package func update(from version: Int, over connection: Connection) throws(TodoError) {
    guard version >= 6 else { return try make(over: connection) }
    if version < 7 { try connection.execute(Self.editorTable) }
    if version < 8 {
      try connection.execute(Self.textSpanTable)
      try connection.execute(Self.moveTextSpans)
    }
    if version < 10 {
      try ContentUpdate(over: connection).moveConflictTexts()
      try connection.execute(Self.nameEntries)
    }
    if version < 20 { try connection.execute(Self.addLastMove) }
  }

  package func renew(over connection: Connection) throws(TodoError) {}

  private static let editorTable = """
    CREATE TABLE document_editor (
      document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
      lease_owner TEXT NOT NULL,
      PRIMARY KEY (document, lease_owner)
    ) WITHOUT ROWID;
    """

  private static let lastMoveColumn = "last_move INTEGER NOT NULL DEFAULT 0"
  private static let addLastMove = "ALTER TABLE document_generation ADD COLUMN \(lastMoveColumn);"

  private static let textSpanTable = """
    CREATE TABLE document_text_span (
      document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
      text INTEGER NOT NULL,
      since INTEGER NOT NULL,
      until INTEGER,
      digest INTEGER NOT NULL,
      PRIMARY KEY (document, text, since)
    ) WITHOUT ROWID;
    CREATE INDEX document_text_past ON document_text_span (document, until) WHERE until IS NOT NULL;
    """

  private static let moveTextSpans = """
    INSERT INTO document_text_span (document, text, since, until, digest)
      SELECT document, id, since, until, digest FROM document_text
      WHERE since IS NOT NULL AND digest IS NOT NULL;
    ALTER TABLE document_text DROP COLUMN digest;
    ALTER TABLE document_text DROP COLUMN since;
    ALTER TABLE document_text DROP COLUMN until;
    """

  /// The script that adds the kind, `text/` or `todo/`, to the entries of `document_deed`.
  ///
  /// An old entry is a plain line if all these conditions are true:
  /// - The entry is a number.
  /// - The user typed the saved line (`occurrence > 0`).
  /// - A plain line with this number exists.
  ///
  /// Any other old entry is the ID of a todo, even if it is a number, because the ID of an imported
  /// todo can be a number. If a todo became several plain lines, the old entry contains the numbers
  /// of these lines. In this case, the script records the first line.
  private static let nameEntries = """
    ALTER TABLE document_deed RENAME COLUMN name TO entry;
    UPDATE document_deed SET entry = CASE
      WHEN occurrence > 0 AND entry NOT GLOB '*[^0-9 ]*' AND EXISTS (
        SELECT 1 FROM document_text AS line
        WHERE line.document = document_deed.document AND line.id = CAST(entry AS INTEGER))
      THEN 'text/' || CAST(entry AS INTEGER)
      ELSE 'todo/' || entry END;
    """

  private static let tables = """
    CREATE TABLE document (
      id INTEGER PRIMARY KEY,
      list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
      path TEXT NOT NULL,
      generation INTEGER NOT NULL,
      lease_owner TEXT,
      UNIQUE (list, path)
    );
    CREATE TABLE document_generation (
      document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      kept_at INTEGER NOT NULL,
      -- The sequence of the last move in the log before the generation was written.
      \(lastMoveColumn),
      PRIMARY KEY (document, number)
    ) WITHOUT ROWID;
    CREATE TABLE document_line (
      document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      since INTEGER NOT NULL,
      until INTEGER,
      version INTEGER NOT NULL,
      digest INTEGER NOT NULL,
      cut_digest INTEGER NOT NULL,
      -- The digests of the texts of a conflict, with spaces between.
      sides TEXT NOT NULL,
      PRIMARY KEY (document, name, since)
    ) WITHOUT ROWID;
    CREATE INDEX document_line_past ON document_line (document, until) WHERE until IS NOT NULL;
    -- The entry that a saved line became (`EntryID`), so that it is not added again.
    CREATE TABLE document_deed (
      document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
      generation INTEGER NOT NULL,
      digest INTEGER NOT NULL,
      occurrence INTEGER NOT NULL,
      entry TEXT NOT NULL,
      done_at INTEGER NOT NULL,
      PRIMARY KEY (document, generation, digest, occurrence)
    ) WITHOUT ROWID;
    """

  /// The table of the texts in conflict with a todo, until the user resolves the conflict. The
  /// column `content` is a `ContentText`.
  static let conflictTextTable = """
    CREATE TABLE document_held (
      document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      digest INTEGER NOT NULL,
      content TEXT NOT NULL,
      PRIMARY KEY (document, name, digest)
    );
    """
}
