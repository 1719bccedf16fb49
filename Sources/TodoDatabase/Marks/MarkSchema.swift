import SQLiteDatabase
import TodoModel

/// The table of the marks that were assigned to todos (`TodoMark`). It exists since schema version
/// 24.
///
/// A row stays when its todo or its list is deleted, so that no mark is assigned twice. Before
/// version 24, a mark contained the ID and the version of its todo.
package struct MarkSchema: SchemaPart {
  package init() {}

  package var scripts: [String] { [Self.table] }

  package func update(from version: Int, over connection: Connection) throws(TodoError) {
    if version < 24 { try make(over: connection) }
  }

  package func renew(over connection: Connection) throws(TodoError) {}

  private static let table = """
    CREATE TABLE mark (
      mark TEXT PRIMARY KEY,
      list INTEGER NOT NULL,
      todo TEXT NOT NULL,
      -- When the mark was reserved for a todo that is not added yet.
      reserved_at INTEGER,
      UNIQUE (list, todo)
    ) WITHOUT ROWID;
    CREATE INDEX mark_reserved ON mark (reserved_at) WHERE reserved_at IS NOT NULL;
    """
}
