/// An instruction to start or stop a worker. After all effects are performed, exactly the requested
/// workers run.
///
/// The host starts no tasks itself. It reports the effects: all stops, then all starts. The program
/// performs the effects: with ``WorkerRunner``, in an event loop, or in a test.
public enum WorkerEffect: Sendable {
  /// Run this task, and pass each output to `WorkflowHost.deliver(_:)`.
  case start(WorkerTask)

  /// Cancel this worker. The host drops its later outputs.
  case stop(WorkerID)
}

/// The identity of one run of a worker. The replacement of a worker has another id.
public struct WorkerID: Hashable, Sendable {
  /// The number of the worker in its host, starting with one.
  public let number: Int

  /// Creates the id of the `number`th worker that was requested in its host.
  public init(number: Int) {
    self.number = number
  }
}

extension WorkerID: CustomStringConvertible {
  /// The number in the form used in logs, such as `#3`.
  public var description: String { "#\(number)" }
}

/// A worker to run.
public struct WorkerTask: Sendable {
  /// The id of this run, which ``WorkerEffect/stop(_:)`` and the outputs refer to.
  public let id: WorkerID

  /// A closure that returns the result if it is available immediately, and `nil` otherwise.
  ///
  /// If the host receives this result, `run` need not be called.
  public let immediate: @Sendable () -> WorkerOutput?

  /// A closure that performs the work: emits each output, and returns when the work has ended.
  public let run: @Sendable (_ emit: @escaping @Sendable (WorkerOutput) -> Void) async -> Void

  /// The type of the worker. Unlike `name`, it distinguishes types with the same name.
  public let workerType: Any.Type

  /// The key under which the worker was requested.
  public let key: String

  /// Whether the worker can have several outputs.
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

/// One output of a worker, to be delivered to the host.
///
/// ```swift
/// host.deliver(WorkerOutput(workerID: task.id, value: 3))
/// ```
public struct WorkerOutput: Sendable {
  /// The worker that the output is from.
  public let workerID: WorkerID

  /// The value that the worker has sent, or a ``WorkerEnd`` if a stream worker has ended.
  public let value: any Sendable

  /// Whether the worker has ended with this output.
  public let isLast: Bool

  /// Creates an output without running the worker. The host drops the output if the type of `value`
  /// is not the worker's `Output`.
  public init(workerID: WorkerID, value: any Sendable, isLast: Bool = true) {
    self.workerID = workerID
    self.value = value
    self.isLast = isLast
  }
}

/// The value of the output that reports the end of a stream worker.
public struct WorkerEnd: Sendable {
  /// Creates the value, which has no contents.
  public init() {}
}
