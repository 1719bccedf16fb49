import Synchronization
import System
import TodoModel

/// Connections that only read. In a write-ahead log they do not wait for who writes, and there are
/// several, so that a short read does not wait for a long one.
final class ConnectionPool: Sendable {
  private static let readersMax = 3
  /// How many connections for snapshots are kept between them. What they know of orders is kept
  /// with them.
  private static let idleMax = 2

  private let path: String
  private let file: FileIdentity?
  private let first: PooledConnection
  private let others = Mutex<[PooledConnection]>([])
  private let idle = Mutex<[PooledConnection]>([])

  /// Opens the first connection; the others when they are needed.
  init(path: String) throws(TodoError) {
    self.path = path
    file = FileIdentity(path: path)
    first = try PooledConnection(path: path)
  }

  func use<Value: Sendable>(
    _ body: (Connection) throws(TodoError) -> Value
  ) throws(TodoError) -> Value {
    if let value = try first.useIfFree(body) { return value }
    for reader in others.withLock({ $0 }) {
      if let value = try reader.useIfFree(body) { return value }
    }
    return try (another() ?? first).connection.withLock { connection throws(TodoError) in
      try body(connection)
    }
  }

  /// Nil when there are enough.
  private func another() throws(TodoError) -> PooledConnection? {
    guard others.withLock({ $0.count }) < Self.readersMax - 1 else { return nil }
    let reader = try open()
    others.withLock { $0.append(reader) }
    return reader
  }

  private func open() throws(TodoError) -> PooledConnection {
    let reader = try PooledConnection(path: path)
    // Another file in the same place has other todos.
    guard FileIdentity(path: path) == file else { throw StorageFailure(name: path).moved }
    return reader
  }

  /// The state as it is now, on a connection of its own.
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

/// A connection that reads, for one thread at a time.
final class PooledConnection: Sendable {
  let connection: Mutex<Connection>

  init(path: String) throws(TodoError) { connection = Mutex(try Connection(reading: path)) }

  /// Nil where another thread reads with it.
  func useIfFree<Value: Sendable>(
    _ body: (Connection) throws(TodoError) -> Value
  ) throws(TodoError) -> Value? {
    try connection.withLockIfAvailable { connection throws(TodoError) in try body(connection) }
  }
}

/// Which file a path leads to now.
private struct FileIdentity: Equatable {
  var device: dev_t
  var number: ino_t

  /// Nil when there is none.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, number) = (status.st_dev, status.st_ino)
  }
}
