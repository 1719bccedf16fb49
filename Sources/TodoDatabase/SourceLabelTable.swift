import SQLiteDatabase
import TodoModel

/// The tables of the labels that the items of each source can have, as last read.
final class SourceLabelTable {
  private unowned let connection: Connection
  private lazy var readAt = Statement(
    "SELECT read_at FROM source_label_read WHERE list = ?", on: connection)
  private lazy var setReadAt = Statement(
    "REPLACE INTO source_label_read (list, read_at) VALUES (?, ?)", on: connection)
  private lazy var find = Statement(
    "SELECT text FROM source_label WHERE list = ? ORDER BY key LIMIT ?", on: connection)
  private lazy var drop = Statement("DELETE FROM source_label WHERE list = ?", on: connection)
  private lazy var add = Statement(
    "INSERT INTO source_label (list, key, text) VALUES (?, ?, ?)", on: connection)

  init(over connection: Connection) { self.connection = connection }

  /// Returns the time at which the labels of a list were read; `nil` if they never were.
  func readAt(of list: Int64) throws(TodoError) -> Timestamp? {
    try readAt.first(.integer(list)) { row in row.time(0) }
  }

  /// Returns at most `limit` labels of a list, sorted by key.
  func labels(of list: Int64, limit: Int) throws(TodoError) -> [String] {
    try find.all(.integer(list), .integer(Int64(limit))) { row in row.text(0) }
  }

  func replace(_ labels: LabelSet, of list: Int64, at now: Timestamp) throws(TodoError) {
    try drop.run(.integer(list))
    for text in labels.texts {
      try add.run(.integer(list), .text(LabelSet.key(of: text)), .text(text))
    }
    try setReadAt.run(.integer(list), .integer(now.milliseconds))
  }
}
