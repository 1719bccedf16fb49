/// What the edge has to do so that the workers that run are the workers that are wanted.
///
/// The host starts nothing itself. It says what has to happen, stops before starts, and the edge of
/// the program does it: ``WorkerRunner``, an event loop, or a test.
public enum WorkerEffect: Sendable {
  /// Run this, and bring what it emits back to `WorkflowHost.deliver(_:)`.
  case start(WorkerTask)

  /// Cancel this one. What it still emits is dropped by the host.
  case stop(WorkerID)
}

/// Names one run of one worker. A replaced worker's successor has another id.
public struct WorkerID: Hashable, Sendable {
  /// Counts up from one in each host.
  public let number: Int

  /// The id of the worker that was the `number`th of its host to be wanted.
  public init(number: Int) {
    self.number = number
  }
}

extension WorkerID: CustomStringConvertible {
  /// The number as it is logged, such as `#3`.
  public var description: String { "#\(number)" }
}

/// A worker to be run.
public struct WorkerTask: Sendable {
  /// Which run this is: what ``WorkerEffect/stop(_:)`` and the outputs refer to.
  public let id: WorkerID

  /// The answer that can be had without waiting, if there is one.
  ///
  /// An edge that delivers it need not call `run`.
  public let immediate: @Sendable () -> WorkerOutput?

  /// Does the work. It emits each answer, and returns when the work has ended.
  public let run: @Sendable (_ emit: @escaping @Sendable (WorkerOutput) -> Void) async -> Void

  /// The type of the worker, by which two of one name are told apart.
  public let workerType: Any.Type

  /// The key it was asked for with.
  public let key: String

  /// Whether it may answer more than once.
  public let isStream: Bool

  /// The worker's type and key, for logs.
  public var name: String {
    key.isEmpty ? "\(workerType)" : "\(workerType)(\(key))"
  }

  @usableFromInline
  init(
    id: WorkerID, key: String, workerType: Any.Type, isStream: Bool,
    immediate: @escaping @Sendable () -> WorkerOutput?,
    run: @escaping @Sendable (_ emit: @escaping @Sendable (WorkerOutput) -> Void) async -> Void
  ) {
    self.id = id
    self.key = key
    self.workerType = workerType
    self.isStream = isStream
    self.immediate = immediate
    self.run = run
  }
}

/// One answer of one worker on its way back to the host.
///
/// ```swift
/// host.deliver(WorkerOutput(workerID: task.id, value: 3))
/// ```
public struct WorkerOutput: Sendable {
  /// The worker that answers.
  public let workerID: WorkerID

  /// The answer: the worker's `Output`. ``WorkerEnd`` for a stream that ended, with `isLast`.
  public let value: any Sendable

  /// Whether the worker has ended with this.
  public let isLast: Bool

  /// An answer that an edge makes itself instead of running the worker. A `value` of another type
  /// than the worker's `Output` is dropped.
  public init(workerID: WorkerID, value: any Sendable, isLast: Bool = true) {
    self.workerID = workerID
    self.value = value
    self.isLast = isLast
  }
}

/// The value of the output by which a stream worker says that it has ended.
public struct WorkerEnd: Sendable {
  /// The only value there is.
  public init() {}
}
