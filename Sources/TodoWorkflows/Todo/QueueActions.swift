import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Actions

extension TodoWorkflow {
  /// Somebody asks for an operation, or no longer waits for one.
  enum RequestAction: WorkflowAction {
    typealias WorkflowType = TodoWorkflow

    case perform(ListOperation, OperationToken)
    case load(LoadRequest, OperationToken?)
    case logOut(OperationToken?)
    case cancel(OperationToken)

    func apply(toState state: inout State) -> Output? {
      switch self {
      case .perform(let operation, let token):
        state.queue.add(operation, from: .request, token: token)
      case .load(let request, let token):
        state.queue.add(request, token: token)
        return .reported(state.startDueLoads())
      case .logOut(let token):
        state.queue.add(.logOut, from: .request, token: token)
      case .cancel(let token):
        state.cancel(token)
      }
      return nil
    }
  }

  /// What was asked for has ended.
  struct QueueAction: WorkflowAction {
    typealias WorkflowType = TodoWorkflow

    var output: QueueWorkflow.Output
    var sourceName: String

    func apply(toState state: inout State) -> Output? {
      switch output {
      case .ended(let entry, let result):
        guard let entry = state.queue.end(entry) else { return nil }
        if case .success(.loggedOut) = result { return state.logOut(entry) }
        let ends =
          state.end(entry, result, sourceName) + state.startDueLoads(keepsMessage: true)
        guard case .success(.restored(let restored)) = result, let other = restored.list else {
          return .reported(ends)
        }
        return .changedOther(other, ends)
      case .read(let read, let result):
        guard state.queue.end(read) else { return nil }
        return .reported([OperationEnd(read.token, result.outcome)])
      }
    }
  }
}

extension Result where Success == TodoOutcome, Failure == TodoError {
  fileprivate var outcome: TodoOutcome {
    switch self {
    case .success(let outcome): outcome
    case .failure(let error): .failed(error)
    }
  }
}

extension TodoWorkflow.State {
  /// What only this operation wanted is not done any more.
  fileprivate mutating func cancel(_ token: OperationToken) {
    queue.cancel(token)
    if load.cancel(token) { cancelLoad() }
  }

  fileprivate mutating func end(
    _ entry: QueuedOperation, _ result: Result<ListResult, TodoError>, _ source: String
  ) -> [OperationEnd] {
    if entry.isByPerson { list.selected = nil }
    switch result {
    case .success(.rows(let rows, let total)):
      return apply(rows, total: total, entry: entry, source: source)
    case .success(.reading(let query, let slow)):
      queue.read(query, slow.reader, for: entry)
      return []
    case .success(let result): return entry.end(apply(result, entry))
    case .failure(let error): return show(error, entry)
    }
  }

  fileprivate mutating func logOut(_ entry: QueuedOperation) -> TodoWorkflow.Output {
    var ends: [OperationEnd] = []
    ends += entry.end(.loggedOut)
    for token in load.tokens {
      let error = TodoError(.interrupted, "The load was ended by a log-out.")
      ends.append(OperationEnd(token, .failed(error)))
    }
    ends += queue.tokens.map { OperationEnd($0, .failed(.notLoggedIn)) }
    return .loggedOut(ends)
  }

  private mutating func apply(
    _ rows: TodoRows, total: Int, entry: QueuedOperation, source: String
  ) -> [OperationEnd] {
    let isWanted = list.apply(rows, readBy: entry.operation)
    if !isWanted, !queue.isReadingRows { readRows() }
    if case .success(var summary) = load.request {
      summary.total = total
      load.request = .success(summary)
    }
    let summary = LoadSummary(total: total, isComplete: true, source: source)
    return entry.end(.shown) + answerReaders(.success(summary))
  }

  /// Shows what has changed, and answers what there is to answer.
  private mutating func apply(
    _ result: ListResult, _ entry: QueuedOperation
  ) -> TodoOutcome {
    switch result {
    case .answered(let outcome): return outcome
    case .opened(let todo, let typed):
      step = .edit(TodoWorkflow.OpenEdit(todo: todo, typed: typed))
      return .shown
    case .openedConflict(let sides, let typed):
      step = .conflict(sides, failure: nil, typed: typed)
      return .shown
    case .counts(let counts):
      self.counts = counts
      return .shown
    case .added(let todo):
      show(.added(todo))
      if entry.origin == .editScreen { closeEdit(todo, stays: entry.stays) }
      if entry.origin != .request { list.selected = todo.id }
      return .changed(todo)
    case .edited(let todo):
      show(.changed(todo))
      showEdited(todo, entry)
      return .changed(todo)
    case .removed(let id):
      show(.removed(id))
      markRemoved(id)
      return .removed(id)
    case .restored(let restored):
      restore(restored, entry)
      return .restored(restored)
    case .refreshed(let todo):
      showEdited(todo, entry)
      return .shown
    case .documentSaved(let report):
      if !report.isEmpty { showSaved() }
      return .document(.saved(report))
    case .rows, .reading, .loggedOut: return .shown
    }
  }

  /// Shows what was done in a file: any number of todos.
  private mutating func showSaved() {
    list.clearMessage()
    if hasSource {
      schedule.recordEdit()
      recount()
    }
    load.markOutdated()
    readRows()
  }

  /// Shows what was done here, which is to be sent to the source a while after the last change.
  private mutating func show(_ change: RowChange) {
    list.clearMessage()
    if hasSource {
      schedule.recordEdit()
      recount()
    }
    load.markOutdated()
    let total = list.rows.total
    if !list.show(change) { readRows() }
    if case .success(var summary) = load.request {
      summary.total += list.rows.total - total
      load.request = .success(summary)
    }
  }

  private mutating func restore(_ restored: RestoredTodo, _ entry: QueuedOperation) {
    let done = entry.operation == .redo ? "Redone" : "Undone"
    if let other = restored.list {
      list.notify(.info, "\(done) in \(TodoSource.wireName(of: other)): \(restored.title)")
      return
    }
    if let todo = restored.todo {
      show(.cameBack(todo))
      showEdited(todo, entry)
    } else {
      show(.removed(restored.id))
      markRemoved(restored.id)
    }
    list.notify(.info, "\(done): \(restored.title)")
  }

  /// Closes the screen whose save this was, or tells an open edit what it is based on now.
  private mutating func showEdited(_ todo: Todo, _ entry: QueuedOperation) {
    switch (step, entry.origin) {
    case (.edit, .editScreen): closeEdit(todo, stays: entry.stays)
    case (.conflict, .conflictScreen):
      step = entry.stays ? .edit(TodoWorkflow.OpenEdit(todo: todo)) : .list
    case (.edit(var open), .request), (.edit(var open), .list), (.edit(var open), .refresh),
      (.edit(var open), .conflictScreen):
      guard open.todo.id == todo.id else { return }
      (open.todo, open.isRemoved) = (todo, false)
      step = .edit(open)
    case (.list, _), (.loadFailed, _), (.conflict, .request), (.conflict, .list),
      (.conflict, .refresh), (.conflict, .editScreen):
      break
    }
  }

  /// Goes on from an edit whose text is stored now.
  private mutating func closeEdit(_ todo: Todo, stays: Bool) {
    guard stays, case .edit(let open) = step else {
      step = .list
      return
    }
    step = .edit(TodoWorkflow.OpenEdit(todo: todo, saveCount: open.saveCount + 1))
  }

  /// Tells an open edit that its todo is not there any more.
  private mutating func markRemoved(_ id: TodoID) {
    guard case .edit(var open) = step, open.todo.id == id else { return }
    (open.isRemoved, open.failure) = (true, nil)
    step = .edit(open)
  }

  /// Shows a failure where the operation came from.
  private mutating func show(_ error: TodoError, _ entry: QueuedOperation) -> [OperationEnd] {
    let isFurther =
      switch entry.origin {
      case .request: false
      case .list: show(error, ofList: entry)
      case .editScreen: show(error, ofSave: entry)
      case .conflictScreen: show(error, ofDecision: entry)
      case .refresh: show(error, ofRefresh: entry)
      }
    var ends = entry.end(isFurther ? .shown : .failed(error))
    if entry.isReadingRows { ends += answerReaders(.failure(error)) }
    return ends
  }

  // Each returns whether a screen was opened that continues the operation.

  private mutating func show(_ error: TodoError, ofList entry: QueuedOperation) -> Bool {
    // A todo that is gone can be added again with the unsaved text.
    if case .reopen(let text) = entry.operation, error.kind == .notFound {
      step = .edit(TodoWorkflow.OpenEdit(todo: text.goneTodo, isRemoved: true, typed: text))
      return true
    }
    list.notify(.error, error.message)
    if error.kind == .notFound { readRows() }
    return false
  }

  private mutating func show(_ error: TodoError, ofSave entry: QueuedOperation) -> Bool {
    switch step {
    case .list, .conflict, .loadFailed: return false
    case .edit(var open):
      if let conflict = error.conflict {
        step = .conflict(ConflictSides(open.todo.id, conflict), failure: nil)
        return true
      }
      open.failure = error
      step = .edit(open)
      if error.kind == .notFound { markRemoved(open.todo.id) }
      return false
    }
  }

  private mutating func show(_ error: TodoError, ofDecision entry: QueuedOperation) -> Bool {
    switch step {
    case .list, .edit, .loadFailed: return false
    case .conflict(let sides, _, _):
      if let newer = error.conflict {
        step = .conflict(ConflictSides(sides.id, newer), failure: error)
        return true
      }
      step = .conflict(sides, failure: error)
      // A todo that is gone can be added again with the chosen text.
      if case .edit(let id, let edit) = entry.operation, error.kind == .notFound {
        let text = TypedText(
          id: id, version: sides.version,
          form: .edit(FieldChanges(edit.changes.values, fields: .inForm)))
        step = .edit(TodoWorkflow.OpenEdit(todo: text.goneTodo, isRemoved: true, typed: text))
      }
      return false
    }
  }

  private mutating func show(_ error: TodoError, ofRefresh entry: QueuedOperation) -> Bool {
    if case .refresh(let id) = entry.operation, error.kind == .notFound { markRemoved(id) }
    return false
  }
}
