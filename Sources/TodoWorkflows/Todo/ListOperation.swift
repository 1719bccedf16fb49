import ScreenModel
import TodoModel
import WorkflowRuntime

/// Everything that can be asked of a list. Operations run one after the other, in the order in
/// which they came, so that each sees what the ones before it did.
package enum ListOperation: Sendable, Equatable {
  case page(TodoQuery)
  case todo(TodoID)
  case add(TodoDraft)
  case edit(TodoID, TodoEdit)
  case remove(TodoID, expectedVersion: Int64?)
  case toggle(TodoID)
  case undo
  case redo
  /// What was changed both here and at the source, a page of it.
  case conflicts(offset: Int, limit: Int?)
  /// Decides a conflict with the source.
  case resolve(TodoID, version: Int64, Resolution)
  /// What a sync would send.
  case plan
  /// Counts what is not as the source has it.
  case counts
  /// Gets a todo for the edit screen, or its conflict with the source.
  case open(TodoID)
  /// Gets a todo anew whose edit screen is open.
  case refresh(TodoID)
  /// Reads the rows that the list screen shows.
  case rows(filter: String, window: ListWindow = .whole, anchor: TodoID? = nil)
  /// Waits for its turn, and thereby for everything before it.
  case logOut
}

/// What the store made of an operation.
enum ListResult: Sendable, Equatable {
  /// What whoever asked is to be told, and nobody else sees.
  case answered(TodoOutcome)
  /// The answer takes long, and is read elsewhere from the list as it is now.
  case reading(TodoQuery, SlowReader)
  case added(Todo)
  case edited(Todo)
  case removed(TodoID)
  case opened(Todo)
  case openedConflict(SourceConflict)
  case counts(SyncCounts)
  case restored(RestoredTodo)
  case refreshed(Todo)
  /// `total` counts those that the filter hides, too.
  case rows(TodoRows, total: Int)
  case loggedOut
}

/// What reads a list on another thread. Two are two, whatever they read.
struct SlowReader: Sendable, Equatable {
  var reader: any TodoReader

  static func == (a: SlowReader, b: SlowReader) -> Bool { false }
}

/// An operation in the queue.
struct QueuedOperation: Sendable, Equatable {
  enum Origin: Sendable, Equatable {
    case request, list, editScreen, conflictScreen
    /// Nobody asked: something was changed elsewhere.
    case refresh
  }

  var number: Int
  var operation: ListOperation
  /// Where a failure is shown.
  var origin: Origin
  /// Whether the form that it came from is to stay open.
  var stays = false
  /// Who waits for the end.
  var token: OperationToken?
}

/// Carries out one operation on the store.
struct OperationWorker: Worker {
  typealias Output = Result<ListResult, TodoError>

  var entry: QueuedOperation
  var list: TodoListKey
  var store: any LocalTodoStore
  /// Nil where nothing is kept of sources.
  var journal: (any SyncJournal)?

  func run() async -> Output { perform() }

  /// Reads need no other thread: a local store answers them at once.
  func immediateResult() -> Output? {
    switch entry.operation {
    case .page, .todo, .conflicts, .plan, .counts, .open, .refresh, .rows, .logOut: perform()
    case .add, .edit, .remove, .toggle, .undo, .redo, .resolve: nil
    }
  }

  private func perform() -> Output {
    Result { () throws(TodoError) in
      switch entry.operation {
      case .page(let query): try page(query)
      case .todo, .conflicts, .plan:
        .answered(try entry.operation.answer(from: store, journal, in: list) ?? .shown)
      case .add(let draft): .added(try store.add(draft, to: list))
      case .edit(let id, let edit): .edited(try store.edit(id, edit, in: list))
      case .remove(let id, let version): try remove(id, version)
      case .toggle(let id): .edited(try toggle(id))
      case .undo: .restored(try store.undo(in: list))
      case .redo: .restored(try store.redo(in: list))
      case .refresh(let id): .refreshed(try store.todo(id, in: list))
      case .resolve(let id, let version, let resolution):
        .edited(try resolve(id, version, resolution))
      case .counts: .counts(try journal?.counts(of: list) ?? SyncCounts())
      case .open(let id): try open(id)
      case .rows(let filter, let window, let anchor): try rows(filter, window, anchor)
      case .logOut: .loggedOut
      }
    }
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
      return .openedConflict(conflict)
    }
    return .opened(todo)
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

extension ListOperation {
  /// The answer to a question, which changes nothing and so needs neither an action nor a
  /// rendering; nil for everything else, and where it takes long.
  func answer(
    from store: any LocalTodoStore, _ journal: (any SyncJournal)?, in list: TodoListKey
  ) throws(TodoError) -> TodoOutcome? {
    switch self {
    case .page(let query):
      try store.isSlow(.todos(query), in: list)
        ? nil : .page(try store.todos(query, in: list), query)
    case .todo(let id): .todo(try store.todo(id, in: list))
    case .conflicts(let offset, let limit):
      .conflicts(try page(of: journal, offset, limit, in: list))
    case .plan: .planned(try journal?.plan(for: list) ?? [])
    case .add, .edit, .remove, .toggle, .undo, .redo, .resolve, .counts, .open, .refresh, .rows,
      .logOut:
      nil
    }
  }
}

extension ListOperation {
  private func page(
    of journal: (any SyncJournal)?, _ offset: Int, _ limit: Int?, in list: TodoListKey
  ) throws(TodoError) -> ConflictPage {
    let limit = min(limit ?? ConflictPage.limitMax, ConflictPage.limitMax)
    let found = try journal?.conflicts(offset: offset, limit: limit, in: list)
    return ConflictPage(conflicts: found?.conflicts ?? [], total: found?.total ?? 0)
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
