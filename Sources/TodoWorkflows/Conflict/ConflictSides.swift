import TodoModel

/// A todo that two have changed: somebody else here, or its source.
struct ConflictSides: Sendable, Equatable {
  var id: TodoID
  var merge: Merge
  /// What the decision is made on.
  var version: Int64
  var isWithSource: Bool

  /// An edit has met another one.
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
}
