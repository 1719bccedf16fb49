import ScreenModel
import TodoModel
import WorkflowRuntime

// MARK: Actions

extension TodoWorkflow {
  /// Somebody asks for an operation, or no longer waits for one.
  enum RequestAction: WorkflowAction {
    typealias WorkflowType = TodoWorkflow

    case perform(ListOperation, OperationToken)
    case logOut(OperationToken?)
    case cancel(OperationToken)

    func apply(toState state: inout State) -> Output? {
      switch self {
      case .perform(let operation, let token):
        state.enqueue(operation, from: .request, token: token)
      case .logOut(let token):
        state.enqueue(.logOut, from: .request, token: token)
      case .cancel(let token):
        state.cancel(token)
      }
      return nil
    }
  }

  /// The store has carried out an operation, or has not.
  struct OperationAction: WorkflowAction {
    typealias WorkflowType = TodoWorkflow

    var entry: QueuedOperation
    var result: Result<ListResult, TodoError>
    var sourceName: String

    func apply(toState state: inout State) -> Output? {
      guard state.queue.first?.number == entry.number else { return nil }
      // Taken from the queue as it is now: nobody may wait for it any more.
      let entry = state.queue.removeFirst()
      if entry.isByPerson { state.list.selected = nil }
      switch result {
      case .success(.loggedOut): return state.logOut(entry)
      case .success(.rows(let rows, let total)):
        return state.take(rows, total: total, entry: entry, source: sourceName)
      case .success(.reading(let query, let slow)):
        state.read(query, slow.reader, for: entry)
        return nil
      case .success(let result):
        return .told(entry.end(state.take(result, entry)))
      case .failure(let error): return state.take(error, entry)
      }
    }
  }
}

extension QueuedOperation {
  fileprivate var isReadingRows: Bool { if case .rows = operation { true } else { false } }
  fileprivate var isByPerson: Bool { !isReadingRows && operation != .counts }

  /// What whoever waits is told. Who pressed something sees on the screens what came of it.
  fileprivate func end(_ outcome: TodoOutcome) -> [OperationEnd] {
    guard let token else { return [] }
    switch (origin, outcome) {
    case (.request, _), (_, .failed): return [OperationEnd(token, outcome)]
    case (_, _): return [OperationEnd(token, .shown)]
    }
  }
}

extension TodoWorkflow.State {
  /// What has begun is finished, but nobody is told; what has not begun is not done at all.
  fileprivate mutating func cancel(_ token: OperationToken) {
    load.waiting.removeAll { $0 == token }
    load.syncsWaiting.removeAll { $0 == token }
    load.next.removeAll { $0 == token }
    let isWanted = !load.waiting.isEmpty || !load.syncsWaiting.isEmpty
    if load.startedBy == token, !isWanted, load.isUnderWay { cancelLoad() }
    slowReads.removeAll { $0.token == token }
    guard let index = queue.firstIndex(where: { $0.token == token }) else { return }
    if index == 0 { queue[0].token = nil } else { queue.remove(at: index) }
  }

  /// Others are answered meanwhile.
  fileprivate mutating func read(
    _ query: TodoQuery, _ reader: any TodoReader, for entry: QueuedOperation
  ) {
    guard let token = entry.token else { return }
    slowReads.append(
      SlowRead(number: entry.number, query: query, reader: reader, token: token))
  }

  fileprivate mutating func logOut(_ entry: QueuedOperation) -> TodoWorkflow.Output {
    var ends: [OperationEnd] = []
    ends += entry.end(.loggedOut)
    for token in load.waiting + load.syncsWaiting {
      let error = TodoError(.interrupted, "The load was ended by a log-out.")
      ends.append(OperationEnd(token, .failed(error)))
    }
    for token in queue.compactMap(\.token) + slowReads.map(\.token) {
      ends.append(OperationEnd(token, .failed(.notLoggedIn)))
    }
    return .loggedOut(ends)
  }

  fileprivate mutating func take(
    _ rows: TodoRows, total: Int, entry: QueuedOperation, source: String
  ) -> TodoWorkflow.Output? {
    let isWanted = list.take(rows, readBy: entry.operation)
    if !isWanted, !queue.contains(where: \.isReadingRows) { readRows() }
    if case .success(var summary) = load.request {
      summary.total = total
      load.request = .success(summary)
    }
    let summary = LoadSummary(total: total, isComplete: false, source: source)
    return .told(entry.end(.shown) + answerEndedLoad(.loaded(summary)))
  }

  /// Shows what has changed, and answers what there is to answer.
  fileprivate mutating func take(
    _ result: ListResult, _ entry: QueuedOperation
  ) -> TodoOutcome {
    switch result {
    case .answered(let outcome): return outcome
    case .opened(let todo):
      step = .edit(TodoWorkflow.OpenEdit(todo: todo))
      return .shown
    case .openedConflict(let conflict):
      step = .conflict(ConflictSides(conflict), failure: nil)
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
      noteRemoved(id)
      return .removed(id)
    case .restored(let restored):
      restore(restored, entry)
      return .restored(restored)
    case .refreshed(let todo):
      showEdited(todo, entry)
      return .shown
    case .rows, .reading, .loggedOut: return .shown
    }
  }

  /// Shows what was done here, which is to be sent to the source a while after the last change.
  private mutating func show(_ change: RowChange) {
    list.clearMessage()
    if hasSource {
      schedule.noteEdit()
      recount()
    }
    if load.isUnderWay { load.isOvertaken = true }
    let total = list.rows.total
    if !list.show(change) { readRows() }
    if case .success(var summary) = load.request {
      summary.total += list.rows.total - total
      load.request = .success(summary)
    }
  }

  private mutating func restore(_ restored: RestoredTodo, _ entry: QueuedOperation) {
    if let todo = restored.todo {
      show(.cameBack(todo))
      showEdited(todo, entry)
    } else {
      show(.removed(restored.id))
      noteRemoved(restored.id)
    }
    let done = entry.operation == .redo ? "Redone" : "Undone"
    list.say(.info, "\(done): \(restored.title)")
  }

  /// Closes the screen whose save this was, or tells an open edit what it is based on now.
  private mutating func showEdited(_ todo: Todo, _ entry: QueuedOperation) {
    switch (entry.origin, step) {
    case (.editScreen, .edit): closeEdit(todo, stays: entry.stays)
    case (.conflictScreen, .conflict): step = .list
    case (_, .edit(var open)) where open.todo.id == todo.id:
      (open.todo, open.isRemoved) = (todo, false)
      step = .edit(open)
    default: break
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
  private mutating func noteRemoved(_ id: TodoID) {
    guard case .edit(var open) = step, open.todo.id == id else { return }
    (open.isRemoved, open.failure) = (true, nil)
    step = .edit(open)
  }

  /// Shows a failure where the operation came from.
  fileprivate mutating func take(
    _ error: TodoError, _ entry: QueuedOperation
  ) -> TodoWorkflow.Output? {
    switch (entry.origin, step) {
    case (.editScreen, .edit(var open)):
      if let conflict = error.conflict {
        step = .conflict(ConflictSides(open.todo.id, conflict), failure: nil)
        return .told(entry.end(.shown))
      }
      open.failure = error
      step = .edit(open)
      if error.kind == .notFound { noteRemoved(open.todo.id) }
    case (.conflictScreen, .conflict(let sides, _)):
      if let newer = error.conflict {
        step = .conflict(ConflictSides(sides.id, newer), failure: error)
        return .told(entry.end(.shown))
      }
      step = .conflict(sides, failure: error)
    case (.refresh, _):
      if case .refresh(let id) = entry.operation, error.kind == .notFound { noteRemoved(id) }
    case (.list, _):
      list.say(.error, error.message)
      if error.kind == .notFound { readRows() }
    default: break
    }
    var ends = entry.end(.failed(error))
    if case .rows = entry.operation { ends += answerEndedLoad(.failed(error)) }
    return .told(ends)
  }
}
