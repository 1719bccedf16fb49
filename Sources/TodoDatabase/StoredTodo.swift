import TodoModel

/// A todo as it is kept: what a person sees, and how it stands towards its source.
///
/// The rules of base, mine and theirs are here, as plain functions of values. The three are:
/// - `content`: mine, what the list shows.
/// - `base`: what the source had delivered when the edit here began; nil while nothing differs.
/// - `theirs`: what the source has delivered since, where that is not `base`.
struct StoredTodo {
  /// The database's own number of the todo, which never leaves it.
  var row: Int64
  var todo: Todo
  var place: Int64
  /// Removed here, and kept so that a load does not bring it back.
  var isRemoved: Bool
  var base: TodoContent?
  var theirs: TodoContent?
}

extension StoredTodo {
  /// A person changed the content.
  mutating func edit(to content: TodoContent, at now: Timestamp) {
    keepBase()
    todo.content = content
    todo.version += 1
    todo.updatedAt = now
    settle()
  }

  /// A person removed a todo that its source will deliver again.
  mutating func remove(at now: Timestamp) {
    keepBase()
    isRemoved = true
    todo.version += 1
    todo.updatedAt = now
    settle()
  }

  /// A person brought a removed todo back, where it was.
  mutating func restore(at now: Timestamp) {
    isRemoved = false
    todo.version += 1
    todo.updatedAt = now
    settle()
  }

  /// The source delivered the todo again. What was changed here stays; the delivery is kept beside
  /// it. A new `updatedAt` alone is no change: the source moves it for a mere comment.
  mutating func receive(_ issue: Issue, at place: Int64, now: Timestamp) {
    let delivered = TodoContent(issue)
    self.place = place
    todo.origin = TodoOrigin(url: issue.url, number: issue.number)
    if let base {
      theirs = delivered == base ? nil : delivered
      settle()
    } else if todo.content != delivered {
      todo.content = delivered
      todo.version += 1
      todo.updatedAt = issue.updatedAt ?? now
    }
  }

  private mutating func keepBase() {
    if todo.origin != nil, base == nil { base = todo.content }
  }

  /// Finds the state that follows from the three sides.
  private mutating func settle() {
    guard todo.origin != nil, let base else { return }
    guard !isRemoved else {
      todo.sync = .pending
      return
    }
    let mine = todo.content
    // Back at the base means that nothing is left to push; the next load brings what is new.
    if mine == theirs ?? base || mine == base {
      self.base = nil
      theirs = nil
      todo.sync = .synced
    } else if let theirs, Self.bothChanged(base: base, mine: mine, theirs: theirs) {
      todo.sync = .conflict
    } else {
      todo.sync = .pending
    }
  }

  /// Whether some field was changed on both sides, to different ends.
  private static func bothChanged(
    base: TodoContent, mine: TodoContent, theirs: TodoContent
  ) -> Bool {
    func differ(_ field: (TodoContent) -> String) -> Bool {
      let (mine, theirs, base) = (field(mine), field(theirs), field(base))
      return !mine.hasSameBytes(as: base) && !theirs.hasSameBytes(as: base)
        && !mine.hasSameBytes(as: theirs)
    }
    // `isDone` has two values only: changed on both sides, both sides agree.
    return differ(\.title) || differ(\.note)
  }
}
