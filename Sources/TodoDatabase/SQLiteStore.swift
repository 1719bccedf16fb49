import SQLiteDatabase
import Synchronization
import TodoModel

/// A store of todos in an SQLite database, in a file or in memory.
///
/// ```swift
/// let store = SQLiteStore(over: database, environment: environment)
/// let todo = try store.add(NewTodo(title: "Buy milk"), to: list)
/// ```
///
/// A change is on disk when the call returns (see `Database`).
package final class SQLiteStore: TodoStore, LocalReads {
  package let database: Database
  let environment: Environment
  /// The author of changes that come neither from a document nor from a source.
  let author: ChangeAuthor
  /// The views of lists, by the name of the list's source. Of a list with a view, this store
  /// returns only the todos that the view shows. A list without a view is returned as a whole.
  private let views: [String: RemoteView]
  /// The random number that identifies this open store in the log of changes.
  private let sessionNumber = Int64.random(in: 1...Int64.max)
  private let usedLists = Mutex(UsedLists())
  /// The undo or redo that was last refused because of a conflict, by profile. The value is the
  /// sequence number of the change that was not reversed, or of the first change of its group.
  let refusedSteps = Mutex<[String: Int64]>([:])
  /// The validator, such as an `ETag`, for the next conditional request for each list. Validators
  /// are kept in memory only, because a `RemoteValidator` also contains the access token.
  let validators = Mutex<[TodoListKey: RemoteValidator]>([:])
  /// The lock that an import of drafts acquires.
  let draftImport = Mutex(())

  package init(
    over database: Database, environment: Environment, author: ChangeAuthor = .local,
    views: [String: RemoteView] = [:]
  ) {
    self.views = views
    self.database = database
    self.environment = environment
    self.author = author
  }

  package var days: DayClock { environment.days }

  // MARK: Reading

  package func todos(
    _ query: TodoQuery, in list: TodoListKey
  ) throws(TodoError) -> TodoPage<Todo> {
    let filter = try filter(query, in: list)
    return try read(list) { tables throws(TodoError) in
      try tables.pages.todos(query, filter, of: list)
    }
  }

  package func rows(
    _ query: TodoQuery, in list: TodoListKey
  ) throws(TodoError) -> TodoPage<TodoRow> {
    let filter = try filter(query, in: list)
    return try read(list) { tables throws(TodoError) in
      try tables.pages.rows(query, filter, of: list)
    }
  }

  package func position(
    of id: TodoID, _ query: TodoQuery, in list: TodoListKey
  ) throws(TodoError) -> Int? {
    let filter = try filter(query, in: list)
    return try read(list) { tables throws(TodoError) in
      try tables.pages.position(of: id, query, filter, in: list)
    }
  }

  package func todo(_ id: TodoID, in list: TodoListKey) throws(TodoError) -> Todo {
    try read(list) { tables throws(TodoError) in
      try tables.todos.todo(id, in: tables.lists.knownNumber(of: list))
    }
  }

  package func content(
    of id: TodoID, at version: Int64, in list: TodoListKey
  ) throws(TodoError) -> TodoContent? {
    try read(list) { tables throws(TodoError) in
      guard let number = try tables.lists.knownNumber(of: list),
        let stored = try tables.todos.stored(id, in: number)
      else { return nil }
      return try tables.log.content(of: stored, at: version)
    }
  }

  package func labels(in list: TodoListKey) throws(TodoError) -> [String] {
    try read(list) { tables throws(TodoError) in
      guard let number = try tables.lists.knownNumber(of: list) else { return [] }
      let limit = LabelField.suggestionsMax
      let used = LabelSet(try tables.todos.labels.labels(in: number, limit: limit))
      let others = LabelSet(try tables.sourceLabels.labels(of: number, limit: limit))
        .subtracting(used)
      return used.union(LabelSet(others.texts.prefix(limit - used.count))).texts
    }
  }

  // MARK: Views

  /// Returns the view that limits which todos of a list this store returns; `nil` if the store
  /// returns all todos.
  func view(of list: TodoListKey) -> RemoteView? { views[list.source] }

  func viewKey(of list: TodoListKey, _ number: Int64) -> ViewKey {
    ViewKey(list: number, view: view(of: list)?.key ?? "")
  }

  /// Returns the filter of a query, restricted to the view of the list.
  func filter(_ query: TodoQuery, in list: TodoListKey) throws(TodoError) -> TodoFilter {
    var filter = try query.filter(on: days)
    if let view = view(of: list) { filter.restrict(to: view) }
    return filter
  }

  /// Checks that the view of a list can contain new todos.
  ///
  /// - Throws: `validation` if it cannot.
  func checkAcceptsNew(_ list: TodoListKey) throws(TodoError) {
    if view(of: list)?.acceptsNew == false { throw .addingRefused }
  }

  func read<Value: Sendable>(
    _ list: TodoListKey, _ body: (TodoTables) throws(TodoError) -> Value
  ) throws(TodoError) -> Value {
    try database.read { connection throws(TodoError) in
      let tables = connection.tables
      _ = try session(in: list, over: tables)
      return try body(tables)
    }
  }

  // MARK: Changing

  package func add(_ draft: NewTodo, to list: TodoListKey) throws(TodoError) -> Todo {
    try checkAcceptsNew(list)
    let now = environment.now()
    var content = draft.content
    if let view = view(of: list) { content.labels = content.labels.union(view.labels) }
    let todo = Todo(
      id: environment.newID(),
      content: content, version: 1, createdAt: now, updatedAt: now, origin: nil,
      sync: list.isLocal ? .local : .pending)
    return try change(list) { (tables, session) throws(TodoError) in
      try tables.checkIsWritable(list)
      var todo = todo
      let number = try tables.lists.number(of: list)
      let place = try tables.order.place(.aboveTodos, in: number)
      try tables.todos.insert(todo, at: place, origin(in: number, session, at: now))
      todo.section = try tables.sections.heading(above: place, in: number)?.text
      return todo
    }
  }

  package func edit(
    _ id: TodoID, _ edit: TodoEdit, in list: TodoListKey
  ) throws(TodoError) -> Todo {
    try changeByUser(id, in: list) { (before, tables) throws(TodoError) in
      let content = try tables.log.content(after: edit, of: before)
      var after = before
      if content != before.todo.content { after.edit(to: content, at: environment.now()) }
      return after
    }
  }

  package func remove(
    _ id: TodoID, expectedVersion: Int64?, in list: TodoListKey
  ) throws(TodoError) {
    _ = try changeByUser(id, in: list) { (before, tables) throws(TodoError) in
      try tables.log.check(expectedVersion, of: before)
      var after = before
      after.remove(at: environment.now())
      return after
    }
  }

  /// Changes a todo of a list on behalf of the user, in one transaction.
  func changeByUser(
    _ id: TodoID, in list: TodoListKey,
    _ body: (StoredTodo, TodoTables) throws(TodoError) -> StoredTodo
  ) throws(TodoError) -> Todo {
    try change(list) { (tables, session) throws(TodoError) in
      guard let number = try tables.lists.knownNumber(of: list),
        let before = try tables.todos.stored(id, in: number), !before.isRemoved
      else { throw .todoNotFound }
      let after = try body(before, tables)
      if after.todo.version != before.todo.version { try tables.checkIsWritable(list) }
      let section = try tables.sections.heading(above: before.place, in: number)?.text
      var todo = before.todo
      if after.todo.version != before.todo.version {
        try tables.todos.save(
          after, replacing: before, origin(in: number, session, at: after.todo.updatedAt))
        todo = after.todo
      }
      todo.section = section
      return todo
    }
  }

  /// Runs a transaction on behalf of the user of a list.
  func change<Value: Sendable>(
    _ list: TodoListKey,
    _ body: (TodoTables, HistorySession) throws(TodoError) -> Value
  ) throws(TodoError) -> Value {
    try database.change { connection throws(TodoError) in
      let tables = connection.tables
      return try body(tables, session(in: list, over: tables))
    }
  }

  /// Returns the origin of a change that the user of this store makes.
  func origin(
    in list: Int64, _ session: HistorySession, at now: Timestamp
  ) -> ChangeOrigin {
    ChangeOrigin(list: list, author: author, at: now, session: session)
  }

  /// Returns the history session for a list: the changes that the user of the list can undo. Also
  /// records the first use of the list.
  private func session(
    in list: TodoListKey, over tables: TodoTables
  ) throws(TodoError) -> HistorySession {
    if let lists = usedLists.withLock({ $0.find(list) }) {
      return HistorySession(number: sessionNumber, lists: lists)
    }
    let start = try tables.log.lastSequence()
    let lists = usedLists.withLock {
      $0.add(HistorySession.UsedList(key: list, start: start))
    }
    return HistorySession(number: sessionNumber, lists: lists)
  }
}

// MARK: Capabilities

extension SQLiteStore {
  package var localReads: (any LocalReads)? { self }
  package var backgroundReads: (any BackgroundReads)? { self }
  package var history: (any TodoHistory)? { self }
  package var groups: (any GroupedChanges)? { self }
  package var ordering: (any TodoOrdering)? { self }
  package var journal: (any SyncJournal)? { self }
  package var documents: (any DocumentMemory)? { self }
  package var exchange: (any TodoExchange)? { self }
  package var changeFeed: (any ChangeFeed)? { self }
  package var removedTodos: (any RemovedTodos)? { self }
  package var sharedFile: (any SharedStoreFile)? { self }
}

extension SQLiteStore: SharedStoreFile {
  package func watchChanges(_ onChange: @escaping @Sendable () -> Void) async {
    await database.watchChanges(onChange)
  }

  package func close() { database.close() }
}

/// The lists that this store has used, by profile.
private struct UsedLists {
  private var all: [String: [HistorySession.UsedList]] = [:]
  /// The list and the result of the last successful `find`: a cache for further calls with the same
  /// list. Comparing two lists takes a sixth of the time of hashing one.
  private var last: (list: TodoListKey, lists: [HistorySession.UsedList])?

  /// Returns all lists that were used so far and have the same profile as `list`; `nil` if `list`
  /// was not used yet.
  mutating func find(_ list: TodoListKey) -> [HistorySession.UsedList]? {
    if let last, last.list == list { return last.lists }
    guard let lists = all[list.profile], lists.contains(where: { $0.key == list }) else {
      return nil
    }
    last = (list, lists)
    return lists
  }

  mutating func add(_ used: HistorySession.UsedList) -> [HistorySession.UsedList] {
    last = nil
    if find(used.key) == nil { all[used.key.profile, default: []].append(used) }
    return all[used.key.profile] ?? []
  }
}
