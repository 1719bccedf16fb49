import SQLiteDatabase
import TodoModel

/// The table of new todos that were exported before the source was known to have them
/// (`ExportedAddition`). It exists since schema version 16.
package struct ExportSchema: SchemaPart {
  package init() {}

  package var scripts: [String] { [Self.table] }

  package func update(from version: Int, over connection: Connection) throws(TodoError) {
    if version < 16 { try make(over: connection) }
  }

  package func renew(over connection: Connection) throws(TodoError) {}

  /// The script that creates the table. The column `content` contains a `ContentText`.
  private static let table = """
    CREATE TABLE exported (
      todo INTEGER PRIMARY KEY REFERENCES todo (id) ON DELETE CASCADE,
      marker TEXT NOT NULL,
      since INTEGER NOT NULL,
      content TEXT NOT NULL
    );
    CREATE INDEX exported_marker ON exported (marker);
    """
}
