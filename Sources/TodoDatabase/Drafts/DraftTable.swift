import JSONRPC
import SQLiteDatabase
import TodoModel

/// The stored drafts of ended processes.
final class DraftTable {
  private unowned let connection: Connection
  private lazy var insert = Statement(
    """
    INSERT INTO draft (number, list, todo, version, typed_at, title, edit, byte_count)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    """, on: connection)
  /// The query that selects the number of a new draft: its time in milliseconds, but at least one
  /// more than the largest stored number. New numbers grow with time, so the number of a discarded
  /// draft is not used again.
  private lazy var newNumber = Statement(
    "SELECT max(?, (SELECT coalesce(max(number), 0) + 1 FROM draft))", on: connection)
  private lazy var ofList = Statement(
    "\(select) WHERE list = ? ORDER BY typed_at DESC, number", on: connection)
  private lazy var ofTodo = Statement(
    "\(select) WHERE list = ? AND todo = ? ORDER BY typed_at DESC, number", on: connection)
  private let select = "SELECT number, todo, version, typed_at, title, edit FROM draft"
  private lazy var inOrder = Statement("\(select) WHERE list = ? ORDER BY number", on: connection)
  /// The query that selects the todos that have drafts. Because of `max`, SQLite returns the other
  /// columns from the row of the newest draft.
  private lazy var draftedTodos = Statement(
    """
    SELECT draft.todo, count(*), max(typed_at) AS newest, draft.title,
      NOT EXISTS (
        SELECT 1 FROM todo
        WHERE todo.list = draft.list AND todo.name = draft.todo AND todo.is_removed = 0)
    FROM draft WHERE list = ? GROUP BY draft.todo ORDER BY newest DESC, draft.todo
    """, on: connection)
  private lazy var delete = Statement(
    "DELETE FROM draft WHERE list = ? AND number = ?", on: connection)
  private lazy var dropOldest = Statement(
    """
    DELETE FROM draft WHERE number IN (
      SELECT number FROM (
        SELECT number, row_number() OVER newest AS ordinal, sum(byte_count) OVER newest AS bytes
        FROM draft WHERE list = ?1
        WINDOW newest AS (ORDER BY typed_at DESC, number ROWS UNBOUNDED PRECEDING))
      WHERE ordinal > ?2 OR bytes > ?3)
    """, on: connection)
  private lazy var addFile = Statement(
    "INSERT OR IGNORE INTO draft_file (name) VALUES (?) RETURNING 1", on: connection)
  private lazy var files = Statement("SELECT name FROM draft_file", on: connection)
  private lazy var removeFile = Statement("DELETE FROM draft_file WHERE name = ?", on: connection)

  init(over connection: Connection) { self.connection = connection }

  func drafts(in number: Int64, _ list: TodoListKey) throws(TodoError) -> [StoredDraft] {
    try ofList.all(.integer(number)) { row in row.draft(in: list) }.compactMap { $0 }
  }

  func drafts(
    of id: TodoID, in number: Int64, _ list: TodoListKey
  ) throws(TodoError) -> [StoredDraft] {
    try ofTodo.all(.integer(number), .text(id.text)) { row in row.draft(in: list) }
      .compactMap { $0 }
  }

  /// Calls `body` with the drafts of a list in the order in which they were added.
  func each(
    in number: Int64, _ list: TodoListKey, _ body: (StoredDraft) throws(TodoError) -> Void
  ) throws(TodoError) {
    try inOrder.each([.integer(number)]) { row throws(TodoError) in
      if let draft = row.draft(in: list) { try body(draft) }
      return true
    }
  }

  func draftedTodos(in list: Int64) throws(TodoError) -> [DraftedTodo] {
    try draftedTodos.all(.integer(list)) { row in
      DraftedTodo(
        id: TodoID(row.text(0)), draftCount: row.count(1), typedAt: row.time(2),
        title: row.text(3), isGone: row.flag(4))
    }
  }

  func add(
    _ draft: Draft, _ text: DraftRecord.Text, in list: Int64
  ) throws(TodoError) {
    let edit = draft.edit.json.compactText
    let time = min(max(text.typedAt.milliseconds, 1), Row.timeMax)
    let number = try newNumber.first(.integer(time)) { row in row.integer(0) } ?? time
    try insert.run(
      .integer(number), .integer(list), .text(draft.base.id.text),
      .integer(draft.base.version), .integer(time), .text(text.title), .text(edit),
      .integer(Int64(edit.utf8.count)))
    try dropOldest.run(
      .integer(list), .integer(Int64(DraftLimits.listDraftsMax)),
      .integer(Int64(DraftLimits.listBytesMax)))
  }

  func discard(_ numbers: [Int64], in list: Int64) throws(TodoError) {
    for number in numbers { try delete.run(.integer(list), .integer(number)) }
  }

  // MARK: Files

  /// Records that a file is being imported.
  ///
  /// - Returns: `false` if the file was already imported.
  func addFile(_ name: String) throws(TodoError) -> Bool {
    try addFile.first(.text(name)) { _ in true } ?? false
  }

  /// Removes the records of imported files that no longer exist.
  func forgetFiles(except names: [String]) throws(TodoError) {
    let known = try files.all { row in row.text(0) }
    for name in known where !names.contains(name) { try removeFile.run(.text(name)) }
  }
}

extension Row {
  /// Reads a draft from the columns of `DraftTable.select`; `nil` if the stored text is not an
  /// edit.
  fileprivate func draft(in list: TodoListKey) -> StoredDraft? {
    guard let json = ContentText.members(of: text(5)), let edit = Draft.Edit(.object(json)) else {
      return nil
    }
    let base = EditBase(list: list, id: TodoID(text(1)), version: number(2))
    return StoredDraft(
      number: number(0), draft: Draft(base: base, edit: edit), typedAt: time(3), title: text(4))
  }
}
