import TodoModel

/// The sides of a conflict: the user's change of a todo, and a change by another client or the
/// source.
struct ConflictSides: Sendable, Equatable {
  var id: TodoID
  var merge: Merge
  /// The stored version of the todo, which the resolution replaces.
  var version: Int64
  var isWithSource: Bool

  /// Creates the sides of a conflict between an edit of the user and an edit by another client.
  init(_ id: TodoID, _ conflict: TodoConflict) {
    self.id = id
    merge = Merge(
      base: conflict.base, mine: conflict.mine, theirs: conflict.theirs,
      changed: conflict.changedBack)
    version = conflict.theirVersion
    isWithSource = false
  }

  init(_ conflict: SourceConflict) {
    id = conflict.id
    merge = conflict.merge
    version = conflict.version
    isWithSource = true
  }

  /// Creates the sides of a conflict between an edit and the stored todo.
  ///
  /// - Parameter base: The content that the user has edited; `nil` if it is unknown. Every field
  ///   that differs is then in conflict.
  init(base: TodoContent? = nil, edit: TodoContent, of todo: Todo) {
    self.init(
      todo.id,
      TodoConflict(base: base, mine: edit, theirs: todo.content, theirVersion: todo.version))
  }

  /// Returns the sides of a conflict between the same edit and a newer version of the todo.
  func against(_ theirs: TodoContent, version: Int64) -> ConflictSides {
    let newer = Merge(
      base: merge.base, mine: merge.mine, theirs: theirs, changed: merge.changedBack)
    return ConflictSides(id, TodoConflict(newer, theirVersion: version))
  }
}
