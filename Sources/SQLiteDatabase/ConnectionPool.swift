import Synchronization
import System
import TodoModel

/// Connections that only read. In a write-ahead log they do not wait for who writes, and there are
/// several, so that a short read does not wait for a long one.
final class ConnectionPool: Sendable {
  private final class Reader: Sendable {
    let connection: Mutex<Connection>

    init(path: String) throws(TodoError) { connection = Mutex(try Connection(reading: path)) }
  }

  private static let readersMax = 3

  private let path: String
  private let file: FileIdentity?
  private let first: Reader
  private let others = Mutex<[Reader]>([])

  /// Opens the first connection; the others when they are needed.
  init(path: String) throws(TodoError) {
    self.path = path
    file = FileIdentity(path: path)
    first = try Reader(path: path)
  }

  func use<Value: Sendable>(
    _ body: (Connection) throws(TodoError) -> Value
  ) throws(TodoError) -> Value {
    for reader in [first] + others.withLock({ $0 }) {
      let value = try reader.connection.withLockIfAvailable { connection throws(TodoError) in
        try body(connection)
      }
      if let value { return value }
    }
    return try (another() ?? first).connection.withLock { connection throws(TodoError) in
      try body(connection)
    }
  }

  /// Nil when there are enough.
  private func another() throws(TodoError) -> Reader? {
    guard others.withLock({ $0.count }) < Self.readersMax - 1 else { return nil }
    let reader = try Reader(path: path)
    // Another file in the same place has other todos.
    guard FileIdentity(path: path) == file else { throw StorageFailure(name: path).moved }
    others.withLock { $0.append(reader) }
    return reader
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
