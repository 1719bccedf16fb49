import Synchronization
import TestSupport
import TodoModel

@testable import SQLiteDatabase
@testable import TodoDatabase
@testable import TodoStores

// Swift Testing has a type of this name, too.
typealias Issue = TodoModel.Issue

extension Environment {
  /// A world where each look at the clock is a second later, and ids are counted.
  static func counting(idsFrom first: Int64 = 1) -> Environment {
    let clock = Counter(start: 1_700_000_000_000, step: 1_000)
    let ids = Counter(start: first, step: 1)
    return Environment(
      now: { Timestamp(milliseconds: clock.next()) }, newID: { TodoID("t\(ids.next())") },
      offload: .thread)
  }
}

final class Counter: Sendable {
  private let value: Mutex<Int64>
  private let step: Int64

  init(start: Int64, step: Int64) {
    value = Mutex(start)
    self.step = step
  }

  var current: Int64 { value.withLock { $0 } }

  func next() -> Int64 {
    value.withLock { value in
      defer { value += step }
      return value
    }
  }
}

extension SQLiteStore {
  var notice: String? { database.notice }

  /// The connection that writes.
  func withConnection<Value: Sendable>(
    _ body: (Connection) throws(TodoError) -> Value
  ) throws(TodoError) -> Value {
    try database.withWriter(body)
  }
}

extension Connection {
  /// The first column of each row.
  func texts(_ sql: String) throws(TodoError) -> [String] {
    try Statement(sql, on: self).all { row in row.text(0) }
  }
}

extension TodoListKey {
  static let local = TodoListKey(profile: "ann", source: "")
  static let source = TodoListKey(profile: "ann", source: "github:octo/tasks")
}

extension Issue {
  static func sample(
    _ number: Int64, title: String? = nil, body: String = "", isClosed: Bool = false
  ) -> Issue {
    Issue(
      number: number, url: "https://example.org/issues/\(number)",
      title: title ?? "Issue \(number)", body: body, isClosed: isClosed,
      createdAt: Timestamp(milliseconds: number), updatedAt: Timestamp(milliseconds: number))
  }
}

/// The error that `body` throws, or nil.
func failure<Value>(_ body: () async throws -> Value) async -> TodoError? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error as? TodoError
  }
}
