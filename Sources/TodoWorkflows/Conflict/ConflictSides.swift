import TodoModel

/// The sides of a conflict: the todo was changed by the user, and by another client or its source.
struct ConflictSides: Sendable, Equatable {
  var id: TodoID
  var merge: Merge
  /// The stored version that the resolution replaces.
  var version: Int64
  var isWithSource: Bool

  /// Creates the sides of an edit that is in conflict with an edit of another client.
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

  /// Creates the sides of an edit whose base is not known, so that every field that differs is in
  /// conflict.
  init(edit: TodoContent, of todo: Todo) {
    self.init(
      todo.id,
      TodoConflict(base: nil, mine: edit, theirs: todo.content, theirVersion: todo.version))
  }

  /// Returns the sides of the same edit and a newer version of the todo.
  func against(_ todo: Todo) -> ConflictSides {
    ConflictSides(
      id,
      TodoConflict(
        base: merge.base, mine: merge.mine, theirs: todo.content, theirVersion: todo.version))
  }
}
