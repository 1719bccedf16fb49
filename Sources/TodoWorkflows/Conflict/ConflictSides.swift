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
    merge = Merge(base: conflict.base, mine: conflict.mine, theirs: conflict.theirs)
    version = conflict.theirVersion
    isWithSource = false
  }

  init(_ conflict: SourceConflict) {
    id = conflict.id
    merge = conflict.merge
    version = conflict.version
    isWithSource = true
  }

  /// Creates the sides of a conflict whose base is unknown. Every field that differs is in
  /// conflict.
  init(edit: TodoContent, of todo: Todo) {
    self.init(
      todo.id,
      TodoConflict(base: nil, mine: edit, theirs: todo.content, theirVersion: todo.version))
  }

  /// Returns the sides of a conflict between the same edit and a newer version of the todo.
  func against(_ todo: Todo) -> ConflictSides {
    ConflictSides(
      id,
      TodoConflict(
        base: merge.base, mine: merge.mine, theirs: todo.content, theirVersion: todo.version))
  }
}
