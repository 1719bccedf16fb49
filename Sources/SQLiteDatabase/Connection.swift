import CSQLite
import System
import TodoModel

/// An open database. Not thread-safe: `Database` protects each connection with a `Mutex`.
package final class Connection {
  /// The maximum time that a change waits for another program's change, in seconds.
  static let busySecondsMax = 10

  package let failure: StorageFailure
  package let handle: OpaquePointer
  /// The path of the file; `nil` for a database in memory.
  package let path: String?
  /// Whether the connection only reads. Such a connection sees only committed data.
  package private(set) var onlyReads = false
  /// The limit on commits that a simulation has set; `nil` outside of simulations.
  private var commitLimit: CommitLimit?
  /// The objects that other modules store for this connection, such as their prepared statements.
  /// Each query looks up one object by its type. There are at most two objects, so an array is
  /// faster than a dictionary.
  private var parts: [(type: ObjectIdentifier, part: any ConnectionPart)] = []
  private lazy var begin = Statement("BEGIN", on: self)
  private lazy var beginChange = Statement("BEGIN IMMEDIATE", on: self)
  private lazy var commit = Statement("COMMIT", on: self)
  private lazy var rollback = Statement("ROLLBACK", on: self)
  private lazy var anything = Statement("SELECT 1 FROM sqlite_schema LIMIT 1", on: self)
  private lazy var version = Statement("PRAGMA data_version", on: self)

  /// Opens a database, and creates the file if it is missing.
  convenience init(to location: SQLiteLocation) throws(TodoError) {
    switch location {
    case .memory:
      try self.init(
        ":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, path: nil,
        failure: StorageFailure(name: "The list in memory"))
    case .file(let path):
      try DatabaseFile(path: path).create()
      try self.init(file: path)
    }
  }

  /// Opens an existing database for reading.
  convenience init(reading path: String) throws(TodoError) {
    try self.init(file: path)
    try execute("PRAGMA query_only = ON")
    onlyReads = true
  }

  private convenience init(file path: String) throws(TodoError) {
    // SQLite could parse a relative path as a URI or as `:memory:`.
    try self.init(
      path.hasPrefix("/") ? path : "./" + path, flags: SQLITE_OPEN_READWRITE, path: path,
      failure: StorageFailure(name: path))
  }

  /// Opens a database.
  ///
  /// - Parameters:
  ///   - name: The path, URI or `:memory:` that is passed to SQLite.
  ///   - path: The path for messages; `nil` for a database in memory.
  init(
    _ name: String, flags: CInt, path: String?, failure: StorageFailure
  ) throws(TodoError) {
    Self.configuration
    var opened: OpaquePointer?
    let flags = flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(name, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let error = failure.error(code, on: opened)
      sqlite3_close_v2(opened)
      throw error
    }
    self.path = path
    self.failure = failure
    handle = opened
    sqlite3_busy_handler(handle, waitForLock, nil)
    // The file may be malicious: its triggers and views must not call functions with side effects,
    // and statements must not change SQLite's internal tables.
    setDefensive(handle, 1)
    setTrustedSchema(handle, 0)
  }

  /// The one-time configuration of the SQLite library, before its first use.
  private static let configuration: Void = disableMemoryStatistics()

  deinit { sqlite3_close_v2(handle) }

  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// Switches to WAL mode, in which readers do not wait for a writer. SQLite does not call the busy
  /// handler for this step, so a loop waits while another program creates the same file.
  func useWAL() throws(TodoError) {
    guard path != nil else { return }
    var attempt: CInt = 0
    while true {
      let code = sqlite3_exec(handle, "PRAGMA journal_mode = WAL", nil, nil, nil)
      if code == SQLITE_OK { return }
      guard code & 0xFF == SQLITE_BUSY, waitForLock(nil, attempt) != 0 else {
        throw failure.error(code, on: handle)
      }
      attempt += 1
    }
  }

  /// Returns the object of the given type for this connection, and creates it on first use.
  package func part<Part: ConnectionPart>(_ type: Part.Type) -> Part {
    let id = ObjectIdentifier(type)
    for known in parts where known.type == id {
      if let part = known.part as? Part { return part }
    }
    let part = Part(over: self)
    parts.append((id, part))
    return part
  }

  /// Executes a script of several statements.
  package func execute(_ script: String) throws(TodoError) {
    let code = sqlite3_exec(handle, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure.error(code, on: handle) }
  }

  /// Allows triggers to write to virtual tables. Many versions of SQLite consider such writes
  /// unsafe. Called for the writing connection after its schema was verified; reading connections
  /// never need this permission.
  func trustSchema() { setTrustedSchema(handle, 1) }

  /// Allows `body` to write to the shadow tables of virtual tables.
  func allowingShadowWrites(_ body: () throws(TodoError) -> Void) throws(TodoError) {
    setDefensive(handle, 0)
    defer { setDefensive(handle, 1) }
    try body()
  }

  /// Returns the first value of a query as an integer; 0 if there is no row. The statement is not
  /// cached, so use this method only for a query that runs once.
  package func number(_ sql: String) throws(TodoError) -> Int64 {
    try Statement(sql, on: self).first { row in row.integer(0) } ?? 0
  }

  package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// A number that changes when another connection changes the database.
  var dataVersion: Int64 {
    get throws(TodoError) { try version.first { row in row.integer(0) } ?? 0 }
  }

  /// The version of the content that a reading connection sees in its current or last transaction;
  /// `nil` for a connection that writes. An active statement counts as a transaction, even without
  /// `BEGIN`. Each change by any connection leads to a new version. Compare only versions that were
  /// read by the same connection.
  package var contentVersion: UInt32? {
    guard onlyReads else { return nil }
    var version: CUnsignedInt = 0
    let code = sqlite3_file_control(handle, nil, SQLITE_FCNTL_DATA_VERSION, &version)
    return code == SQLITE_OK ? version : nil
  }

  // MARK: Transactions

  /// Allows `count` more commits, and rolls back all later transactions.
  ///
  /// - Parameter onLast: Called at the last of these commits.
  func limitCommits(to count: Int, onLast: @escaping @Sendable () -> Void) {
    let limit = CommitLimit(count, onLast: onLast)
    commitLimit = limit
    sqlite3_commit_hook(handle, refuseCommit, Unmanaged.passUnretained(limit).toOpaque())
  }

  /// Runs `body` in a transaction. When this method returns, the change is on disk.
  package func change<Value>(_ body: () throws(TodoError) -> Value) throws(TodoError) -> Value {
    if try hasMoved() { throw failure.moved }
    let value = try transaction(beginChange, body)
    announceChange()
    return value
  }

  /// Runs `body` in a transaction that is always rolled back.
  func rehearse<Value>(_ body: () throws(TodoError) -> Value) throws(TodoError) -> Value {
    try beginChange.run()
    defer { if sqlite3_get_autocommit(handle) == 0 { try? rollback.run() } }
    return try body()
  }

  /// Runs `body` on a consistent state of the database: in the current transaction if there is one,
  /// otherwise in a new transaction.
  package func snapshot<Value>(_ body: () throws(TodoError) -> Value) throws(TodoError) -> Value {
    guard sqlite3_get_autocommit(handle) != 0 else { return try body() }
    return try transaction(begin, body)
  }

  /// Begins to read from the current state. All reads until `endReading` see this state.
  func beginReading() throws(TodoError) {
    try begin.run()
    // The first read, not `BEGIN`, determines the state.
    _ = try anything.first { _ in true }
  }

  func endReading() { if sqlite3_get_autocommit(handle) == 0 { try? rollback.run() } }

  private func transaction<Value>(
    _ begin: Statement, _ body: () throws(TodoError) -> Value
  ) throws(TodoError) -> Value {
    try begin.run()
    do {
      let value = try body()
      try commit.run()
      return value
    } catch {
      // Some errors roll back the transaction automatically.
      if sqlite3_get_autocommit(handle) == 0 { try? rollback.run() }
      throw error
    }
  }

  /// Updates the modification time of the log file after a commit, so that file watchers are
  /// notified and read the database again. They were last notified before the commit, when the
  /// change was not visible yet.
  private func announceChange() {
    if let path { utimes(path + "-wal", nil) }
  }

  /// Whether the file was replaced or removed while it was open, so that SQLite would write to the
  /// deleted file.
  private func hasMoved() throws(TodoError) -> Bool {
    guard path != nil else { return false }
    var moved: CInt = 0
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
    guard code == SQLITE_OK else { throw failure.error(code) }
    return moved != 0
  }
}

/// An object that a module keeps for each connection, such as its prepared statements (see
/// `Connection.part`). The object must not outlive the connection.
package protocol ConnectionPart: AnyObject {
  init(over connection: Connection)
}

/// The remaining number of transactions that a connection may commit.
private final class CommitLimit {
  private var remaining: Int
  private let onLast: @Sendable () -> Void

  init(_ count: Int, onLast: @escaping @Sendable () -> Void) {
    (remaining, self.onLast) = (count, onLast)
  }

  /// Returns whether a commit must be refused, and counts the commit otherwise.
  func isReached() -> Bool {
    guard remaining > 0 else { return true }
    remaining -= 1
    if remaining == 0 { onLast() }
    return false
  }
}

/// The commit hook of SQLite: a nonzero result rolls the transaction back.
private func refuseCommit(_ limit: UnsafeMutableRawPointer?) -> CInt {
  guard let limit else { return 0 }
  return Unmanaged<CommitLimit>.fromOpaque(limit).takeUnretainedValue().isReached() ? 1 : 0
}

/// Waits before the next attempt to lock the database: 1 ms at first, and up to 10 ms later. After
/// `busySecondsMax`, returns 0 without waiting, which makes SQLite give up.
private func waitForLock(_ context: UnsafeMutableRawPointer?, _ attempt: CInt) -> CInt {
  let millisecondsMax: CInt = 10
  let attemptsMax = CInt(Connection.busySecondsMax) * 1_000 / millisecondsMax
  guard attempt < attemptsMax else { return 0 }
  usleep(UInt32(min(attempt + 1, millisecondsMax)) * 1_000)
  return 1
}
