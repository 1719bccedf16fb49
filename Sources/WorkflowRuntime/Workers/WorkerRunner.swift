import Synchronization

/// A runner that performs workers as tasks, for a program without an event loop.
///
/// ```swift
/// let (outputs, continuation) = AsyncStream.makeStream(of: WorkerOutput.self)
/// let runner = WorkerRunner { continuation.yield($0) }
/// host.onWorkerEffects = { runner.perform($0) }
/// ```
///
/// In the task that uses the host:
///
/// ```swift
/// for await output in outputs { host.deliver(output) }
/// ```
///
/// The tasks are cancelled when the runner is deallocated.
public final class WorkerRunner: Sendable {
  private let tasks = TaskTable()
  private let receive: @Sendable (WorkerOutput) -> Void

  /// Creates a runner.
  ///
  /// - Parameter receive: called with the outputs of each worker in order, from any thread. It must
  ///   pass them to the host's thread or actor.
  public init(receive: @escaping @Sendable (WorkerOutput) -> Void) {
    self.receive = receive
  }

  deinit {
    tasks.cancelAll()
  }

  /// The number of running workers.
  public var runningCount: Int { tasks.count }

  /// Starts and stops workers, in order. An immediate result is delivered without starting a task.
  public func perform(_ effects: [WorkerEffect]) {
    for effect in effects {
      switch effect {
      case .start(let task):
        if let output = task.immediate() {
          receive(output)
        } else {
          tasks.start(task, receive: receive)
        }
      case .stop(let id): tasks.cancel(id)
      }
    }
  }
}

/// The running tasks. A task removes itself when it has ended.
private final class TaskTable: Sendable {
  private let running = Mutex<[WorkerID: Task<Void, Never>]>([:])

  var count: Int { running.withLock { $0.count } }

  func start(_ task: WorkerTask, receive: @escaping @Sendable (WorkerOutput) -> Void) {
    // Created under the lock, so that it is in the table before it can remove itself.
    running.withLock { table in
      table[task.id] = Task.detached { [self] in
        await task.runUnlessCancelled(receive)
        remove(task.id)
      }
    }
  }

  func cancel(_ id: WorkerID) {
    remove(id)?.cancel()
  }

  func cancelAll() {
    let all = running.withLock { table in
      defer { table = [:] }
      return table
    }
    for task in all.values { task.cancel() }
  }

  @discardableResult
  private func remove(_ id: WorkerID) -> Task<Void, Never>? {
    running.withLock { $0.removeValue(forKey: id) }
  }
}

extension WorkerTask {
  /// Performs the work, unless the task is already cancelled.
  package func runUnlessCancelled(_ emit: @escaping @Sendable (WorkerOutput) -> Void) async {
    if !Task.isCancelled { await run(emit) }
  }
}
