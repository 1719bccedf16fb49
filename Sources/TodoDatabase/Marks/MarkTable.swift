import SQLiteDatabase
import TodoModel

/// The table of the marks that identify todos in documents (`TodoMark`).
final class MarkTable {
  private unowned let connection: Connection
  private lazy var all = Statement("SELECT mark, todo, list FROM mark", on: connection)
  private lazy var marks = Statement(
    "SELECT mark, todo, reserved_at FROM mark WHERE list = ? ORDER BY mark", on: connection)
  private lazy var add = Statement(
    """
    INSERT INTO mark (mark, list, todo, reserved_at) VALUES (?, ?, ?, ?)
    ON CONFLICT DO NOTHING RETURNING 1
    """, on: connection)
  private lazy var hasMark = Statement(
    "SELECT 1 FROM mark WHERE list = ? AND todo = ?", on: connection)
  private lazy var use = Statement(
    "UPDATE mark SET reserved_at = NULL WHERE list = ? AND todo = ?", on: connection)
  private lazy var forgetReserved = Statement(
    "DELETE FROM mark WHERE reserved_at < ?", on: connection)
  private lazy var textsWithSigns = Statement(
    """
    SELECT title FROM todo WHERE list = ?1 AND instr(title, '^') > 0
    UNION ALL
    SELECT text FROM note JOIN todo ON todo.id = note.todo
      WHERE list = ?1 AND instr(text, '^') > 0
    UNION ALL
    SELECT text FROM plain_line WHERE list = ?1 AND instr(text, '^') > 0
    """, on: connection)

  /// The time after which an unused reserved mark is free again, in days.
  private static let reservedDaysMax: Int64 = 30

  init(over connection: Connection) { self.connection = connection }

  /// Returns the marks of the todos of a list, by todo, and all marks that the store has assigned,
  /// including those of other lists.
  func marks(
    in list: Int64
  ) throws(TodoError) -> (todos: [TodoID: TodoMark], assigned: AssignedMarks) {
    var (todos, assigned): ([TodoID: TodoMark], AssignedMarks) = ([:], AssignedMarks())
    try all.each([]) { row throws(TodoError) in
      guard let mark = TodoMark(row.text(0)) else { return true }
      if row.integer(2) == list {
        let id = TodoID(row.text(1))
        todos[id] = mark
        assigned.add(mark, of: id)
      } else {
        assigned.addOther(mark)
      }
      return true
    }
    return (todos, assigned)
  }

  /// Assigns a mark to each of the todos that has none. Does not assign a mark that is equal to a
  /// word after a `^` in a text of the list, because the word would then be read as the mark.
  func assign(to ids: [TodoID], in list: Int64) throws(TodoError) {
    let words = try wordsLikeMarks(in: list)
    for id in ids {
      // Another process may have assigned a mark to the todo since the caller read the list.
      let isMarked = try hasMark.first(.integer(list), .text(id.text)) { _ in true } ?? false
      guard !isMarked else { continue }
      _ = try assign(to: id, in: list, besides: words, reservedAt: nil)
    }
  }

  /// Reserves marks for todos that have not been added yet.
  func reserve(
    for ids: [TodoID], in list: Int64, at now: Timestamp
  ) throws(TodoError) -> [ReservedMark] {
    let expired = now.milliseconds - Self.reservedDaysMax * 86_400_000
    try forgetReserved.run(.integer(expired))
    let words = try wordsLikeMarks(in: list)
    var reserved: [ReservedMark] = []
    for id in ids {
      let mark = try assign(to: id, in: list, besides: words, reservedAt: now)
      reserved.append(ReservedMark(mark: mark, id: id))
    }
    return reserved
  }

  /// Records that the todo of a reserved mark was added.
  func recordUse(of id: TodoID, in list: Int64) throws(TodoError) {
    try use.run(.integer(list), .text(id.text))
  }

  /// The maximum number of marks to try for a todo. Even a store of a million todos uses only a
  /// thousandth of all marks, so a few attempts find a free mark.
  private static let attemptsMax = 1_000

  private func assign(
    to id: TodoID, in list: Int64, besides words: Set<TodoMark>, reservedAt: Timestamp?
  ) throws(TodoError) -> TodoMark {
    for attempt in 0..<Self.attemptsMax {
      let mark = TodoMark(of: id, attempt: attempt)
      guard !words.contains(mark) else { continue }
      if try add(mark, of: id, in: list, reservedAt: reservedAt) { return mark }
    }
    throw .storage("The store has no free mark for another todo.")
  }

  /// Adds a mark.
  ///
  /// - Returns: `false` if the mark was assigned before, or the todo already has a mark.
  func add(
    _ mark: TodoMark, of id: TodoID, in list: Int64, reservedAt: Timestamp?
  ) throws(TodoError) -> Bool {
    try add.first(
      .text(mark.text), .integer(list), .text(id.text), SQLValue(reservedAt?.milliseconds)
    ) { _ in true } ?? false
  }

  /// Returns the words that follow a `^` in the texts of a list and have the form of a mark. No new
  /// mark may equal such a word, because the word would then be read as the mark.
  private func wordsLikeMarks(in list: Int64) throws(TodoError) -> Set<TodoMark> {
    var words = Set<TodoMark>()
    try textsWithSigns.each([.integer(list)]) { row throws(TodoError) in
      let bytes = Array(row.text(0).utf8)
      for sign in bytes.indices where bytes[sign] == UInt8(ascii: "^") {
        if let mark = TodoMark(bytes[(sign + 1)...].prefix(TodoMark.count)) { words.insert(mark) }
      }
      return true
    }
    return words
  }

  /// Calls `body` with each mark of a list, sorted by mark.
  func each(
    in list: Int64, _ body: (TodoMark, TodoID, Timestamp?) throws(TodoError) -> Void
  ) throws(TodoError) {
    try marks.each([.integer(list)]) { row throws(TodoError) in
      guard let mark = TodoMark(row.text(0)) else { return true }
      let reservedAt = row.isNull(2) ? nil : row.time(2)
      try body(mark, TodoID(row.text(1)), reservedAt)
      return true
    }
  }
}
