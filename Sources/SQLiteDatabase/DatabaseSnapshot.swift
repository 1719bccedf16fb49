import CSQLite
import Synchronization
import TodoModel

/// The state of a database at one moment, to be read at length on a thread of its own, while other
/// threads read and change the database.
///
/// ```swift
/// let snapshot = try database.beginSnapshot()   // at its turn, on the deciding thread
/// ...
/// let rows = try snapshot?.read { connection in ... }   // on another thread
/// ```
///
/// It ends when it is read or let go of. While it lives, the log cannot be emptied.
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

  /// Reads. Throws `storage` when it was cancelled, too.
  package func read<Value: Sendable>(
    _ body: (Connection) throws(TodoError) -> Value
  ) throws(TodoError) -> Value {
    try reader.connection.withLock { connection throws(TodoError) in try body(connection) }
  }

  /// Ends a `read` that runs, and all that come. From any thread.
  package func cancel() { cancellation.isCancelled.store(true, ordering: .relaxed) }

  deinit {
    reader.connection.withLock { $0.endSnapshot() }
    pool.release(reader)
  }
}

extension TodoError {
  static let readCancelled = TodoError.storage("The reading was cancelled.")
}

/// Whether what is read is still wanted. SQLite asks while a statement runs; `sqlite3_interrupt`
/// would miss one that is just about to.
final class Cancellation: Sendable {
  let isCancelled = Atomic(false)
}

extension Connection {
  /// How many steps of SQLite's machine pass between two looks: well below a millisecond.
  private static let stepsBetweenLooks: CInt = 10_000

  /// Begins to read from the state as it is now, until `endSnapshot`.
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
