import WorkflowRuntime

/// A tester that runs a worker alone, without a host.
///
/// ```swift
/// await LoadUser(id: 1).tester()
///   .assertEquivalent(to: LoadUser(id: 1))
///   .assertNotEquivalent(to: LoadUser(id: 2))
///   .run { outputs in #expect(outputs == [.success(ada)]) }
/// ```
public struct WorkerTester<Work: Sendable, Output: Sendable> {
  private let worker: Work
  private let isEquivalent: (Work, Work) -> Bool
  private let outputs: @Sendable (Work) async -> [Output]

  init(
    _ worker: Work, isEquivalent: @escaping (Work, Work) -> Bool,
    outputs: @escaping @Sendable (Work) async -> [Output]
  ) {
    self.worker = worker
    self.isEquivalent = isEquivalent
    self.outputs = outputs
  }

  /// Expects the workers to be equivalent in both directions.
  @discardableResult
  public func assertEquivalent(
    to other: Work, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) -> Self {
    if !isEquivalent(worker, other) || !isEquivalent(other, worker) {
      fail(
        "Expected \(shown(worker)) to be equivalent to \(shown(other)).",
        at: CallSite(fileID, filePath, line, column))
    }
    return self
  }

  /// Expects the workers not to be equivalent in either direction.
  @discardableResult
  public func assertNotEquivalent(
    to other: Work, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) -> Self {
    if isEquivalent(worker, other) || isEquivalent(other, worker) {
      fail(
        "Expected \(shown(worker)) not to be equivalent to \(shown(other)).",
        at: CallSite(fileID, filePath, line, column))
    }
    return self
  }

  /// Runs the worker to its end and passes its outputs to a closure, in order.
  @discardableResult
  public func run(_ assertions: ([Output]) throws -> Void) async rethrows -> Self {
    try assertions(await outputs(worker))
    return self
  }
}

extension Worker {
  /// Creates a tester for this worker.
  public func tester() -> WorkerTester<Self, Output> {
    WorkerTester(self, isEquivalent: { $0.isEquivalent(to: $1) }, outputs: { [await $0.run()] })
  }
}

extension StreamWorker {
  /// Creates a tester for this worker.
  public func tester() -> WorkerTester<Self, Output> {
    WorkerTester(
      self, isEquivalent: { $0.isEquivalent(to: $1) }, outputs: { await $0.collectedOutputs() })
  }

  private func collectedOutputs() async -> [Output] {
    let (stream, continuation) = AsyncStream.makeStream(of: Output.self)
    await run { continuation.yield($0) }
    continuation.finish()
    var outputs: [Output] = []
    for await output in stream { outputs.append(output) }
    return outputs
  }
}
