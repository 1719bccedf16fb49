import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Actions

extension TodoWorkflow {
  /// A client's request to begin or cancel an operation.
  enum RequestAction: WorkflowAction {
    typealias WorkflowType = TodoWorkflow

    case perform(ListOperation, OperationToken)
    case reopen(FormText, OperationToken?)
    case load(LoadRequest, OperationToken?)
    case logOut(OperationToken?)
    case cancel(OperationToken)

    func apply(toState state: inout State) -> Output? {
      switch self {
      case .perform(let operation, let token):
        state.queue.add(operation, from: .request, token: token)
      case .reopen(let text, let token):
        state.queue.add(.reopen(text), from: .list, token: token)
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

  /// The end of an operation in the queue, or of a `BackgroundRead`.
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
        return .changedOtherList(other, ends)
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
  /// Cancels an operation. Also cancels the load if no other operation needs it.
  fileprivate mutating func cancel(_ token: OperationToken) {
    queue.cancel(token)
    if load.cancel(token) { cancelLoad() }
  }

  fileprivate mutating func end(
    _ entry: QueuedOperation, _ result: Result<ListResult, TodoError>, _ source: String
  ) -> [OperationEnd] {
    switch result {
    case .success(.rows(let rows, let total)):
      return apply(rows, total: total, entry: entry, source: source)
    case .success(.reading(let query, let slow)):
      queue.read(query, slow.reader, for: entry)
      return []
    case .success(let result):
      let outcome = apply(result, entry)
      return entry.end(outcome, saved: savedBase(entry))
    case .failure(let error): return show(error, entry)
    }
  }

  /// Returns the new base for text that the user typed during a save; `nil` if the form does not
  /// stay open.
  private func savedBase(_ entry: QueuedOperation) -> FormBase? {
    guard entry.stays, entry.origin == .editScreen, case .edit(let form) = step else { return nil }
    return form.lastSave?.base
  }

  fileprivate mutating func logOut(_ entry: QueuedOperation) -> TodoWorkflow.Output {
    var ends: [OperationEnd] = []
    ends += entry.end(.loggedOut)
    for token in load.tokens {
      let error = TodoError(.interrupted, "The load was ended by a logout.")
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

  /// Applies the result of an operation to the screens, and returns its outcome.
  private mutating func apply(
    _ result: ListResult, _ entry: QueuedOperation
  ) -> TodoOutcome {
    switch result {
    case .answered(let outcome): return outcome
    case .opened(let todo, let restored):
      open(todo, restored)
      return .shown
    case .openedConflict(let sides, let restored):
      open(sides, restored)
      return .shown
    case .openedRemoved(let restored, let todo, let base):
      openRemoved(restored, todo, base)
      return .shown
    case .removedTodos(let todos, let opens):
      show(todos, opens: opens)
      return .shown
    case .reappeared(let todo):
      showRestored(todo, entry)
      return .changed(todo)
    case .forgotten(let id):
      showForgotten(id, entry)
      return .forgotten(id)
    case .openedDrafts(let choice):
      step = .drafts(choice)
      return .shown
    case .drafted(let todos, let isFirst):
      var discarded: [Int64] = []
      if case .discardDrafts(let numbers) = entry.operation { discarded = numbers }
      show(todos, isFirst: isFirst, discarded: discarded)
      return .shown
    case .counts(let counts):
      self.counts = counts
      return .shown
    case .added(let todo):
      if entry.origin != .request { list.reveal(todo.id) }
      show([.added(todo)])
      if entry.origin == .editScreen { closeForm(todo, stays: entry.stays) }
      return .changed(todo)
    case .edited(let todo, let edit):
      show([.changed(todo)])
      showEdited(todo, by: edit, entry)
      return .changed(todo)
    case .removed(let id):
      show([.removed(id)])
      markRemoved(id)
      return .removed(id)
    case .moved(let todo):
      list.clearMessage()
      if entry.origin == .list { list.reveal(todo.id) }
      readRows()
      return .changed(todo)
    case .changedAll(let todos, let change):
      show(todos, after: change, entry)
      return .shown
    case .restored(let restored):
      restore(restored, entry)
      return .restored(restored)
    case .refreshed(let todo, let conflict):
      refresh(todo, conflict)
      return .shown
    case .refreshedRemoved(let id, let last):
      markRemoved(id, last)
      return .shown
    case .documentSaved(let report):
      if !report.isEmpty { showSaved() }
      return .document(.saved(report))
    case .rows, .reading, .loggedOut: return .shown
    }
  }

  /// Updates the list after a document (a Markdown file that shows the list) was saved. Such a save
  /// can change many todos.
  private mutating func showSaved() {
    list.clearMessage()
    if hasSource { schedule.recordEdit() }
    recount()
    load.markOutdated()
    readRows()
    readRemoved()
  }

  private mutating func show(
    _ todos: [Todo], after change: GroupChange, _ entry: QueuedOperation
  ) {
    switch change {
    case .remove:
      show(todos.map { .removed($0.id) })
      for todo in todos { markRemoved(todo.id) }
    case .toggle, .adjust:
      show(todos.map { .changed($0) })
      for todo in todos { showEdited(todo, entry) }
    }
  }

  /// Shows a local change in the list. If the list has a source, the schedule sends the change
  /// later.
  mutating func show(_ change: RowChange) { show([change]) }

  private mutating func show(_ changes: [RowChange]) {
    list.clearMessage()
    if hasSource { schedule.recordEdit() }
    recount()
    load.markOutdated()
    readRemoved()
    if changes.contains(where: list.changesDraftRow) { readDrafts() }
    let total = list.rows.total
    var isShown = true
    for change in changes { isShown = list.show(change) && isShown }
    if !isShown { readRows() }
    if case .success(var summary) = load.request {
      summary.total += list.rows.total - total
      load.request = .success(summary)
    }
  }

  private mutating func restore(_ restored: RestoredTodo, _ entry: QueuedOperation) {
    let done = entry.operation == .redo ? "Redone" : "Undone"
    if let other = restored.list {
      list.notify(.info, "\(done) in \(TodoSource.wireName(of: other)): \(restored.summary)")
      return
    }
    if let todo = restored.todo, entry.origin == .list {
      let bringsBack =
        switch restored.change {
        case .add, .restore: entry.operation == .redo
        case .remove: entry.operation != .redo
        case .edit, .done, .move: false
        }
      if bringsBack { list.reveal(todo.id) }
    }
    let all = restored.all
    if restored.change == .move { readRows() }
    show(all.map { restored in restored.todo.map { .reappeared($0) } ?? .removed(restored.id) })
    for restored in all {
      if let todo = restored.todo { showEdited(todo, entry) } else { markRemoved(restored.id) }
    }
    list.notify(.info, "\(done): \(restored.summary)")
  }

  /// Shows an error on the screen from which the operation came, and returns the outcomes to
  /// report.
  private mutating func show(_ error: TodoError, _ entry: QueuedOperation) -> [OperationEnd] {
    let outcome =
      switch entry.origin {
      case .request: TodoOutcome.failed(error)
      case .list: show(error, ofList: entry)
      case .editScreen: show(error, ofSave: entry)
      case .conflictScreen: show(error, ofDecision: entry)
      case .removedScreen: show(error, ofRemoved: entry)
      case .refresh: show(error, ofRefresh: entry)
      }
    var ends = entry.end(outcome)
    if entry.isReadingRows { ends += answerReaders(.failure(error)) }
    return ends
  }

  private mutating func show(_ error: TodoError, ofList entry: QueuedOperation) -> TodoOutcome {
    if case .openDraft = entry.operation { step = .list }
    list.notify(.error, error.message)
    if error.kind == .notFound { readRows() }
    return .failed(error)
  }
}
