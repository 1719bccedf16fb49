import SQLiteDatabase
import TodoModel

/// The migration of the history to the log of changes. Before schema version 10, the table `step`
/// contained the steps that could be undone, and `todo_version` the earlier contents of todos.
///
/// Each earlier content of a todo becomes a change: the replacement of this content with the next
/// content. The column `there` of a step contains the version before the step. A step is converted
/// in one of these ways:
/// - If the content of the version before the step is stored, the step belongs to the change that
///   replaced this content.
/// - If this content is not stored, but the step led to the oldest known version of the todo, the
///   step becomes a change of its own.
/// - Any other step is dropped.
///
/// Each change gets the time of the last change of its todo. The author of a change is the user if
/// the change has a step or the list has no source. Otherwise, the author is the source.
struct LogUpdate {
  private let connection: Connection
  private let find: Statement
  private let insert: Statement

  init(over connection: Connection) {
    self.connection = connection
    find = Statement(
      """
      SELECT title, is_done, coalesce((
        SELECT note FROM todo_version AS later
        WHERE later.todo = this.todo AND later.version >= this.version AND note IS NOT NULL
        ORDER BY later.version LIMIT 1
      ), (SELECT text FROM note WHERE note.todo = this.todo))
      FROM todo_version AS this WHERE todo = ?1 AND version = ?2
      UNION ALL
      SELECT title, is_done, text FROM todo JOIN note ON note.todo = todo.id
      WHERE todo.id = ?1 AND todo.version = ?2 LIMIT 1
      """, on: connection)
    insert = Statement(
      """
      INSERT INTO change (list, entry, version, at, who, session, what, before, reversal,
        ordinal, byte_start, byte_end)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, on: connection)
  }

  func moveHistory() throws(TodoError) {
    try connection.execute(TodoSchema.changeTable)
    let lists = try Statement("SELECT id, source FROM list ORDER BY id", on: connection).all {
      row in (number: row.integer(0), hasSource: !row.text(1).isEmpty)
    }
    for list in lists {
      let changes = try changes(of: list.number)
      try append(changes, to: list.number, otherAuthor: list.hasSource ? .source : .local)
    }
    try connection.execute(
      "DROP TABLE step; DROP TABLE todo_version; ALTER TABLE list DROP COLUMN turn")
  }

  // MARK: Reading

  /// Returns the changes of a list in order.
  private func changes(of list: Int64) throws(TodoError) -> [OldChange] {
    let steps = try steps(of: list)
    let all = try todos(of: list).flatMap { $0.changes(with: steps[$0.row] ?? []) }
    let additions = all.filter { $0.place == nil }.sorted { $0.stepNumber < $1.stepNumber }
    let others = all.filter { $0.place != nil }.sorted { ($0.place ?? 0) < ($1.place ?? 0) }
    // `additions` are the changes of which only the step is stored. Only the step numbers show
    // their order among the other changes.
    var changes: [OldChange] = []
    var rest = additions[...]
    for change in others {
      while let first = rest.first,
        first.stepNumber < change.stepNumber
          || rest.contains(where: { $0.todo.row == change.todo.row })
      { changes.append(rest.removeFirst()) }
      changes.append(change)
    }
    return changes + rest
  }

  /// Returns the steps of each todo, newest first.
  private func steps(of list: Int64) throws(TodoError) -> [Int64: [OldStep]] {
    let steps = try Statement(
      """
      SELECT todo.id, turn, session, is_undone, here, there, step.is_removed, step.is_done,
        step.title, step.note
      FROM step JOIN todo ON todo.list = step.list AND todo.name = step.name
      WHERE step.list = ? ORDER BY turn DESC
      """, on: connection
    ).all(.integer(list)) { row in
      (
        todo: row.integer(0),
        step: OldStep(
          stepNumber: row.integer(1), session: row.integer(2), isUndone: row.flag(3),
          versionAfter: row.integer(4), versionBefore: row.integer(5),
          wasRemovedBefore: row.flag(6),
          wasDoneBefore: row.flag(7), title: row.optionalText(8), note: row.optionalText(9))
      )
    }
    return Dictionary(grouping: steps, by: \.todo).mapValues { $0.map(\.step) }
  }

  /// Returns the todos of a list that have a history.
  private func todos(of list: Int64) throws(TodoError) -> [OldTodo] {
    let versions = try Statement(
      """
      SELECT todo, version, sequence, is_done FROM todo_version WHERE list = ?
      ORDER BY todo, version
      """, on: connection
    ).all(.integer(list)) { row in
      (todo: row.integer(0), version: row.integer(1), place: row.integer(2), isDone: row.flag(3))
    }
    let byTodo = Dictionary(grouping: versions, by: \.todo)
    return try Statement(
      """
      SELECT id, name, version, is_removed, updated_at, is_done FROM todo WHERE list = ?
      ORDER BY id
      """, on: connection
    ).all(.integer(list)) { row in
      var todo = OldTodo(
        row: row.integer(0), id: TodoID(row.text(1)), version: row.integer(2),
        isRemoved: row.flag(3), updatedAt: row.time(4), wasDoneFirst: row.flag(5))
      let known = (byTodo[todo.row] ?? []).filter { $0.version < todo.version }
      if let first = known.first { todo.wasDoneFirst = first.isDone }
      let next = known.dropFirst().map(\.version) + [todo.version]
      todo.changes = zip(known, next).map { known, next in
        OldChange(todo: todo, from: known.version, to: next, place: known.place)
      }
      return todo
    }
  }

  // MARK: Writing

  private func append(
    _ changes: [OldChange], to list: Int64, otherAuthor: ChangeAuthor
  ) throws(TodoError) {
    var (ordinal, byteEnd): (Int64, Int64) = (0, 0)
    for old in changes {
      guard let change = try change(old) else { continue }
      let before = change.before.text
      let start = byteEnd
      byteEnd += ChangeLog.byteCount(of: change, before)
      ordinal += 1
      try insert.run(
        .integer(list), .text(EntryID.todo(change.id).text), .integer(change.version),
        .integer(old.todo.updatedAt.milliseconds),
        .text((old.step == nil ? otherAuthor : .local).rawValue), SQLValue(old.step?.session),
        .text(change.kind.rawValue), .text(before),
        SQLValue(old.step.map { ($0.isUndone ? HistoryDirection.redo : .undo).rawValue }),
        .integer(ordinal), .integer(start), .integer(byteEnd))
    }
  }

  private func change(_ old: OldChange) throws(TodoError) -> Change? {
    var fields: [ContentField] = []
    var before = TodoContent(title: "", note: "", isDone: false)
    if let step = old.step, old.place == nil {
      if old.from != 0 { (before, fields) = step.content(isDone: old.isDone) }
    } else {
      guard let after = try content(of: old.todo.row, at: old.to),
        let earlier = try content(of: old.todo.row, at: old.from)
      else { return nil }
      (before, fields) = (earlier, after.fields(differingFrom: earlier))
    }
    let isMoved = old.wasRemoved != old.isRemoved
    let kind: ChangeKind =
      if old.from == 0 {
        .add
      } else if isMoved {
        old.isRemoved ? .remove : .restore
      } else {
        fields == [.done] ? .done : .edit
      }
    return Change(
      id: old.todo.id, version: old.to, kind: kind,
      before: ReverseDifference(
        version: old.from, isRemoved: isMoved ? old.wasRemoved : nil, fields: fields,
        content: before),
      retainedBytes: kind == .remove ? before.byteCount : 0)
  }

  private func content(of todo: Int64, at version: Int64) throws(TodoError) -> TodoContent? {
    try find.first(.integer(todo), .integer(version)) { row in
      TodoContent(title: row.text(0), note: row.text(2), isDone: row.flag(1))
    }
  }
}

// MARK: The old tables

/// A todo with its stored changes, oldest first.
private struct OldTodo {
  var row: Int64
  var id: TodoID
  var version: Int64
  var isRemoved: Bool
  var updatedAt: Timestamp
  /// Whether the todo was done in its oldest stored content.
  var wasDoneFirst: Bool
  var changes: [OldChange] = []
}

/// A change from one version to the next.
private struct OldChange {
  var todo: OldTodo
  /// The version before the change; 0 if the todo did not exist.
  var from: Int64
  var to: Int64
  var step: OldStep?
  var wasRemoved = false
  var isRemoved = false
  /// The sequence number of the earlier content in the table `todo_version`; `nil` if this content
  /// is not stored, so that only the step is known.
  var place: Int64?
  /// Whether the todo was done after the change. Only used if `place` is `nil`.
  var isDone = false

  /// The number of the step in the history; 0 if there is no step.
  var stepNumber: Int64 { step?.stepNumber ?? 0 }
}

private struct OldStep {
  var stepNumber: Int64
  var session: Int64
  var isUndone: Bool
  /// The version of the todo after the newest change of this step. The changes of a step are the
  /// user's change, and each undo and redo of it.
  var versionAfter: Int64
  /// The version of the todo before the newest change of this step (see `versionAfter`).
  var versionBefore: Int64
  var wasRemovedBefore: Bool
  var wasDoneBefore: Bool
  /// The title and the note before the change; `nil` if the change did not alter them.
  var title: String?
  var note: String?

  /// Returns the content before the change, and the fields that the change altered.
  ///
  /// - Parameter isDone: Whether the todo was done after the change.
  func content(isDone: Bool) -> (TodoContent, [ContentField]) {
    let content = TodoContent(title: title ?? "", note: note ?? "", isDone: wasDoneBefore)
    let isAltered = [title != nil, note != nil, isDone != wasDoneBefore]
    return (content, zip([.title, .note, .done], isAltered).filter(\.1).map(\.0))
  }
}

extension OldTodo {
  /// Returns all changes of the todo, oldest first, each with its undo step (if any), `wasRemoved`
  /// and `isRemoved`. Includes older changes of which only the step is stored.
  fileprivate func changes(with all: [OldStep]) -> [OldChange] {
    let steps = Dictionary(all.map { ($0.versionBefore, $0) }) { first, _ in first }
    var (changes, isDone) = (changes, wasDoneFirst)
    var oldest = changes.first?.from ?? version
    // The step that led to the oldest stored content contains the previous content.
    while oldest > 0,
      let step = all.first(where: { $0.versionAfter == oldest && $0.versionBefore < oldest })
        ?? (oldest == 1 ? steps[0] : nil)
    {
      changes.insert(
        OldChange(todo: self, from: step.versionBefore, to: oldest, isDone: isDone), at: 0)
      (oldest, isDone) = (step.versionBefore, step.wasDoneBefore)
    }
    var isRemoved = false
    for index in changes.indices {
      let step = steps[changes[index].from]
      let next = index + 1 < changes.count ? steps[changes[index].to] : nil
      changes[index].step = step
      changes[index].wasRemoved = step?.wasRemovedBefore ?? isRemoved
      if index + 1 == changes.count {
        isRemoved = self.isRemoved
      } else if let next {
        isRemoved = next.wasRemovedBefore
      } else if changes[index].wasRemoved, step != nil {
        isRemoved = false
      }
      changes[index].isRemoved = isRemoved
    }
    return changes
  }
}
