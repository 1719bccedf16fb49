import Synchronization
import TodoModel

/// A database in a file or in memory: one writing connection, a few reading ones, and the handling
/// of opening, damage and changes by other programs.
///
/// ```swift
/// let database = try Database(at: .file("/home/ann/todos.sqlite"), schema: schema, now: { .now })
/// try database.change { connection throws(TodoError) in
///   try connection.part(TodoTables.self).insert(todo)
/// }
/// ```
///
/// Each change is one transaction (WAL, synchronous FULL): when it returns, it is on disk. It waits
/// up to 10 s for changes of other programs. All problems with the file are reported as `storage`
/// errors, whose messages say what happened and what to do.
package final class Database: Sendable {
  /// A message for the user about the opening: that a damaged file was set aside, or that other
  /// users can read the file.
  package let notice: String?
  /// `nil` for a database in memory.
  package let path: String?
  /// The data version when changes by other programs were last checked.
  let seenVersion: Mutex<Int64?>
  private let opening: DatabaseOpening
  /// `nil` until first use for a database in memory: creating the tables would be the slowest step
  /// of a start.
  private let writer: Mutex<Connection?>
  private let readers: ConnectionPool?

  /// Opens the file, creates it if it is missing, and updates an older schema.
  ///
  /// - Throws: `TodoError.storage`: no permission; not a database; a database of another program,
  ///   of a newer version or with unexpected tables; read-only; in use for too long; a file or
  ///   folder that other users own or may write; or damaged, if `onDamage` is `.refuse`.
  package init(
    at location: SQLiteLocation, schema: Schema, now: @escaping @Sendable () -> Timestamp,
    onDamage: DamageRule = .setAside
  ) throws(TodoError) {
    opening = DatabaseOpening(location: location, schema: schema, now: now, onDamage: onDamage)
    guard case .file = location else {
      (notice, path, readers) = (nil, nil, nil)
      seenVersion = Mutex(nil)
      writer = Mutex(nil)
      return
    }
    let opened = try opening.open()
    path = opened.connection.path
    let notices = [opened.notice, path.flatMap { DatabaseFile(path: $0).looseMode }].compactMap {
      $0
    }
    notice = notices.isEmpty ? nil : notices.joined(separator: " ")
    seenVersion = Mutex(try opened.connection.dataVersion)
    readers = try path.map { path throws(TodoError) in try ConnectionPool(path: path) }
    writer = Mutex(opened.connection)
  }

  /// Runs `body` in one transaction, which is applied completely or not at all.
  package func change<Value: Sendable>(
    _ body: (Connection) throws(TodoError) -> Value
  ) throws(TodoError) -> Value {
    try withWriter { connection throws(TodoError) in
      try connection.change { () throws(TodoError) in try body(connection) }
    }
  }

  /// Reads without waiting for changes; in memory, where there is one connection, after them.
  package func read<Value: Sendable>(
    _ body: (Connection) throws(TodoError) -> Value
  ) throws(TodoError) -> Value {
    guard let readers else { return try withWriter(body) }
    return try noticingDamage { () throws(TodoError) in try readers.use(body) }
  }

  /// Starts a snapshot of the current state, for another thread; `nil` in memory, where there is
  /// only one connection.
  package func beginSnapshot() throws(TodoError) -> DatabaseSnapshot? {
    guard let readers else { return nil }
    return try noticingDamage { () throws(TodoError) in try readers.beginSnapshot() }
  }

  /// Runs `body` with the writing connection, for one caller at a time.
  package func withWriter<Value: Sendable>(
    _ body: (Connection) throws(TodoError) -> Value
  ) throws(TodoError) -> Value {
    try noticingDamage { () throws(TodoError) in
      try writer.withLock { known throws(TodoError) in
        if let known { return try body(known) }
        let new = try opening.open().connection
        known = new
        return try body(new)
      }
    }
  }

  /// Makes every later change throw `storage`. For a simulation, which ends a simulated process
  /// while the real one continues.
  package func stopChanging() {
    try? withWriter { connection throws(TodoError) in
      try connection.execute("PRAGMA query_only = ON")
    }
  }

  /// Rolls back every transaction after the next `count` ones, for a simulation of a process that
  /// is killed between two transactions.
  ///
  /// - Parameter onLast: called when the last of them is committed, in the committing thread.
  package func stopChanging(
    afterTransactions count: Int, onLast: @escaping @Sendable () -> Void
  ) throws(TodoError) {
    try withWriter { connection throws(TodoError) in
      connection.limitCommits(to: count, onLast: onLast)
    }
  }

  /// Checkpoints the log, as the last operation: afterwards the file without its log is complete.
  /// Never waits.
  package func close() {
    guard let path else { return }
    // All changes are durable without it, so a concurrent transaction may prevent it.
    let checkpoint = "PRAGMA wal_checkpoint(PASSIVE)"
    let isDone: Void? = writer.withLockIfAvailable { known in try? known?.execute(checkpoint) }
    // Another thread is using the writer, possibly only for reading.
    if isDone == nil { try? Connection(reading: path).execute(checkpoint) }
  }

  /// Marks the file if `body` finds a damaged page, so that the next start checks the whole file.
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
}
