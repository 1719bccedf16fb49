import SQLiteDatabase
import TodoModel

/// The numbers of open todos of each day, and the indexes of the agenda and of qualifiers, since
/// version 17.
package struct AgendaSchema: SchemaPart {
  package init() {}

  package var scripts: [String] { [Self.table, Self.indexes, Self.triggers] }

  package func update(from version: Int, over connection: Connection) throws(TodoError) {
    guard version < 17 else { return }
    try connection.execute("DROP INDEX IF EXISTS todo_due")
    try make(over: connection)
    try connection.execute(Self.fill)
  }

  package func renew(over connection: Connection) throws(TodoError) {}

  private static let table = """
    CREATE TABLE due_day (
      list INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
      -- A `CivilDay`.
      day TEXT NOT NULL,
      open INTEGER NOT NULL,
      PRIMARY KEY (list, day)
    ) WITHOUT ROWID;
    """

  /// An index with all columns of a condition needs no look at the table, also those that its `WHERE`
  /// has already.
  private static let indexes = """
    CREATE INDEX todo_due ON todo (list, due, is_done, is_removed)
      WHERE due IS NOT NULL AND is_removed = 0;
    CREATE INDEX todo_done ON todo (list, is_done, is_removed) WHERE is_done = 1 AND is_removed = 0;
    CREATE INDEX todo_priority ON todo (list, priority) WHERE priority IS NOT NULL;
    CREATE INDEX todo_agenda ON todo (list, due, place)
      WHERE due IS NOT NULL AND is_removed = 0 AND is_done = 0;
    """

  private static let fill = """
    INSERT INTO due_day (list, day, open)
      SELECT list, substr(due, 1, 10), count(*) FROM todo
      WHERE due IS NOT NULL AND is_removed = 0 AND is_done = 0 GROUP BY 1, 2;
    """

  /// A todo counts while it is open, has a date, and is in its list.
  private static let triggers = """
    CREATE TRIGGER due_day_added AFTER INSERT ON todo
    WHEN new.due IS NOT NULL AND new.is_removed = 0 AND new.is_done = 0 BEGIN
      \(count(1, "new"))
    END;
    CREATE TRIGGER due_day_deleted AFTER DELETE ON todo
    WHEN old.due IS NOT NULL AND old.is_removed = 0 AND old.is_done = 0 BEGIN
      \(count(-1, "old"))
    END;
    CREATE TRIGGER due_day_left AFTER UPDATE OF due, is_removed, is_done ON todo
    WHEN old.due IS NOT NULL AND old.is_removed = 0 AND old.is_done = 0 BEGIN
      \(count(-1, "old"))
    END;
    CREATE TRIGGER due_day_joined AFTER UPDATE OF due, is_removed, is_done ON todo
    WHEN new.due IS NOT NULL AND new.is_removed = 0 AND new.is_done = 0 BEGIN
      \(count(1, "new"))
    END;
    """

  /// The days of no todo stay: they are as few as the days that were ever used.
  private static func count(_ difference: Int, _ row: String) -> String {
    """
    INSERT INTO due_day (list, day, open)
          VALUES (\(row).list, substr(\(row).due, 1, 10), \(difference))
          ON CONFLICT (list, day) DO UPDATE SET open = open + excluded.open;
    """
  }
}
