import Synchronization
import TodoModel

/// Todos in SQLite, in a file or in memory.
///
/// ```swift
/// let store = try SQLiteStore(at: .file("/home/ann/todos.sqlite"), environment: environment)
/// let todo = try store.add(TodoDraft(title: "Buy milk"), to: list)
/// ```
///
/// A change that returned is on disk (WAL, synchronous FULL): one transaction each, which waits up
/// to 10 s for the changes of other programs. Everything that goes wrong with the file is `storage`
/// with a sentence that says what happened and what to do.
package final class SQLiteStore: LocalTodoStore {
  let environment: Environment
  /// What the user has to be told about the opening: a damaged file was set aside.
  package let notice: String?
  /// Nil in memory.
  let path: String?
  /// The state of the file in which this store last looked for changes by others.
  let seenVersion: Mutex<Int64?>
  /// Nil in memory until it is first used: making the tables takes longer than all else at a start.
  private let connection: Mutex<Connection?>
  private let readers: ConnectionPool?
  /// Names this open store in the history.
  private let sessionNumber = Int64.random(in: 1...Int64.max)
  /// Each list's turn when this store first used it.
  private let turnsBefore = Mutex<[TodoListKey: Int64]>([:])
  /// The step of each list whose undo or redo has just been refused as a conflict.
  let toldConflicts = Mutex<[TodoListKey: Int64]>([:])

  /// Opens the file, makes it where it is missing, and brings an older one up to date.
  ///
  /// Throws `storage`: no permission, no database, a database of another program or of a newer
  /// version, read-only, in use for too long.
  package init(at location: SQLiteLocation, environment: Environment) throws(TodoError) {
    self.environment = environment
    guard case .file = location else {
      (notice, path, readers) = (nil, nil, nil)
      seenVersion = Mutex(nil)
      connection = Mutex(nil)
      return
    }
    let opened = try DatabaseOpening(location: location, now: environment.now()).open()
    notice = opened.notice
    path = opened.connection.path
    seenVersion = Mutex(try opened.connection.dataVersion)
    readers = try path.map { path throws(TodoError) in try ConnectionPool(path: path) }
    connection = Mutex(opened.connection)
  }

  /// All changes go through here, one at a time.
  func withConnection<Value: Sendable>(
    _ body: (Connection) throws(TodoError) -> Value
  ) throws(TodoError) -> Value {
    try noticingDamage { () throws(TodoError) in
      try connection.withLock { known throws(TodoError) in
        if let known { return try body(known) }
        let new = try DatabaseOpening(location: .memory, now: environment.now()).open().connection
        known = new
        return try body(new)
      }
    }
  }

  package func tidyUp() {
    guard path != nil else { return }
    // Everything is durable without it, so what stands in the way may stay there.
    connection.withLockIfAvailable { known in
      _ = try? known?.execute("PRAGMA wal_checkpoint(PASSIVE)")
    }
  }

  /// Reads do not wait for changes, but in memory, where there is one connection.
  func read<Value: Sendable>(
    _ list: TodoListKey, _ body: (Connection) throws(TodoError) -> Value
  ) throws(TodoError) -> Value {
    func read(from connection: Connection) throws(TodoError) -> Value {
      _ = try session(in: list, over: connection)
      return try body(connection)
    }
    guard let readers else { return try withConnection(read) }
    return try noticingDamage { () throws(TodoError) in try readers.use(read) }
  }

  /// The next start looks at the whole file when a damaged page was met.
  private func noticingDamage<Value>(
    _ body: () throws(TodoError) -> Value
  ) throws(TodoError) -> Value {
    do {
      return try body()
    } catch {
      if let path, error == StorageFailure(name: path).damaged { DamagedFile(path: path).mark() }
      throw error
    }
  }

  /// What an undo in a list takes back. It begins when the list is first used.
  func session(
    in list: TodoListKey, over connection: Connection
  ) throws(TodoError) -> HistorySession {
    if let turns = turnsBefore.withLock({ $0[list] }) {
      return HistorySession(number: sessionNumber, turnsBefore: turns)
    }
    let turns = try connection.turn(of: list)
    turnsBefore.withLock { $0[list] = turns }
    return HistorySession(number: sessionNumber, turnsBefore: turns)
  }

  // MARK: Reading

  package func todos(
    _ query: TodoQuery, in list: TodoListKey
  ) throws(TodoError) -> TodoPage<Todo> {
    try read(list) { connection throws(TodoError) in
      try connection.page(query, of: list, part: query.includesNotes ? .whole : .wholeWithoutNote) {
        row in row.todo
      }
    }
  }

  package func rows(
    _ query: TodoQuery, in list: TodoListKey
  ) throws(TodoError) -> TodoPage<TodoRow> {
    try read(list) { connection throws(TodoError) in
      try connection.page(
        query, of: list, part: query.includesPreviews ? .rowWithPreview : .row
      ) { row in row.todoRow }
    }
  }

  package func position(
    of id: TodoID, _ query: TodoQuery, in list: TodoListKey
  ) throws(TodoError) -> Int? {
    try read(list) { connection throws(TodoError) in
      try connection.position(of: id, query, in: list)
    }
  }

  package func todo(_ id: TodoID, in list: TodoListKey) throws(TodoError) -> Todo {
    try read(list) { connection throws(TodoError) in
      try connection.todo(id, in: list)
    }
  }

  // MARK: Changing

  package func add(_ draft: TodoDraft, to list: TodoListKey) throws(TodoError) -> Todo {
    let now = environment.now()
    let todo = Todo(
      id: environment.newID(),
      content: TodoContent(title: draft.title, note: draft.note, isDone: false),
      version: 1, createdAt: now, updatedAt: now, origin: nil,
      sync: list.isLocal ? .local : .pending)
    return try change(list) { (connection, session) throws(TodoError) in
      let number = try connection.listNumber(of: list)
      try connection.insert(todo, at: connection.topPlace(in: number), in: number)
      try connection.record(todo, replacing: nil, in: number, session: session)
      return todo
    }
  }

  package func edit(
    _ id: TodoID, _ edit: TodoEdit, in list: TodoListKey
  ) throws(TodoError) -> Todo {
    try change(list) { (connection, session) throws(TodoError) in
      let before = try connection.stored(id, in: list)
      try connection.check(edit.expectedVersion, of: before) { edit.applied(to: $0) }
      let content = edit.applied(to: before.todo.content)
      guard content != before.todo.content else { return before.todo }
      var after = before
      after.edit(to: content, at: environment.now())
      try connection.save(after, replacing: before)
      try connection.record(
        after.todo, replacing: before, in: connection.listNumber(of: list), session: session)
      return after.todo
    }
  }

  package func remove(
    _ id: TodoID, expectedVersion: Int64?, in list: TodoListKey
  ) throws(TodoError) {
    try change(list) { (connection, session) throws(TodoError) in
      let before = try connection.stored(id, in: list)
      try connection.check(expectedVersion, of: before) { $0 }
      var after = before
      after.remove(at: environment.now())
      try connection.save(after, replacing: before)
      try connection.record(
        after.todo, replacing: before, in: connection.listNumber(of: list), session: session)
    }
  }

  /// One transaction of a person.
  func change<Value: Sendable>(
    _ list: TodoListKey,
    _ body: (Connection, HistorySession) throws(TodoError) -> Value
  ) throws(TodoError) -> Value {
    try withConnection { connection throws(TodoError) in
      try connection.change { () throws(TodoError) in
        try body(connection, session(in: list, over: connection))
      }
    }
  }
}
