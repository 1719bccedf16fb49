import SQLiteDatabase
import TodoModel

/// Finds todos by their labels. A todo's own labels are in its row.
final class LabelTable {
  private unowned let connection: Connection
  private lazy var add = Statement(
    "INSERT INTO label (list, key, todo, text) VALUES (?, ?, ?, ?)", on: connection)
  private lazy var drop = Statement("DELETE FROM label WHERE todo = ?", on: connection)

  init(over connection: Connection) { self.connection = connection }

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
