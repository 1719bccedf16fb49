import Synchronization
import TodoModel

extension Environment {
  /// Returns an environment whose clock advances with each call, and whose ids are counted.
  package static func counting(idsFrom first: Int64 = 1, seconds: Int64 = 1) -> Environment {
    let clock = Counter(start: 1_700_000_000_000, step: seconds * 1_000)
    let ids = Counter(start: first, step: 1)
    return Environment(
      now: { Timestamp(milliseconds: clock.next()) }, newID: { TodoID("t\(ids.next())") },
      offload: .thread)
  }
}

/// A thread-safe counter.
package final class Counter: Sendable {
  private let value: Mutex<Int64>
  private let step: Int64

  package init(start: Int64, step: Int64) {
    value = Mutex(start)
    self.step = step
  }

  package var current: Int64 { value.withLock { $0 } }

  /// Returns the current number, and advances to the next one.
  package func next() -> Int64 {
    value.withLock { value in
      defer { value += step }
      return value
    }
  }
}

extension CivilDay {
  /// Friday, 27 November 2026.
  package static let sample = CivilDay("2026-11-27") ?? .first
}

extension TodoListKey {
  /// The local list of the user that the tests log in.
  package static let local = TodoListKey(profile: "ann", source: "")
  /// The same user's list of a GitHub repository.
  package static let source = TodoListKey(profile: "ann", source: "github:octo/tasks")
}

extension Issue {
  package static func sample(
    _ number: Int64, title: String? = nil, body: String = "", isClosed: Bool = false,
    details: SourceDetails? = nil
  ) -> Issue {
    Issue(
      number: number, url: "https://example.org/issues/\(number)",
      title: title ?? "Issue \(number)", body: body, isClosed: isClosed,
      details: details, createdAt: Timestamp(milliseconds: number),
      updatedAt: Timestamp(milliseconds: number))
  }
}

/// Returns the `TodoError` that `body` throws; `nil` if it throws no error or an error of another
/// type.
package func failure<Value>(_ body: () async throws -> Value) async -> TodoError? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error as? TodoError
  }
}
