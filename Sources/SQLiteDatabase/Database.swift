import Synchronization
import TodoModel

/// A database in a file or in memory: one connection that writes, a few that read, and the rules
/// for opening, damage and what other programs change.
///
/// ```swift
/// let database = try Database(at: .file("/home/ann/todos.sqlite"), schema: schema, now: { .now })
/// try database.change { connection throws(TodoError) in
///   try connection.part(TodoTables.self).insert(todo)
/// }
/// ```
///
/// A change that returned is on disk (WAL, synchronous FULL): one transaction each, which waits up
/// to 10 s for the changes of other programs. Everything that goes wrong with the file is `storage`
/// with a sentence that says what happened and what to do.
package final class Database: Sendable {
  /// What the user has to be told about the opening: that a damaged file was set aside, or that
  /// others can read the file.
  package let notice: String?
  /// Nil in memory.
  package let path: String?
  /// The state of the file in which changes by others were last looked for.
  let seenVersion: Mutex<Int64?>
  private let opening: DatabaseOpening
  /// Nil in memory until it is first used: making the tables takes longer than all else at a start.
  private let writer: Mutex<Connection?>
  private let readers: ConnectionPool?

  /// Opens the file, makes it where it is missing, and brings an older one up to date.
  ///
  /// Throws `storage`: no permission, no database, a database of another program or of a newer
  /// version or with tables that are not ours, read-only, in use for too long, or a file or folder
  /// that others own or may write; and one that is damaged, where `onDamage` says so.
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

  /// One transaction, which is made whole or not at all.
  package func change<Value: Sendable>(
    _ body: (Connection) throws(TodoError) -> Value
  ) throws(TodoError) -> Value {
    try withWriter { connection throws(TodoError) in
      try connection.change { () throws(TodoError) in try body(connection) }
    }
  }

  /// Reads do not wait for changes, but in memory, where there is one connection.
  package func read<Value: Sendable>(
    _ body: (Connection) throws(TodoError) -> Value
  ) throws(TodoError) -> Value {
    guard let readers else { return try withWriter(body) }
    return try noticingDamage { () throws(TodoError) in try readers.use(body) }
  }

  /// The state as it is now, to be read on another thread; nil in memory, where there is one
  /// connection only.
  package func beginSnapshot() throws(TodoError) -> DatabaseSnapshot? {
    guard let readers else { return nil }
    return try noticingDamage { () throws(TodoError) in try readers.beginSnapshot() }
  }

  /// The connection that writes, to one caller at a time.
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

  /// From now on nothing is changed any more: every change throws `storage`. For a simulation, whose
  /// processes end without ending the one that they run in.
  package func stopChanging() {
    try? withWriter { connection throws(TodoError) in
      try connection.execute("PRAGMA query_only = ON")
    }
  }

  /// Rolls back every transaction after the next `count` ones, for a simulation of a process that is
  /// killed between two transactions.
  ///
  /// - Parameter onLast: Called when the last of them is committed, on the thread that commits it.
  package func stopChanging(
    afterTransactions count: Int, onLast: @escaping @Sendable () -> Void
  ) throws(TodoError) {
    try withWriter { connection throws(TodoError) in
      connection.limitCommits(to: count, onLast: onLast)
    }
  }

  /// Tidies up, as the last thing that is asked: afterwards a copy of the file alone has
  /// everything. It waits for nobody.
  package func close() {
    guard let path else { return }
    // Everything is durable without it, so what stands in the way may stay there.
    let checkpoint = "PRAGMA wal_checkpoint(PASSIVE)"
    let isDone: Void? = writer.withLockIfAvailable { known in try? known?.execute(checkpoint) }
    // Whoever has the writer now may only be asking it something.
    if isDone == nil { try? Connection(reading: path).execute(checkpoint) }
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
}
