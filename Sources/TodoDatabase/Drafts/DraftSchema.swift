import SQLiteDatabase
import TodoModel

/// The tables of the drafts of ended processes, since schema version 12.
package struct DraftSchema: SchemaPart {
  package init() {}

  package var scripts: [String] { [Self.tables] }

  package func update(from version: Int, over connection: Connection) throws(TodoError) {
    if version < 12 { try make(over: connection) }
  }

  package func renew(over connection: Connection) throws(TodoError) {}

  /// The script that creates the tables. The column `todo` contains the id of a todo, which may
  /// have been deleted. The table `draft_file` contains the names of imported files that may still
  /// exist.
  private static let tables = """
    CREATE TABLE draft (
      number INTEGER PRIMARY KEY,
      list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
      todo TEXT NOT NULL,
      version INTEGER NOT NULL,
      typed_at INTEGER NOT NULL,
      title TEXT NOT NULL,
      -- A `Draft.Edit` as JSON text.
      edit TEXT NOT NULL,
      byte_count INTEGER NOT NULL
    );
    CREATE INDEX draft_todo ON draft (list, todo);
    CREATE TABLE draft_file (
      name TEXT PRIMARY KEY
    ) WITHOUT ROWID;
    """
}
