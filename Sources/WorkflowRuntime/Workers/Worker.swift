/// Asynchronous work with one answer.
///
/// A workflow asks for it while it is drawn, with `context.awaitResult(for:)`. The first pass that
/// asks starts it; it goes on as long as each later pass asks for an equivalent one under the same
/// key; a pass that does not ask stops it. A finished worker is not started again while it is asked
/// for.
///
/// ```swift
/// struct LoadUser: Worker, Equatable {
///   let id: Int
///   func run() async -> Result<User, LoadError> { await api.user(id) }
/// }
/// ```
///
/// `run` does not throw: an error is an answer, so `Output` says which errors there are.
public protocol Worker<Output>: Sendable {
  /// The answer, or an action made of it.
  associatedtype Output: Sendable

  /// Does the work. Its task is cancelled when the worker is no longer asked for; what it then
  /// returns is dropped.
  func run() async -> Output

  /// Whether `otherWorker` does the same work. If not, the one that runs is replaced.
  ///
  /// For an `Equatable` worker the default is `==`.
  func isEquivalent(to otherWorker: Self) -> Bool

  /// An answer that can be had without waiting, such as one from a cache. The default is `nil`.
  ///
  /// Whoever runs the workers may take it instead of starting a task.
  ///
  /// ```swift
  /// func immediateResult() -> Result<User, LoadError>? { cache[id].map { .success($0) } }
  /// ```
  func immediateResult() -> Output?
}

extension Worker {
  /// Nothing can be had without waiting.
  @inlinable
  public func immediateResult() -> Output? { nil }
}

extension Worker where Self: Equatable {
  /// Whether the two are equal.
  @inlinable
  public func isEquivalent(to otherWorker: Self) -> Bool { self == otherWorker }
}

/// Asynchronous work with any number of answers, in order.
///
/// It lives by the same rules as a ``Worker``.
///
/// ```swift
/// struct Ticks: StreamWorker, Equatable {
///   func run(emit: @escaping @Sendable (Int) -> Void) async {
///     for await tick in clock.ticks { emit(tick) }
///   }
/// }
/// ```
public protocol StreamWorker<Output>: Sendable {
  /// One answer, or an action made of it.
  associatedtype Output: Sendable

  /// Does the work and calls `emit` for each answer. What is emitted after `run` has returned is
  /// dropped.
  func run(emit: @escaping @Sendable (Output) -> Void) async

  /// Whether `otherWorker` does the same work. If not, the one that runs is replaced.
  func isEquivalent(to otherWorker: Self) -> Bool
}

extension StreamWorker where Self: Equatable {
  /// Whether the two are equal.
  @inlinable
  public func isEquivalent(to otherWorker: Self) -> Bool { self == otherWorker }
}
