import SQLiteDatabase
import TodoModel

/// The index that finds todos by their labels. The labels themselves are in the row of the todo.
final class LabelTable {
  private unowned let connection: Connection
  private lazy var add = Statement(
    "INSERT INTO label (list, key, todo, text) VALUES (?, ?, ?, ?)", on: connection)
  private lazy var drop = Statement("DELETE FROM label WHERE todo = ?", on: connection)

  /// The query that selects the labels of a list. It searches the index once for each different
  /// label, not once for each todo.
  private lazy var known = Statement(
    """
    WITH RECURSIVE known (key) AS (
      SELECT min(key) FROM label WHERE list = ?1
      UNION ALL
      SELECT (SELECT min(key) FROM label WHERE list = ?1 AND label.key > known.key)
      FROM known WHERE key IS NOT NULL LIMIT ?2
    )
    SELECT (SELECT text FROM label WHERE list = ?1 AND label.key = known.key LIMIT 1)
    FROM known WHERE key IS NOT NULL
    """, on: connection)

  init(over connection: Connection) { self.connection = connection }

  /// Returns at most `limit` labels of the todos of a list, sorted by key. Includes the labels of
  /// removed todos.
  func labels(in list: Int64, limit: Int) throws(TodoError) -> [String] {
    try known.all(.integer(list), .integer(Int64(limit))) { row in row.text(0) }
  }

  func add(_ labels: LabelSet, to todo: Int64, in list: Int64) throws(TodoError) {
    for text in labels.texts {
      try add.run(
        .integer(list), .text(LabelSet.key(of: text)), .integer(todo), .text(text))
    }
  }

  func replace(_ labels: LabelSet, of todo: Int64, in list: Int64) throws(TodoError) {
    try drop.run(.integer(todo))
    try add(labels, to: todo, in: list)
  }
}
