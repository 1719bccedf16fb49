import SQLiteDatabase
import TodoModel

/// The table of the number of open todos for each day (since schema version 17), and the indexes
/// for the agenda and for the qualifiers of searches. Since version 19, a todo without a date of
/// its own is counted for the date that its source reports.
package struct AgendaSchema: SchemaPart {
  package init() {}

  package var scripts: [String] { [Self.table, Self.indexes, Self.triggers] }

  package func update(from version: Int, over connection: Connection) throws(TodoError) {
    guard version < 19 else { return }
    if version >= 17 {
      try connection.execute(Self.dropIndexesAndTriggers)
      try connection.execute(Self.indexes)
      return try connection.execute(Self.triggers)
    }
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

  /// The script that creates the indexes. Each index except `todo_agenda` contains every column
  /// that its queries compare, even the columns in its own `WHERE` clause. Therefore, SQLite does
  /// not need to read the table. `todo_agenda` contains the columns by which the agenda of a list
  /// is sorted.
  private static let indexes = """
    CREATE INDEX todo_due ON todo (list, effective_due, is_done, is_removed)
      WHERE effective_due IS NOT NULL AND is_removed = 0;
    CREATE INDEX todo_done ON todo (list, is_done, is_removed) WHERE is_done = 1 AND is_removed = 0;
    CREATE INDEX todo_priority ON todo (list, priority) WHERE priority IS NOT NULL;
    CREATE INDEX todo_agenda ON todo (list, effective_due, place)
      WHERE effective_due IS NOT NULL AND is_removed = 0 AND is_done = 0;
    """

  private static let dropIndexesAndTriggers = """
    DROP INDEX todo_priority;
    DROP INDEX todo_agenda;
    DROP TRIGGER due_day_added;
    DROP TRIGGER due_day_deleted;
    DROP TRIGGER due_day_left;
    DROP TRIGGER due_day_joined;
    """

  private static let fill = """
    INSERT INTO due_day (list, day, open)
      SELECT list, substr(effective_due, 1, 10), count(*) FROM todo
      WHERE effective_due IS NOT NULL AND is_removed = 0 AND is_done = 0 GROUP BY 1, 2;
    """

  /// The triggers that maintain the counts. A todo is counted while it is open, has a date, and is
  /// not removed.
  private static let triggers = """
    CREATE TRIGGER due_day_added AFTER INSERT ON todo
    WHEN new.effective_due IS NOT NULL AND new.is_removed = 0 AND new.is_done = 0 BEGIN
      \(count(1, "new"))
    END;
    CREATE TRIGGER due_day_deleted AFTER DELETE ON todo
    WHEN old.effective_due IS NOT NULL AND old.is_removed = 0 AND old.is_done = 0 BEGIN
      \(count(-1, "old"))
    END;
    CREATE TRIGGER due_day_left AFTER UPDATE OF effective_due, is_removed, is_done ON todo
    WHEN old.effective_due IS NOT NULL AND old.is_removed = 0 AND old.is_done = 0 BEGIN
      \(count(-1, "old"))
    END;
    CREATE TRIGGER due_day_joined AFTER UPDATE OF effective_due, is_removed, is_done ON todo
    WHEN new.effective_due IS NOT NULL AND new.is_removed = 0 AND new.is_done = 0 BEGIN
      \(count(1, "new"))
    END;
    """

  /// Returns the SQL that adds `difference` to the count for the day of a todo; `row` is the
  /// trigger's `new` or `old`. The row of a day stays in the table when its count becomes 0. So the
  /// table has one row for each day on which a todo of the list was ever due.
  private static func count(_ difference: Int, _ row: String) -> String {
    """
    INSERT INTO due_day (list, day, open)
          VALUES (\(row).list, substr(\(row).effective_due, 1, 10), \(difference))
          ON CONFLICT (list, day) DO UPDATE SET open = open + excluded.open;
    """
  }
}
