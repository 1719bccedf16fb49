import ScreenModel
import TodoModel
import WorkflowRuntime

/// A worker that performs one operation of the queue on the store.
struct OperationWorker: Worker {
  typealias Output = Result<ListResult, TodoError>

  var entry: QueuedOperation
  var list: TodoListKey
  var store: any TodoStore
  /// The drafts; `nil` for a store without drafts.
  var drafts: DraftServices?
  /// The maximum lengths of the fields' values.
  var limits = FieldLimits.none

  func run() async -> Output {
    if let result = immediateResult() { return result }
    do throws(TodoError) {
      let result = try await perform()
      endDrafts()
      return .success(result)
    } catch {
      return .failure(error)
    }
  }

  /// Returns the result of an operation that only reads. Returns `nil` for other operations, and
  /// for stores on the network.
  func immediateResult() -> Output? {
    do throws(TodoError) {
      guard let reads = store.localReads else { return nil }
      return try read(from: reads).map { .success($0) }
    } catch {
      return .failure(error)
    }
  }

  private func edit(_ id: TodoID, _ edit: TodoEdit) async throws(TodoError) -> ListResult {
    .edited(try await store.edit(id, edit, in: list), edit)
  }

  private func perform() async throws(TodoError) -> ListResult {
    try checkLimits()
    return switch entry.operation {
    case .page(let query): try page(query, from: try await store.loaded(list))
    case .ask(let question): .answered(.answered(try await answer(question)))
    case .add(let draft):
      .added(try await store.add(draft.resolved(on: store.days.today), to: list))
    case .edit(let id, let edit):
      try await self.edit(id, edit.resolved(on: store.days.today))
    case .createAgain(let id, let edit):
      try createAgain(id, edit.resolved(on: store.days.today))
    case .remove(let id, let version): try await remove(id, version)
    case .toggle(let id): .edited(try await toggle(id))
    case .adjust(let id, let adjustment): .edited(try await adjust(id, adjustment))
    case .changeAll(let ids, let change):
      .changedAll(try groups.change(ids, change, in: list), change)
    case .move(let id, let target): .moved(try ordering.move(id, to: target, in: list))
    case .moveRow(let id, let direction, let filter):
      .moved(try ordering.move(id, direction, among: TodoQuery(text: filter), in: list))
    case .undo: .restored(try history.undo(in: list))
    case .undoOwn(let id, let version):
      .restored(try history.undo(id, version: version, in: list))
    case .redo: .restored(try history.redo(in: list))
    case .restore(let id): .reappeared(try removedTodos.restore(id, in: list))
    case .forget(let id): try forget(id)
    case .openRemoved: .removedTodos(try removedTodos.removedTodos(in: list), opens: true)
    case .readRemoved: .removedTodos(try removedTodos.removedTodos(in: list), opens: false)
    case .settle(let id, let version, let edit): .edited(try await settle(id, version, edit))
    case .resolve(let id, let version, let resolution):
      .edited(try await resolve(id, version, resolution))
    case .counts: .counts(try counts())
    case .open(let id): try open(id, from: try await todo(id))
    case .openDraft(let id, let number):
      try openDraft(number, of: id, from: try await todo(id))
    case .reopen(let text): try reopen(text, from: try await todo(text.draft.base.id))
    case .importDrafts: try importDrafts()
    case .readDrafts: try draftedTodos()
    case .listDrafts: try listDrafts()
    case .discardDrafts(let numbers): try discardDrafts(numbers)
    case .refresh(let id): try refresh(id, from: try await todo(id))
    case .rows(let filter, let window, let anchor, let revealed):
      try rows(filter, window, anchor, revealed, from: try await store.loaded(list))
    case .document(let request): try document(request)
    case .logOut: .loggedOut
    case .openList(let source): .answered(.listOpened(source: source))
    }
  }

  // MARK: Reading

  /// Performs an operation that only reads; returns `nil` for other operations.
  private func read(from reads: any LocalReads) throws(TodoError) -> ListResult? {
    switch entry.operation {
    case .page(let query): try page(query, from: reads)
    case .ask(let question):
      .answered(.answered(try question.answer(from: reads, of: store, in: list)))
    case .openRemoved: .removedTodos(try removedTodos.removedTodos(in: list), opens: true)
    case .readRemoved: .removedTodos(try removedTodos.removedTodos(in: list), opens: false)
    case .counts: .counts(try counts())
    case .open(let id): try open(id, from: reads)
    case .openDraft(let id, let number): try openDraft(number, of: id, from: reads)
    case .reopen(let text): try reopen(text, from: reads)
    case .importDrafts: drafts?.isIdle ?? true ? try importDrafts() : nil
    case .readDrafts: try draftedTodos()
    case .listDrafts: try listDrafts()
    case .refresh(let id): try refresh(id, from: reads)
    case .rows(let filter, let window, let anchor, let revealed):
      try rows(filter, window, anchor, revealed, from: reads)
    case .document(let request): try request.isQuestion ? document(request) : nil
    case .logOut: .loggedOut
    case .openList(let source): .answered(.listOpened(source: source))
    case .settle(let id, let version, nil) where entry.drafts.isEmpty:
      .edited(try check(reads.todo(id, in: list), hasVersion: version))
    case .add, .edit, .createAgain, .remove, .toggle, .adjust, .changeAll, .move, .moveRow, .undo,
      .undoOwn, .redo, .restore, .forget, .settle, .resolve, .discardDrafts:
      nil
    }
  }

  /// Reads a todo from a store on the network. The result is empty if the todo does not exist.
  private func todo(_ id: TodoID) async throws(TodoError) -> LoadedTodos {
    do throws(TodoError) {
      return LoadedTodos([try await store.todo(id, in: list)], days: store.days)
    } catch {
      guard error.kind == .notFound else { throw error }
      return LoadedTodos([], days: store.days)
    }
  }

  private func answer(_ question: ListQuestion) async throws(TodoError) -> ListAnswer {
    switch question {
    case .todo(let id): .todo(try await store.todo(id, in: list))
    case .conflicts, .conflict, .plan, .removed:
      try question.answer(from: LoadedTodos([], days: store.days), of: store, in: list)
    }
  }

  private func counts() throws(TodoError) -> SyncCounts {
    try store.journal?.counts(of: list) ?? SyncCounts()
  }

  private func page(
    _ query: TodoQuery, from reads: any LocalReads
  ) throws(TodoError) -> ListResult {
    if let slow = store.backgroundReads, try slow.isSlow(.todos(query), in: list),
      let reader = try slow.reader(of: list)
    {
      return .reading(query, BackgroundReader(reader: reader))
    }
    return .answered(.page(try reads.todos(query, in: list), query))
  }

  private func refresh(_ id: TodoID, from reads: any LocalReads) throws(TodoError) -> ListResult {
    guard let todo = try todoInList(id, from: reads) else {
      return .refreshedRemoved(id, try lastVersion(ofRemoved: id))
    }
    return .refreshed(todo, try conflict(of: todo))
  }

  /// Returns a todo; `nil` if it is not in the list, such as after its removal.
  func todoInList(
    _ id: TodoID, from reads: any LocalReads
  ) throws(TodoError) -> Todo? {
    do throws(TodoError) {
      return try reads.todo(id, in: list)
    } catch {
      guard error.kind == .notFound else { throw error }
      return nil
    }
  }

  /// Returns the last version of a removed todo; `nil` if it is not stored.
  func lastVersion(ofRemoved id: TodoID) throws(TodoError) -> Todo? {
    try store.removedTodos?.lastVersion(ofRemoved: id, in: list)
  }

  func conflict(of todo: Todo) throws(TodoError) -> SourceConflict? {
    todo.sync == .conflict ? try store.journal?.conflict(of: todo.id, in: list) : nil
  }

  private func rows(
    _ filter: String, _ window: ListWindow, _ anchor: TodoID?, _ revealed: TodoID?,
    from reads: any LocalReads
  ) throws(TodoError) -> ListResult {
    let query = TodoQuery(text: filter)
    var rows = try reads.rows(query, window, anchor: anchor, in: list, on: store.days.today)
    if let revealed { rows = try reveal(revealed, in: rows, query, from: reads) }
    let total = filter.isEmpty ? rows.total : try reads.rows(TodoQuery(limit: 0), in: list).total
    return .rows(rows, total: total)
  }

  /// Moves the window only as far as necessary to contain a todo.
  ///
  /// - Returns: The rows of the moved window. If the query does not select the todo, the unchanged
  ///   rows.
  private func reveal(
    _ id: TodoID, in rows: TodoRows, _ query: TodoQuery, from reads: any LocalReads
  ) throws(TodoError) -> TodoRows {
    guard !rows.items.contains(id: id.text),
      let position = try reads.position(of: id, query, in: list)
    else { return rows }
    var window = rows.window
    let isAbove = position < window.offset
    window.offset = isAbove ? position : max(0, position - (window.limit ?? .max) + 1)
    let moved = try reads.rows(query, window, in: list, on: store.days.today)
    return moved.items.contains(id: id.text) ? moved : rows
  }

  // MARK: Changing

  /// Checks the new values of an edit against the maximum lengths of the source.
  ///
  /// - Throws: `TodoError` of kind `validation`.
  private func checkLimits() throws(TodoError) {
    switch entry.operation {
    case .add(let draft): try limits.check(FieldChanges(draft.content, fields: .all))
    case .edit(_, let edit), .createAgain(_, let edit), .settle(_, _, let edit?),
      .resolve(_, _, .merged(let edit)):
      try limits.check(edit.changes)
    case .changeAll(_, .adjust(let adjustment)):
      // The adjusted values do not depend on the todo, so they are checked once.
      try limits.check(adjustment.changes(of: TodoContent(), on: store.days.today))
    // These operations store no new text, except for `adjust`, which checks its values later.
    case .page, .ask, .remove, .toggle, .adjust, .changeAll, .move, .moveRow, .undo, .undoOwn,
      .redo,
      .restore, .forget, .openRemoved, .readRemoved, .settle, .resolve, .counts, .open, .reopen,
      .openDraft, .importDrafts, .readDrafts, .listDrafts, .discardDrafts, .refresh, .rows,
      .document, .logOut,
      .openList:
      break
    }
  }

  private func settle(
    _ id: TodoID, _ version: Int64, _ edit: TodoEdit?
  ) async throws(TodoError) -> Todo {
    guard let edit else {
      return try check(try await store.todo(id, in: list), hasVersion: version)
    }
    // A store on the network reads the todo before each edit, and checks the version itself.
    if let reads = store.localReads { _ = try check(reads.todo(id, in: list), hasVersion: version) }
    return try await store.edit(id, edit.resolved(on: store.days.today), in: list)
  }

  private func check(_ todo: Todo, hasVersion version: Int64) throws(TodoError) -> Todo {
    guard todo.version == version else {
      throw .conflict(
        TodoConflict(
          base: nil, mine: todo.content, theirs: todo.content, theirVersion: todo.version))
    }
    return todo
  }

  private func resolve(
    _ id: TodoID, _ version: Int64, _ resolution: Resolution
  ) async throws(TodoError) -> Todo {
    guard let journal = store.journal else {
      // Without a journal, the todo cannot be in conflict with a source.
      let theirs = try await store.todo(id, in: list)
      let merge = Merge(base: nil, mine: theirs.content, theirs: theirs.content)
      throw .conflict(
        TodoConflict(
          base: nil, mine: merge.content(after: resolution), theirs: theirs.content,
          theirVersion: theirs.version))
    }
    return try journal.resolve(
      id, version: version, to: resolution.resolved(on: store.days.today), in: list)
  }

  private func createAgain(_ id: TodoID, _ edit: TodoEdit) throws(TodoError) -> ListResult {
    // Without a journal, no source can have refused the todo.
    guard let journal = store.journal else { throw .todoNotFound }
    return .edited(try journal.createAgain(id, edit, in: list), edit)
  }

  private func remove(_ id: TodoID, _ version: Int64?) async throws(TodoError) -> ListResult {
    try await store.remove(id, expectedVersion: version, in: list)
    return .removed(id)
  }

  /// Marks a todo as done, or reopens it if it is done. Reads the current state first, so that two
  /// toggles in a row both take effect.
  private func toggle(_ id: TodoID) async throws(TodoError) -> Todo {
    let todo = try await store.todo(id, in: list)
    var edit = TodoEdit(isDone: !todo.content.isDone)
    edit.expectedVersion = todo.version
    return try await store.edit(id, edit, in: list)
  }

  /// Adjusts a field of a todo. Reads the current value first, so that two adjustments in a row
  /// both take effect.
  private func adjust(
    _ id: TodoID, _ adjustment: FieldAdjustment
  ) async throws(TodoError) -> Todo {
    let todo = try await store.todo(id, in: list)
    let edit = try adjustment.edit(of: todo, on: store.days.today)
    try limits.check(edit.changes)
    return try await store.edit(id, edit, in: list)
  }

  private var history: any TodoHistory {
    get throws(TodoError) {
      guard let history = store.history else { throw .noHistory }
      return history
    }
  }

  private var ordering: any TodoOrdering {
    get throws(TodoError) {
      guard let ordering = store.ordering else { throw .noOrdering }
      return ordering
    }
  }

  private var removedTodos: any RemovedTodos {
    get throws(TodoError) {
      guard let removedTodos = store.removedTodos else { throw .noRemovedTodos }
      return removedTodos
    }
  }

  private func forget(_ id: TodoID) throws(TodoError) -> ListResult {
    try removedTodos.forget(id, in: list)
    return .forgotten(id)
  }

  private var groups: any GroupedChanges {
    get throws(TodoError) {
      guard let groups = store.groups else {
        throw .storage("This store cannot change several todos in one step.")
      }
      return groups
    }
  }

  private func document(_ request: DocumentRequest) throws(TodoError) -> ListResult {
    guard let documents = store.documents else { throw .storage("This store keeps no files.") }
    let answer = try documents.answer(request, in: list)
    if case .saved(let report) = answer { return .documentSaved(report) }
    return .answered(.document(answer))
  }

  func isEquivalent(to otherWorker: OperationWorker) -> Bool {
    entry.number == otherWorker.entry.number
  }
}

extension LocalReads {
  /// Returns the rows of a window. If the list contains the todo `anchor`, the window begins with
  /// it. A window beyond the end of the list is moved to the last rows.
  func rows(
    _ query: TodoQuery, _ window: ListWindow, anchor: TodoID? = nil, in list: TodoListKey,
    on today: CivilDay
  ) throws(TodoError) -> TodoRows {
    var window = window
    if let anchor, let position = try position(of: anchor, query, in: list) {
      window.offset = position
    }
    var query = query
    query.offset = window.offset
    query.limit = window.limit ?? .max
    query.includesPreviews = window.hasPreviews
    var page = try rows(query, in: list)
    if page.offset >= page.total, page.offset > 0, page.total > 0 {
      query.offset = max(0, page.total - query.limit)
      page = try rows(query, in: list)
    }
    // The window of an empty list starts at the top.
    window.offset = page.total == 0 ? 0 : page.offset
    var rows = TodoRows(
      page.elements, total: page.total, offset: window.offset, window: window,
      labels: try labels(in: list), today: today)
    rows.isReadOnly = try isReadOnly(list)
    return rows
  }
}
