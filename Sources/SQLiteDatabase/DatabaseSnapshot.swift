import CSQLite
import Synchronization
import TodoModel

/// A consistent state of a database, for a long read on one thread while other threads read and
/// change the database.
///
/// ```swift
/// // On the main thread, when the read is next in the queue:
/// let snapshot = try database.beginSnapshot()
/// ...
/// // On another thread:
/// let rows = try snapshot?.read { connection in ... }
/// ```
///
/// The snapshot ends when it is released. While it exists, the log cannot be emptied.
package final class DatabaseSnapshot: Sendable {
  private let reader: PooledConnection
  private let pool: ConnectionPool
  private let cancellation = Cancellation()

  init(over reader: PooledConnection, of pool: ConnectionPool) throws(TodoError) {
    self.reader = reader
    self.pool = pool
    try reader.connection.withLock { connection throws(TodoError) in
      try connection.beginSnapshot(cancellation)
    }
  }

  /// Reads from the snapshot.
  ///
  /// - Throws: `TodoError.storage`, also if the read is cancelled.
  package func read<Value: Sendable>(
    _ body: (Connection) throws(TodoError) -> Value
  ) throws(TodoError) -> Value {
    try reader.connection.withLock { connection throws(TodoError) in try body(connection) }
  }

  /// Cancels the current `read` and all later ones. May be called on any thread.
  package func cancel() { cancellation.isCancelled.store(true, ordering: .relaxed) }

  deinit {
    reader.connection.withLock { $0.endSnapshot() }
    pool.release(reader)
  }
}

extension TodoError {
  static let readCancelled = TodoError.storage("The reading was cancelled.")
}

/// A flag that cancels a read. SQLite checks it while a statement runs. `sqlite3_interrupt` would
/// have no effect on a statement that is about to start.
final class Cancellation: Sendable {
  let isCancelled = Atomic(false)
}

extension Connection {
  /// The number of steps of SQLite's virtual machine between two checks of the flag. These steps
  /// take well below a millisecond.
  private static let stepsBetweenChecks: CInt = 10_000

  /// Begins to read from the current state. All reads until `endSnapshot` see this state.
  fileprivate func beginSnapshot(_ cancellation: Cancellation) throws(TodoError) {
    try beginReading()
    sqlite3_progress_handler(
      handle, Self.stepsBetweenChecks,
      { context in
        guard let context else { return 0 }
        let cancellation = Unmanaged<Cancellation>.fromOpaque(context).takeUnretainedValue()
        return cancellation.isCancelled.load(ordering: .relaxed) ? 1 : 0
      }, Unmanaged.passUnretained(cancellation).toOpaque())
  }

  fileprivate func endSnapshot() {
    sqlite3_progress_handler(handle, 0, nil, nil)
    endReading()
  }
}
