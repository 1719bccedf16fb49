/// A stream worker whose outputs are the elements of an `AsyncSequence`.
///
/// Two workers are equivalent if their `id`s are equal, because sequences cannot be compared.
///
/// ```swift
/// let watching = AsyncSequenceWorker(id: path) { changes(of: path) }
/// context.awaitResult(for: watching) { Action.changed($0) }
/// ```
public struct AsyncSequenceWorker<Output: Sendable>: StreamWorker {
  private let id: String
  private let iterate: @Sendable (_ emit: @Sendable (Output) -> Void) async -> Void

  /// Creates a worker from a sequence that does not throw. `makeSequence` is called when the worker
  /// starts.
  public init<Elements: AsyncSequence>(
    id: String = "", _ makeSequence: @escaping @Sendable () -> Elements
  )
  where
    Elements.Element == Output, Elements.Failure == Never,
    Elements: SendableMetatype, Elements.AsyncIterator: SendableMetatype
  {
    self.id = id
    iterate = { emit in
      for await element in makeSequence() {
        if Task.isCancelled { return }
        emit(element)
      }
    }
  }

  /// Creates a worker from a sequence that can throw. `onFailure` returns a last output for the
  /// error, or `nil` for none.
  ///
  /// ```swift
  /// let reading = AsyncSequenceWorker(
  ///   id: path, { lines(of: path) }, onFailure: { _ in "(unreadable)" })
  /// ```
  public init<Elements: AsyncSequence>(
    id: String = "", _ makeSequence: @escaping @Sendable () -> Elements,
    onFailure: @escaping @Sendable (any Error) -> Output?
  )
  where
    Elements.Element == Output,
    Elements: SendableMetatype, Elements.AsyncIterator: SendableMetatype
  {
    self.id = id
    iterate = { emit in
      do {
        for try await element in makeSequence() {
          if Task.isCancelled { return }
          emit(element)
        }
      } catch {
        if !Task.isCancelled, let last = onFailure(error) { emit(last) }
      }
    }
  }

  /// Iterates over the sequence.
  public func run(emit: @escaping @Sendable (Output) -> Void) async { await iterate(emit) }

  /// Whether the ids are equal.
  public func isEquivalent(to otherWorker: Self) -> Bool { id == otherWorker.id }
}
