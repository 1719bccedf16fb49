/// A worker that runs a closure.
///
/// Two workers are equivalent if their `id`s are equal, because closures cannot be compared.
/// Without an `id`, all workers with the same output type are equivalent, so the first one runs to
/// its end.
///
/// ```swift
/// let search = AsyncOperationWorker(id: query) { await index.find(query) }
/// context.awaitResult(for: search) { Action.found($0) }
/// ```
public struct AsyncOperationWorker<Output: Sendable>: Worker {
  private let id: String
  private let operation: @Sendable () async -> Output

  /// Creates a worker that runs `operation`; `id` identifies the input of `operation`.
  public init(id: String = "", operation: @escaping @Sendable () async -> Output) {
    self.id = id
    self.operation = operation
  }

  /// Runs the closure.
  public func run() async -> Output { await operation() }

  /// Whether the ids are equal.
  public func isEquivalent(to otherWorker: Self) -> Bool { id == otherWorker.id }
}

extension AsyncOperationWorker {
  /// Creates a worker whose closure can throw: the output is a `Result`.
  ///
  /// ```swift
  /// let load = AsyncOperationWorker<Result<String, any Error>>.catching(id: path) {
  ///   try await read(path)
  /// }
  /// context.awaitResult(for: load) { Action.loaded($0) }
  /// ```
  public static func catching<Success: Sendable>(
    id: String = "", operation: @escaping @Sendable () async throws -> Success
  ) -> Self where Output == Result<Success, any Error> {
    AsyncOperationWorker(id: id) {
      do { return .success(try await operation()) } catch { return .failure(error) }
    }
  }
}
