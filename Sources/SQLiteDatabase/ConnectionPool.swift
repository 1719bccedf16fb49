import Synchronization
import System
import TodoModel

/// A pool of reading connections. In WAL mode, readers do not wait for the writer. There are
/// several readers, so that a short read does not wait for a long one.
final class ConnectionPool: Sendable {
  private static let readersMax = 3
  /// The maximum number of idle connections that are kept for later snapshots. Each connection
  /// occupies memory with the caches of its parts (see `ConnectionPart`).
  private static let idleMax = 2

  private let path: String
  private let file: FileIdentity?
  private let first: PooledConnection
  private let others = Mutex<[PooledConnection]>([])
  private let idle = Mutex<[PooledConnection]>([])

  /// Opens the first connection; the others are opened on demand.
  init(path: String) throws(TodoError) {
    self.path = path
    file = FileIdentity(path: path)
    first = try PooledConnection(path: path)
  }

  func use<Value: Sendable>(
    _ body: (Connection) throws(TodoError) -> Value
  ) throws(TodoError) -> Value {
    if let value = try first.tryUse(body) { return value }
    for reader in others.withLock({ $0 }) {
      if let value = try reader.tryUse(body) { return value }
    }
    return try (another() ?? first).connection.withLock { connection throws(TodoError) in
      try body(connection)
    }
  }

  /// Opens another connection; returns `nil` if the pool is full.
  private func another() throws(TodoError) -> PooledConnection? {
    guard others.withLock({ $0.count }) < Self.readersMax - 1 else { return nil }
    let reader = try open()
    others.withLock { $0.append(reader) }
    return reader
  }

  private func open() throws(TodoError) -> PooledConnection {
    let reader = try PooledConnection(path: path)
    // A file that has replaced the original one contains other todos.
    guard FileIdentity(path: path) == file else { throw StorageFailure(name: path).moved }
    return reader
  }

  /// Starts a snapshot of the current state, on its own connection.
  func beginSnapshot() throws(TodoError) -> DatabaseSnapshot {
    let known = idle.withLock { $0.popLast() }
    guard let known else { return try DatabaseSnapshot(over: open(), of: self) }
    return try DatabaseSnapshot(over: known, of: self)
  }

  func release(_ reader: PooledConnection) {
    idle.withLock { idle in
      if idle.count < Self.idleMax { idle.append(reader) }
    }
  }
}

/// A reading connection that one thread at a time may use.
final class PooledConnection: Sendable {
  let connection: Mutex<Connection>

  init(path: String) throws(TodoError) { connection = Mutex(try Connection(reading: path)) }

  /// Runs `body` with the connection; returns `nil` if another thread is using it.
  func tryUse<Value: Sendable>(
    _ body: (Connection) throws(TodoError) -> Value
  ) throws(TodoError) -> Value? {
    try connection.withLockIfAvailable { connection throws(TodoError) in try body(connection) }
  }
}

/// The identity of a file: its device and its inode number.
private struct FileIdentity: Equatable {
  var device: dev_t
  var number: ino_t

  /// Reads the identity of the file at a path; `nil` if no file exists.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, number) = (status.st_dev, status.st_ino)
  }
}
