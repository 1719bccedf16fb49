import CSQLite
import Synchronization
import TodoModel

/// A consistent state of a database, for a long read in a separate thread while other threads read
/// and change the database.
///
/// ```swift
/// let snapshot = try database.beginSnapshot()   // at its turn, on the deciding thread
/// ...
/// let rows = try snapshot?.read { connection in ... }   // on another thread
/// ```
///
/// It ends when it is released. While it exists, the log cannot be emptied.
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
  /// - Throws: `TodoError.storage`, also after a cancellation.
  package func read<Value: Sendable>(
    _ body: (Connection) throws(TodoError) -> Value
  ) throws(TodoError) -> Value {
    try reader.connection.withLock { connection throws(TodoError) in try body(connection) }
  }

  /// Cancels the current `read` and all later ones. Callable from any thread.
  package func cancel() { cancellation.isCancelled.store(true, ordering: .relaxed) }

  deinit {
    reader.connection.withLock { $0.endSnapshot() }
    pool.release(reader)
  }
}

extension TodoError {
  static let readCancelled = TodoError.storage("The reading was cancelled.")
}

/// Whether the read is cancelled. SQLite checks it while a statement runs; `sqlite3_interrupt`
/// would have no effect on a statement that is about to start.
final class Cancellation: Sendable {
  let isCancelled = Atomic(false)
}

extension Connection {
  /// The number of virtual machine steps between two checks: well below a millisecond.
  private static let stepsBetweenLooks: CInt = 10_000

  /// Begins to read from the current state, until `endSnapshot`.
  fileprivate func beginSnapshot(_ cancellation: Cancellation) throws(TodoError) {
    try beginReading()
    sqlite3_progress_handler(
      handle, Self.stepsBetweenLooks,
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
