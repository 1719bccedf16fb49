import CSQLite
import System
import TodoModel

/// One open database. It is not thread-safe by itself: the store keeps it under a `Mutex`.
final class Connection {
  /// How long a change waits for another program's change.
  static let busySecondsMax = 10

  let failure: StorageFailure
  let handle: OpaquePointer
  /// Nil in memory.
  let path: String?
  private var statements: [String: Statement] = [:]
  private var knownTokenizer: SearchTokenizer?
  private var knownMarkFunction: MarkFunction?
  /// What was found out about lists, for the next question.
  var orders = ListOrders()

  /// Makes the file where it is missing.
  convenience init(to location: SQLiteLocation) throws(TodoError) {
    switch location {
    case .memory: try self.init(path: nil, failure: StorageFailure(name: "The list in memory"))
    case .file(let path):
      try DatabaseFile(path: path).create()
      try self.init(path: path, failure: StorageFailure(name: path))
    }
  }

  /// Opens a database that is there already, to read from it only.
  convenience init(reading path: String) throws(TodoError) {
    try self.init(path: path, failure: StorageFailure(name: path))
    try execute("PRAGMA query_only = ON")
  }

  private init(path: String?, failure: StorageFailure) throws(TodoError) {
    var flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    if path == nil { flags |= SQLITE_OPEN_MEMORY }
    // A path that is not absolute could be read as a URI or as SQLite's name for memory.
    let name = path.map { $0.hasPrefix("/") ? $0 : "./" + $0 } ?? ":memory:"
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(name, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let error = failure.error(code, on: opened)
      sqlite3_close_v2(opened)
      throw error
    }
    self.path = path
    self.failure = failure
    handle = opened
    sqlite3_busy_handler(handle, waitForOthers, nil)
  }

  deinit {
    // Statements first: a database with open statements stays open.
    statements.removeAll()
    knownTokenizer = nil
    sqlite3_close_v2(handle)
  }

  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// Turns to the write-ahead log, which readers do not wait for. SQLite does not call the busy
  /// handler for this step, so several programs that make one file at once wait here.
  func useWAL() throws(TodoError) {
    guard path != nil else { return }
    var attempt: CInt = 0
    while true {
      let code = sqlite3_exec(handle, "PRAGMA journal_mode = WAL", nil, nil, nil)
      if code == SQLITE_OK { return }
      guard code & 0xFF == SQLITE_BUSY, waitForOthers(nil, attempt) != 0 else {
        throw failure.error(code, on: handle)
      }
      attempt += 1
    }
  }

  // MARK: Statements

  func run(_ sql: String, _ values: SQLValue...) throws(TodoError) {
    try statement(sql).run(values) { _ throws(TodoError) in true }
  }

  func first<Value>(
    _ sql: String, _ values: [SQLValue] = [], read: (Row) throws(TodoError) -> Value
  ) throws(TodoError) -> Value? {
    var value: Value?
    try statement(sql).run(values) { row throws(TodoError) in
      value = try read(row)
      return false
    }
    return value
  }

  func all<Value>(
    _ sql: String, _ values: [SQLValue], read: (Row) throws(TodoError) -> Value
  ) throws(TodoError) -> [Value] {
    var elements: [Value] = []
    try statement(sql).run(values) { row throws(TodoError) in
      elements.append(try read(row))
      return true
    }
    return elements
  }

  /// Hands each row to `body`, until that returns false.
  func each(
    _ sql: String, _ values: [SQLValue], _ body: (Row) throws(TodoError) -> Bool
  ) throws(TodoError) {
    try statement(sql).run(values, body)
  }

  /// Several statements at once, for the schema.
  func execute(_ script: String) throws(TodoError) {
    let code = sqlite3_exec(handle, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure.error(code, on: handle) }
  }

  var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  private func statement(_ sql: String) throws(TodoError) -> Statement {
    if let known = statements[sql] { return known }
    let statement = try Statement(sql, on: handle, failure: failure)
    statements[sql] = statement
    return statement
  }

  var tokenizer: SearchTokenizer {
    get throws(TodoError) {
      if let knownTokenizer { return knownTokenizer }
      let tokenizer = try SearchTokenizer(of: self)
      knownTokenizer = tokenizer
      return tokenizer
    }
  }

  var markFunction: MarkFunction {
    get throws(TodoError) {
      if let knownMarkFunction { return knownMarkFunction }
      let function = try MarkFunction(on: self)
      knownMarkFunction = function
      return function
    }
  }

  // MARK: Transactions

  /// Changes all of it or nothing. When this returns, the change is on disk.
  func change<Value>(_ body: () throws(TodoError) -> Value) throws(TodoError) -> Value {
    if try hasMoved() { throw failure.moved }
    let value = try transaction(begin: "BEGIN IMMEDIATE", body)
    announceChange()
    return value
  }

  /// Reads several times from the same state.
  func snapshot<Value>(_ body: () throws(TodoError) -> Value) throws(TodoError) -> Value {
    try transaction(begin: "BEGIN", body)
  }

  private func transaction<Value>(
    begin: String, _ body: () throws(TodoError) -> Value
  ) throws(TodoError) -> Value {
    try run(begin)
    do {
      let value = try body()
      try run("COMMIT")
      return value
    } catch {
      // Some failures end the transaction by themselves; then there is nothing to roll back.
      if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
      throw error
    }
  }

  /// Touches the log, because its last write was before the change could be seen: who watches the
  /// file looks again.
  private func announceChange() {
    if let path { utimes(path + "-wal", nil) }
  }

  /// Whether the file was replaced or removed under us: SQLite would write on into nowhere.
  private func hasMoved() throws(TodoError) -> Bool {
    guard path != nil else { return false }
    var moved: CInt = 0
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
    guard code == SQLITE_OK else { throw failure.error(code) }
    return moved != 0
  }
}

/// Waits a little longer each time, up to 10 ms, and gives up after `busySecondsMax`.
private func waitForOthers(_ context: UnsafeMutableRawPointer?, _ attempt: CInt) -> CInt {
  let millisecondsMax: CInt = 10
  let attemptsMax = CInt(Connection.busySecondsMax) * 1_000 / millisecondsMax
  guard attempt < attemptsMax else { return 0 }
  usleep(UInt32(min(attempt + 1, millisecondsMax)) * 1_000)
  return 1
}
