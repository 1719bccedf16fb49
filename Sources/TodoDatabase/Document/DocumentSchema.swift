import SQLiteDatabase
import TodoModel

/// The tables of documents (`DocumentMemory`), since version 6, and who has one open in an
/// editor, since version 7.
///
/// A generation is not kept as a whole: a line has the first generation that it stood in (`since`)
/// and the first that it did not (`until`), so that one edited line is one row more.
package struct DocumentSchema: SchemaPart {
  package init() {}

  package var scripts: [String] { [Self.tables, Self.editorTable] }

  package func update(from version: Int, over connection: Connection) throws(TodoError) {
    if version < 6 {
      try make(over: connection)
    } else if version < 7 {
      try connection.execute(Self.editorTable)
    }
  }

  package func renew(over connection: Connection) throws(TodoError) {}

  private static let editorTable = """
    CREATE TABLE document_editor (
      document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
      lease_owner TEXT NOT NULL,
      PRIMARY KEY (document, lease_owner)
    ) WITHOUT ROWID;
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
    -- Lines that are no todo, in the order of their places.
    CREATE TABLE document_text (
      id INTEGER PRIMARY KEY,
      document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
      place INTEGER NOT NULL,
      text TEXT NOT NULL,
      below TEXT,
      digest INTEGER,
      since INTEGER,
      until INTEGER,
      is_removed INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX document_text_place ON document_text (document, place);
    -- What was made of a text that was saved, so that it is not made again: the todo or text.
    CREATE TABLE document_deed (
      document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
      generation INTEGER NOT NULL,
      digest INTEGER NOT NULL,
      occurrence INTEGER NOT NULL,
      name TEXT NOT NULL,
      done_at INTEGER NOT NULL,
      PRIMARY KEY (document, generation, digest, occurrence)
    ) WITHOUT ROWID;
    -- Texts that stand against a todo, until somebody chooses.
    CREATE TABLE document_held (
      document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      digest INTEGER NOT NULL,
      title TEXT NOT NULL,
      note TEXT NOT NULL,
      is_done INTEGER NOT NULL,
      PRIMARY KEY (document, name, digest)
    );
    """
}
