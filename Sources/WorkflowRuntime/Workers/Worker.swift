/// Asynchronous work with one output.
///
/// A workflow requests a worker in its render, with `context.awaitResult(for:)`. The first render
/// that requests the worker starts it. The worker keeps running as long as each later render
/// requests an equivalent worker under the same key; otherwise it is stopped. A finished worker is
/// not restarted while it is requested.
///
/// ```swift
/// struct LoadUser: Worker, Equatable {
///   let id: Int
///   func run() async -> Result<User, LoadError> { await api.user(id) }
/// }
/// ```
///
/// `run` does not throw: an error is an output, so the type of `Output` lists the possible errors.
public protocol Worker<Output>: Sendable {
  /// The type of the output: the result of the work, or an action made from the result.
  associatedtype Output: Sendable

  /// Performs the work. If the worker is no longer requested, its task is cancelled and its output
  /// is dropped.
  func run() async -> Output

  /// Whether `otherWorker` does the same work. If not, the running worker is replaced.
  ///
  /// For an `Equatable` worker the default is `==`.
  func isEquivalent(to otherWorker: Self) -> Bool

  /// Returns a result that is available immediately, such as from a cache; `nil` by default.
  ///
  /// A worker runner may deliver it instead of starting a task.
  ///
  /// ```swift
  /// func immediateResult() -> Result<User, LoadError>? { cache[id].map { .success($0) } }
  /// ```
  func immediateResult() -> Output?
}

extension Worker {
  /// Returns `nil`.
  @inlinable
  public func immediateResult() -> Output? { nil }
}

extension Worker where Self: Equatable {
  /// Whether the two workers are equal.
  @inlinable
  public func isEquivalent(to otherWorker: Self) -> Bool { self == otherWorker }
}

/// Asynchronous work with any number of outputs, in order.
///
/// It starts and stops by the same rules as a ``Worker``.
///
/// ```swift
/// struct Ticks: StreamWorker, Equatable {
///   func run(emit: @escaping @Sendable (Int) -> Void) async {
///     for await tick in clock.ticks { emit(tick) }
///   }
/// }
/// ```
public protocol StreamWorker<Output>: Sendable {
  /// The type of each output: a result of the work, or an action made from the result.
  associatedtype Output: Sendable

  /// Performs the work and calls `emit` with each output. Outputs emitted after `run` has returned
  /// are dropped.
  func run(emit: @escaping @Sendable (Output) -> Void) async

  /// Whether `otherWorker` does the same work. If not, the running worker is replaced.
  func isEquivalent(to otherWorker: Self) -> Bool
}

extension StreamWorker where Self: Equatable {
  /// Whether the two workers are equal.
  @inlinable
  public func isEquivalent(to otherWorker: Self) -> Bool { self == otherWorker }
}
