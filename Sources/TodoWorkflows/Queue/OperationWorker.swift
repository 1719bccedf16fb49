import ScreenModel
import TodoModel
import WorkflowRuntime

/// Carries out one operation on the store.
struct OperationWorker: Worker {
  typealias Output = Result<ListResult, TodoError>

  var entry: QueuedOperation
  var list: TodoListKey
  var store: any LocalTodoStore
  /// Nil where nothing is kept of sources.
  var journal: (any SyncJournal)?
  /// Nil where no list is kept as a file.
  var documents: (any DocumentMemory)?

  func run() async -> Output { perform() }

  /// Reads need no other thread: a local store answers them at once.
  func immediateResult() -> Output? {
    switch entry.operation {
    case .page, .ask, .counts, .open, .reopen, .refresh, .rows, .logOut:
      perform()
    case .document(let request): request.isQuestion ? perform() : nil
    case .add, .edit, .remove, .toggle, .undo, .undoOwn, .redo, .resolve: nil
    }
  }

  private func perform() -> Output {
    Result { () throws(TodoError) in
      switch entry.operation {
      case .page(let query): try page(query)
      case .ask(let question):
        .answered(.answered(try question.answer(from: store, journal, in: list)))
      case .add(let draft): .added(try store.add(draft, to: list))
      case .edit(let id, let edit): .edited(try store.edit(id, edit, in: list))
      case .remove(let id, let version): try remove(id, version)
      case .toggle(let id): .edited(try toggle(id))
      case .undo: .restored(try store.undo(in: list))
      case .undoOwn(let id, let version):
        .restored(try store.undo(id, version: version, in: list))
      case .redo: .restored(try store.redo(in: list))
      case .refresh(let id): .refreshed(try store.todo(id, in: list))
      case .resolve(let id, let version, let resolution):
        .edited(try resolve(id, version, resolution))
      case .counts: .counts(try journal?.counts(of: list) ?? SyncCounts())
      case .open(let id): try open(id)
      case .reopen(let text): try reopen(text)
      case .rows(let filter, let window, let anchor): try rows(filter, window, anchor)
      case .document(let request): try document(request)
      case .logOut: .loggedOut
      }
    }
  }

  private func document(_ request: DocumentRequest) throws(TodoError) -> ListResult {
    guard let documents else { throw .storage("This store keeps no files.") }
    let answer = try documents.answer(request, in: list)
    if case .saved(let report) = answer { return .documentSaved(report) }
    return .answered(.document(answer))
  }

  private func page(_ query: TodoQuery) throws(TodoError) -> ListResult {
    if try store.isSlow(.todos(query), in: list), let reader = try store.reader(of: list) {
      return .reading(query, SlowReader(reader: reader))
    }
    return .answered(.page(try store.todos(query, in: list), query))
  }

  private func open(_ id: TodoID) throws(TodoError) -> ListResult {
    let todo = try store.todo(id, in: list)
    if todo.sync == .conflict, let conflict = try journal?.conflict(of: id, in: list) {
      return .openedConflict(ConflictSides(conflict))
    }
    return .opened(todo)
  }

  private func reopen(_ text: TypedText) throws(TodoError) -> ListResult {
    let todo = try store.todo(text.id, in: list)
    guard case .merged = text.form else { return .opened(todo, text) }
    let conflict = try todo.sync == .conflict ? journal?.conflict(of: text.id, in: list) : nil
    return .openedConflict(conflict.map { ConflictSides($0) } ?? text.sides(against: todo), text)
  }

  private func resolve(
    _ id: TodoID, _ version: Int64, _ resolution: Resolution
  ) throws(TodoError) -> Todo {
    guard let journal else { return try store.todo(id, in: list) }
    return try journal.resolve(id, version: version, to: resolution, in: list)
  }

  private func remove(_ id: TodoID, _ version: Int64?) throws(TodoError) -> ListResult {
    try store.remove(id, expectedVersion: version, in: list)
    return .removed(id)
  }

  /// From the todo as it is now, so that two toggles in a row are two.
  private func toggle(_ id: TodoID) throws(TodoError) -> Todo {
    let todo = try store.todo(id, in: list)
    var edit = TodoEdit(isDone: !todo.content.isDone)
    edit.expectedVersion = todo.version
    return try store.edit(id, edit, in: list)
  }

  private func rows(
    _ filter: String, _ window: ListWindow, _ anchor: TodoID?
  ) throws(TodoError) -> ListResult {
    let rows = try store.rows(TodoQuery(text: filter), window, anchor: anchor, in: list)
    let total = filter.isEmpty ? rows.total : try store.rows(TodoQuery(limit: 0), in: list).total
    return .rows(rows, total: total)
  }

  func isEquivalent(to otherWorker: OperationWorker) -> Bool {
    entry.number == otherWorker.entry.number
  }
}

extension LocalTodoStore {
  /// The rows of a window. Where an anchor is given that is still there, the window begins with
  /// it; a window beyond the end shows the end.
  func rows(
    _ query: TodoQuery, _ window: ListWindow, anchor: TodoID? = nil, in list: TodoListKey
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
    if page.elements.isEmpty, page.offset > 0, page.total > 0 {
      query.offset = max(0, page.total - query.limit)
      page = try rows(query, in: list)
    }
    // A list without todos begins where it ends.
    window.offset = page.total == 0 ? 0 : page.offset
    return TodoRows(page.elements, total: page.total, offset: window.offset, window: window)
  }
}
