import SQLiteDatabase
import TodoModel

/// The history of a list: each change of a person is one step, written with the change itself.
final class History {
  private unowned let connection: Connection
  private lazy var add = Statement(
    """
    INSERT INTO step (list, sequence, turn, session, name, here, there, is_removed, is_done,
      title, note)
    VALUES (?1, 1 + coalesce((SELECT max(sequence) FROM step WHERE list = ?1), 0),
      ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
    """, on: connection)
  private lazy var next = Statement(
    """
    SELECT sequence, name, here, there, is_removed, is_done, title, note FROM step
    WHERE list = ? AND is_undone = ? AND (session = ? OR turn <= ?) ORDER BY turn DESC LIMIT 1
    """, on: connection)
  private lazy var lastOfTodo = Statement(
    """
    SELECT sequence, name, here, there, is_removed, is_done, title, note FROM step
    WHERE list = ? AND is_undone = 0 AND session = ? AND name = ? ORDER BY turn DESC LIMIT 1
    """, on: connection)
  private lazy var renumber = Statement(
    """
    UPDATE step SET
      here = CASE here WHEN ?3 THEN ?4 ELSE here END,
      there = CASE there WHEN ?3 THEN ?4 ELSE there END
    WHERE list = ?1 AND name = ?2 AND (here = ?3 OR there = ?3)
    """, on: connection)
  private lazy var turnRound = Statement(
    """
    UPDATE step SET turn = ?, session = ?, is_undone = ?, here = ?, there = ?, is_removed = ?,
      is_done = ?, title = ?, note = ?
    WHERE list = ? AND sequence = ?
    """, on: connection)
  private lazy var turn = Statement(
    "SELECT turn FROM list WHERE profile = ? AND source = ?", on: connection)
  private lazy var nextTurn = Statement(
    "UPDATE list SET turn = turn + 1 WHERE id = ? RETURNING turn", on: connection)
  private lazy var forgetOne = Statement(
    "DELETE FROM step WHERE list = ? AND sequence = ? RETURNING name", on: connection)
  private lazy var forgetUndone = Statement(
    """
    DELETE FROM step WHERE list = ? AND is_undone = 1 AND (session = ? OR turn <= ?)
    RETURNING name
    """, on: connection)
  /// After such a number there would be none, and nothing could be recorded any more.
  private lazy var forgetStrange = Statement(
    "DELETE FROM step WHERE list = ? AND sequence > \(Row.numberMax)", on: connection)
  private lazy var forgetOld = Statement(
    """
    DELETE FROM step WHERE list = ?1 AND sequence <= (
      SELECT sequence FROM step WHERE list = ?1 ORDER BY sequence DESC LIMIT 1 OFFSET ?2)
    RETURNING name
    """, on: connection)
  /// A removed todo that its source still has stays, so that a load does not bring it back.
  private lazy var deleteForgotten = Statement(
    """
    DELETE FROM todo WHERE list = ?1 AND name = ?2 AND is_removed = 1
      AND (remote_key IS NULL AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.todo = todo.id)
        OR sync = 'synced')
      AND NOT EXISTS (SELECT 1 FROM step WHERE list = ?1 AND name = ?2)
    """, on: connection)

  init(over connection: Connection) { self.connection = connection }

  /// Adds a step and forgets what could be redone. A todo that was added has no `before`.
  func record(
    _ after: Todo, replacing before: StoredTodo?, in list: Int64, session: HistorySession
  ) throws(TodoError) {
    let turn = try nextTurn(of: list)
    try clean(
      forgetUndone.all(
        .integer(list), .integer(session.number), .integer(session.turnsBefore), read: name(of:)),
      in: list)
    try forgetStrange.run(.integer(list))
    let far = HistoryStep.FarSide(
      before?.todo.content ?? after.content, isRemoved: before == nil, from: after.content)
    try add.run(
      .integer(list), .integer(turn), .integer(session.number), .text(after.id.text),
      .integer(after.version), .integer(before?.todo.version ?? 0), SQLValue(far.isRemoved),
      SQLValue(far.isDone), SQLValue(far.title), SQLValue(far.note))
    try clean(
      forgetOld.all(.integer(list), .integer(Int64(undoStepsMax)), read: name(of:)), in: list)
  }

  /// The step to undo or to redo next.
  func nextStep(
    _ direction: HistoryDirection, in list: Int64, session: HistorySession
  ) throws(TodoError) -> HistoryStep? {
    try next.first(
      .integer(list), SQLValue(direction == .redo), .integer(session.number),
      .integer(session.turnsBefore)
    ) { row in Self.step(row) }
  }

  /// The change of one todo that was made last in a session.
  func lastStep(
    of id: TodoID, in list: Int64, session: HistorySession
  ) throws(TodoError) -> HistoryStep? {
    try lastOfTodo.first(
      .integer(list), .integer(session.number), .text(id.text)
    ) { row in Self.step(row) }
  }

  private static func step(_ row: Row) -> HistoryStep {
    HistoryStep(
      sequence: row.integer(0), id: TodoID(row.text(1)), here: row.integer(2),
      there: row.integer(3),
      far: HistoryStep.FarSide(
        isRemoved: row.flag(4), isDone: row.flag(5), title: row.optionalText(6),
        note: row.optionalText(7)))
  }

  /// Turns a step round, after the todo has gone from `before` to `after`.
  func turn(
    _ step: HistoryStep, _ direction: HistoryDirection, from before: StoredTodo,
    to after: StoredTodo, in list: Int64, session: HistorySession
  ) throws(TodoError) {
    // What the todo was at `there` it is again, under a new number.
    try renumber.run(
      .integer(list), .text(step.id.text), .integer(step.there), .integer(after.todo.version))
    let far = HistoryStep.FarSide(
      before.todo.content, isRemoved: before.isRemoved, from: after.todo.content)
    try turnRound.run(
      .integer(nextTurn(of: list)), .integer(session.number), SQLValue(direction == .undo),
      .integer(after.todo.version), .integer(before.todo.version), SQLValue(far.isRemoved),
      SQLValue(far.isDone), SQLValue(far.title), SQLValue(far.note), .integer(list),
      .integer(step.sequence))
  }

  func forget(_ step: HistoryStep, in list: Int64) throws(TodoError) {
    try clean(forgetOne.all(.integer(list), .integer(step.sequence), read: name(of:)), in: list)
  }

  /// The count of changes, undos and redos in a list.
  func turn(of list: TodoListKey) throws(TodoError) -> Int64 {
    try turn.first(.text(list.profile), .text(list.source)) { row in row.integer(0) } ?? 0
  }

  private func nextTurn(of list: Int64) throws(TodoError) -> Int64 {
    try nextTurn.first(.integer(list)) { row in row.integer(0) } ?? 0
  }

  private func name(of row: Row) throws(TodoError) -> String { row.text(0) }

  /// Deletes the removed todos that no step can bring back any more.
  private func clean(_ names: [String], in list: Int64) throws(TodoError) {
    for name in names { try deleteForgotten.run(.integer(list), .text(name)) }
  }
}
