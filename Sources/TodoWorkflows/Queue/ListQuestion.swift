import TodoModel

/// A read of a list that does not affect the screens.
package enum ListQuestion: Sendable, Equatable {
  case todo(TodoID)
  /// A page of the todos that are in conflict with the source.
  case conflicts(offset: Int, limit: Int?)
  /// The conflict between one todo and its source.
  case conflict(TodoID)
  /// The changes that a sync would send.
  case plan
  /// A page of the removed todos.
  case removed(offset: Int, limit: Int?)
}

/// The answer to a `ListQuestion`.
package enum ListAnswer: Sendable, Equatable {
  case todo(Todo)
  case conflicts(ConflictPage)
  /// The conflict between a todo and its source; `nil` if the todo is not in conflict.
  case conflict(SourceConflict?)
  case planned([PlannedWrite])
  case removed(RemovedPage)
  /// The drafts of ended processes, newest first.
  case drafts([StoredDraft])
}

extension ListQuestion {
  func answer(
    from reads: any LocalReads, of store: any TodoStore, in list: TodoListKey
  ) throws(TodoError) -> ListAnswer {
    switch self {
    case .todo(let id): return .todo(try reads.todo(id, in: list))
    case .conflicts(let offset, let limit):
      return .conflicts(try page(of: store.journal, offset, limit, in: list))
    case .conflict(let id): return .conflict(try store.journal?.conflict(of: id, in: list))
    case .plan: return .planned(try store.journal?.plan(for: list) ?? [])
    case .removed(let offset, let limit):
      guard let removed = store.removedTodos else { throw .noRemovedTodos }
      return .removed(
        RemovedPage(try removed.removedTodos(in: list), offset: offset, limit: limit))
    }
  }

  private func page(
    of journal: (any SyncJournal)?, _ offset: Int, _ limit: Int?, in list: TodoListKey
  ) throws(TodoError) -> ConflictPage {
    let limit = min(limit ?? ConflictPage.limitMax, ConflictPage.limitMax)
    let found = try journal?.conflicts(offset: offset, limit: limit, in: list)
    return ConflictPage(conflicts: found?.conflicts ?? [], total: found?.total ?? 0)
  }
}
