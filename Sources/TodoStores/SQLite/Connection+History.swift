import TodoModel

/// The history of a list: each change of a person is one step, written with the change itself.
extension Connection {
  /// Adds a step and forgets what could be redone. A todo that was added has no `before`.
  func record(
    _ after: Todo, replacing before: StoredTodo?, in list: Int64, session: HistorySession
  ) throws(TodoError) {
    let turn = try nextTurn(of: list)
    try forget(
      "is_undone = 1 AND (session = ?2 OR turn <= ?3)",
      [.integer(session.number), .integer(session.turnsBefore)], in: list)
    let far = HistoryStep.FarSide(
      before?.todo.content ?? after.content, isRemoved: before == nil, from: after.content)
    try run(
      """
      INSERT INTO step (list, sequence, turn, session, name, here, there, is_removed, is_done,
        title, note)
      VALUES (?1, 1 + coalesce((SELECT max(sequence) FROM step WHERE list = ?1), 0),
        ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
      """,
      .integer(list), .integer(turn), .integer(session.number), .text(after.id.text),
      .integer(after.version), .integer(before?.todo.version ?? 0), SQLValue(far.isRemoved),
      SQLValue(far.isDone), SQLValue(far.title), SQLValue(far.note))
    try forget(
      """
      sequence <= (
        SELECT sequence FROM step WHERE list = ?1 ORDER BY sequence DESC LIMIT 1 OFFSET ?2)
      """, [.integer(Int64(undoStepsMax))], in: list)
  }

  /// The step to undo or to redo next.
  func nextStep(
    _ direction: HistoryDirection, in list: Int64, session: HistorySession
  ) throws(TodoError) -> HistoryStep? {
    try first(
      """
      SELECT sequence, name, here, there, is_removed, is_done, title, note FROM step
      WHERE list = ? AND is_undone = ? AND (session = ? OR turn <= ?) ORDER BY turn DESC LIMIT 1
      """,
      [
        .integer(list), SQLValue(direction == .redo), .integer(session.number),
        .integer(session.turnsBefore),
      ]
    ) { row in
      HistoryStep(
        sequence: row.integer(0), id: TodoID(row.text(1)), here: row.integer(2),
        there: row.integer(3),
        far: HistoryStep.FarSide(
          isRemoved: row.flag(4), isDone: row.flag(5), title: row.optionalText(6),
          note: row.optionalText(7)))
    }
  }

  /// Turns a step round, after the todo has gone from `before` to `after`.
  func turn(
    _ step: HistoryStep, _ direction: HistoryDirection, from before: StoredTodo,
    to after: StoredTodo, in list: Int64, session: HistorySession
  ) throws(TodoError) {
    // What the todo was at `there` it is again, under a new number.
    try run(
      """
      UPDATE step SET
        here = CASE here WHEN ?3 THEN ?4 ELSE here END,
        there = CASE there WHEN ?3 THEN ?4 ELSE there END
      WHERE list = ?1 AND name = ?2 AND (here = ?3 OR there = ?3)
      """,
      .integer(list), .text(step.id.text), .integer(step.there), .integer(after.todo.version))
    let far = HistoryStep.FarSide(
      before.todo.content, isRemoved: before.isRemoved, from: after.todo.content)
    try run(
      """
      UPDATE step SET turn = ?, session = ?, is_undone = ?, here = ?, there = ?, is_removed = ?,
        is_done = ?, title = ?, note = ?
      WHERE list = ? AND sequence = ?
      """,
      .integer(nextTurn(of: list)), .integer(session.number), SQLValue(direction == .undo),
      .integer(after.todo.version), .integer(before.todo.version), SQLValue(far.isRemoved),
      SQLValue(far.isDone), SQLValue(far.title), SQLValue(far.note), .integer(list),
      .integer(step.sequence))
  }

  func forget(_ step: HistoryStep, in list: Int64) throws(TodoError) {
    try forget("sequence = ?2", [.integer(step.sequence)], in: list)
  }

  /// The count of changes, undos and redos in a list.
  func turn(of list: TodoListKey) throws(TodoError) -> Int64 {
    try first(
      "SELECT turn FROM list WHERE profile = ? AND source = ?",
      [.text(list.profile), .text(list.source)]
    ) { row in row.integer(0) } ?? 0
  }

  private func nextTurn(of list: Int64) throws(TodoError) -> Int64 {
    try first("UPDATE list SET turn = turn + 1 WHERE id = ? RETURNING turn", [.integer(list)]) {
      row in row.integer(0)
    } ?? 0
  }

  /// Deletes steps, and the removed todos that no step can bring back any more.
  private func forget(
    _ condition: String, _ values: [SQLValue], in list: Int64
  ) throws(TodoError) {
    let names = try all(
      "DELETE FROM step WHERE list = ?1 AND \(condition) RETURNING name",
      [.integer(list)] + values
    ) { row in row.text(0) }
    for name in names {
      // A removed todo that has a source stays, so that a load does not bring it back.
      try run(
        """
        DELETE FROM todo WHERE list = ?1 AND name = ?2 AND is_removed = 1
          AND origin_number IS NULL
          AND NOT EXISTS (SELECT 1 FROM step WHERE list = ?1 AND name = ?2)
        """, .integer(list), .text(name))
    }
  }
}
