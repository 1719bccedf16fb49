import CSQLite
import System
import TodoModel

/// One open database. It is not thread-safe by itself: `Database` keeps it under a `Mutex`.
package final class Connection {
  /// How long a change waits for another program's change.
  static let busySecondsMax = 10

  package let failure: StorageFailure
  package let handle: OpaquePointer
  /// Nil in memory.
  package let path: String?
  /// Whether nothing is ever written with it, so that all it sees has been committed.
  package private(set) var onlyReads = false
  /// `nil` outside of simulations.
  private var commitLimit: CommitLimit?
  /// They are two or three, and asked for with each question.
  private var parts: [(type: ObjectIdentifier, part: any ConnectionPart)] = []
  private lazy var begin = Statement("BEGIN", on: self)
  private lazy var beginChange = Statement("BEGIN IMMEDIATE", on: self)
  private lazy var commit = Statement("COMMIT", on: self)
  private lazy var rollback = Statement("ROLLBACK", on: self)
  private lazy var anything = Statement("SELECT 1 FROM sqlite_schema LIMIT 1", on: self)
  private lazy var version = Statement("PRAGMA data_version", on: self)

  /// Makes the file where it is missing.
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

  /// Opens a database that is there already, to read from it only.
  convenience init(reading path: String) throws(TodoError) {
    try self.init(file: path)
    try execute("PRAGMA query_only = ON")
    onlyReads = true
  }

  private convenience init(file path: String) throws(TodoError) {
    // A path that is not absolute could be read as a URI or as SQLite's name for memory.
    try self.init(
      path.hasPrefix("/") ? path : "./" + path, flags: SQLITE_OPEN_READWRITE, path: path,
      failure: StorageFailure(name: path))
  }

  /// - Parameter name: What SQLite calls the file; `path` is what we call it.
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
    sqlite3_busy_handler(handle, waitForOthers, nil)
    // A file may have been made by somebody who means harm: what stands in it runs nothing but what
    // cannot do any, and no statement changes what SQLite keeps for itself.
    setDefensive(handle, 1)
    setTrustedSchema(handle, 0)
  }

  /// Of SQLite as a whole, before it is used first.
  private static let configuration: Void = countNoMemory()

  deinit { sqlite3_close_v2(handle) }

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

  /// What a room keeps for each connection: its statements, and what it knows of the tables. Made
  /// when it is first asked for.
  package func part<Part: ConnectionPart>(_ type: Part.Type) -> Part {
    let id = ObjectIdentifier(type)
    for known in parts where known.type == id {
      if let part = known.part as? Part { return part }
    }
    let part = Part(over: self)
    parts.append((id, part))
    return part
  }

  /// Several statements at once, for the schema.
  package func execute(_ script: String) throws(TodoError) {
    let code = sqlite3_exec(handle, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure.error(code, on: handle) }
  }

  /// Lets triggers write to virtual tables, which many versions of SQLite call unsafe: for the one
  /// that writes, after what stands in the file was found to be ours. Who reads needs it never.
  func trustSchema() { setTrustedSchema(handle, 1) }

  /// Lets `body` write to the tables in which SQLite keeps an index.
  func allowingShadowWrites(_ body: () throws(TodoError) -> Void) throws(TodoError) {
    setDefensive(handle, 0)
    defer { setDefensive(handle, 1) }
    try body()
  }

  /// The first number that a question answers; 0 where there is none. For what is asked once.
  package func number(_ sql: String) throws(TodoError) -> Int64 {
    try Statement(sql, on: self).first { row in row.integer(0) } ?? 0
  }

  package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// A number that changes when another connection changes the database.
  var dataVersion: Int64 {
    get throws(TodoError) { try version.first { row in row.integer(0) } ?? 0 }
  }

  // MARK: Transactions

  /// Rolls back every transaction after the next `count` ones.
  func limitCommits(to count: Int, onLast: @escaping @Sendable () -> Void) {
    let limit = CommitLimit(count, onLast: onLast)
    commitLimit = limit
    sqlite3_commit_hook(handle, refuseCommit, Unmanaged.passUnretained(limit).toOpaque())
  }

  /// Changes all of it or nothing. When this returns, the change is on disk.
  package func change<Value>(_ body: () throws(TodoError) -> Value) throws(TodoError) -> Value {
    if try hasMoved() { throw failure.moved }
    let value = try transaction(beginChange, body)
    announceChange()
    return value
  }

  /// Changes and takes everything back.
  func rehearse<Value>(_ body: () throws(TodoError) -> Value) throws(TodoError) -> Value {
    try beginChange.run()
    defer { if sqlite3_get_autocommit(handle) == 0 { try? rollback.run() } }
    return try body()
  }

  /// Reads several times from the same state: that of the transaction under way, if there is one.
  package func snapshot<Value>(_ body: () throws(TodoError) -> Value) throws(TodoError) -> Value {
    guard sqlite3_get_autocommit(handle) != 0 else { return try body() }
    return try transaction(begin, body)
  }

  /// Begins to read from the state as it is now, until `endReading`.
  func beginReading() throws(TodoError) {
    try begin.run()
    // The state is taken by the first read, and not by the beginning.
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
      // Some failures end the transaction by themselves; then there is nothing to roll back.
      if sqlite3_get_autocommit(handle) == 0 { try? rollback.run() }
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

/// What a room keeps for each connection (see `Connection.part`). It must not outlive it.
package protocol ConnectionPart: AnyObject {
  init(over connection: Connection)
}

/// The number of transactions that a connection may still commit.
private final class CommitLimit {
  private var remaining: Int
  private let onLast: @Sendable () -> Void

  init(_ count: Int, onLast: @escaping @Sendable () -> Void) {
    (remaining, self.onLast) = (count, onLast)
  }

  /// Counts a commit.
  ///
  /// - Returns: Whether it is refused.
  func isReached() -> Bool {
    guard remaining > 0 else { return true }
    remaining -= 1
    if remaining == 0 { onLast() }
    return false
  }
}

/// The commit hook of SQLite: any number but 0 rolls the transaction back.
private func refuseCommit(_ limit: UnsafeMutableRawPointer?) -> CInt {
  guard let limit else { return 0 }
  return Unmanaged<CommitLimit>.fromOpaque(limit).takeUnretainedValue().isReached() ? 1 : 0
}

/// Waits a little longer each time, up to 10 ms, and gives up after `busySecondsMax`.
private func waitForOthers(_ context: UnsafeMutableRawPointer?, _ attempt: CInt) -> CInt {
  let millisecondsMax: CInt = 10
  let attemptsMax = CInt(Connection.busySecondsMax) * 1_000 / millisecondsMax
  guard attempt < attemptsMax else { return 0 }
  usleep(UInt32(min(attempt + 1, millisecondsMax)) * 1_000)
  return 1
}
