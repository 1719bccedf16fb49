import Synchronization
import TodoModel

/// A database in a file or in memory, with one writing connection and a few reading connections. It
/// also updates an older schema, sets a damaged file aside and detects changes by other programs.
///
/// ```swift
/// let database = try Database(at: .file("/home/ann/todos.sqlite"), schema: schema, now: { .now })
/// try database.change { connection throws(TodoError) in
///   try connection.part(TodoTables.self).insert(todo)
/// }
/// ```
///
/// Each change is one transaction (WAL, synchronous FULL): it is on disk when the call returns. The
/// call waits up to 10 s for changes by other programs. All problems with the file are reported as
/// `storage` errors, whose messages say what happened and what to do.
package final class Database: Sendable {
  /// A message for the user about opening the file: a damaged file was set aside, or other users
  /// can read the file. `nil` if there is nothing to report.
  package let notice: String?
  /// The path of the file; `nil` for a database in memory.
  package let path: String?
  /// The data version at the last check for changes by other programs; `nil` for a database in
  /// memory.
  let seenVersion: Mutex<Int64?>
  private let opening: DatabaseOpening
  /// The writing connection. For a database in memory, it is `nil` until first use, because
  /// creating the tables would be the slowest step of a start.
  private let writer: Mutex<Connection?>
  private let readers: ConnectionPool?

  /// Opens the file, creates it if it is missing, and updates an older schema.
  ///
  /// - Throws: `TodoError.storage` in these cases:
  ///   - The file is not accessible, not a database, read-only or in use for too long.
  ///   - The database belongs to another program, or has a newer schema or unexpected tables.
  ///   - Other users own the file or its folder, or may write to them.
  ///   - The file is damaged and `onDamage` is `.refuse`.
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
    let warning = path.flatMap { DatabaseFile(path: $0).readableByOthersWarning }
    let notices = [opened.notice, warning].compactMap(\.self)
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

  /// Runs `body` with a reading connection, without waiting for the writing connection. A database
  /// in memory has only one connection, so `body` waits for a change in progress.
  package func read<Value: Sendable>(
    _ body: (Connection) throws(TodoError) -> Value
  ) throws(TodoError) -> Value {
    guard let readers else { return try withWriter(body) }
    return try markingDamage { () throws(TodoError) in try readers.use(body) }
  }

  /// Starts a snapshot of the current state, for use on another thread; `nil` for a database in
  /// memory, which has only one connection.
  package func beginSnapshot() throws(TodoError) -> DatabaseSnapshot? {
    guard let readers else { return nil }
    return try markingDamage { () throws(TodoError) in try readers.beginSnapshot() }
  }

  /// Runs `body` with the writing connection, for one caller at a time.
  package func withWriter<Value: Sendable>(
    _ body: (Connection) throws(TodoError) -> Value
  ) throws(TodoError) -> Value {
    try markingDamage { () throws(TodoError) in
      try writer.withLock { known throws(TodoError) in
        if let known { return try body(known) }
        let new = try opening.open().connection
        known = new
        return try body(new)
      }
    }
  }

  /// Makes every later change throw `storage`. For simulations, in which a simulated process ends
  /// while the real process continues.
  package func stopChanging() {
    try? withWriter { connection throws(TodoError) in
      try connection.execute("PRAGMA query_only = ON")
    }
  }

  /// Allows `count` more commits, and rolls back all later transactions. For simulations of a
  /// process that is killed between two transactions.
  ///
  /// - Parameter onLast: Called on the committing thread at the last of these commits.
  package func stopChanging(
    afterTransactions count: Int, onLast: @escaping @Sendable () -> Void
  ) throws(TodoError) {
    try withWriter { connection throws(TodoError) in
      connection.limitCommits(to: count, onLast: onLast)
    }
  }

  /// Checkpoints the log, so that the file is complete without it. Must be the last operation.
  /// Never waits.
  package func close() {
    guard let path else { return }
    // All changes are durable without the checkpoint, so no harm is done if a concurrent
    // transaction prevents it.
    let checkpoint = "PRAGMA wal_checkpoint(PASSIVE)"
    let isDone: Void? = writer.withLockIfAvailable { known in try? known?.execute(checkpoint) }
    // Another thread is using the writing connection, possibly only for reading.
    if isDone == nil { try? Connection(reading: path).execute(checkpoint) }
  }

  /// Runs `body`. If `body` finds a damaged page, marks the file, so that the next start checks all
  /// pages.
  private func markingDamage<Value>(
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
