import Synchronization

/// Runs workers as tasks, for a program that has no event loop of its own.
///
/// ```swift
/// let (outputs, continuation) = AsyncStream.makeStream(of: WorkerOutput.self)
/// let runner = WorkerRunner { continuation.yield($0) }
/// host.onWorkerEffects = { runner.perform($0) }
/// ```
///
/// And then, in the task that has the host:
///
/// ```swift
/// for await output in outputs { host.deliver(output) }
/// ```
///
/// Tasks are cancelled when the runner goes.
public final class WorkerRunner: Sendable {
  private let tasks = TaskTable()
  private let receive: @Sendable (WorkerOutput) -> Void

  /// - Parameter receive: called from the tasks, so from any thread; the outputs of one worker come
  ///   in order. It has to bring them to the host's thread or actor.
  public init(receive: @escaping @Sendable (WorkerOutput) -> Void) {
    self.receive = receive
  }

  deinit {
    tasks.cancelAll()
  }

  /// How many workers are running.
  public var runningCount: Int { tasks.count }

  /// Starts and stops workers, in order. What has an immediate answer gives it without a task.
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

/// The tasks that run. A task takes itself out when it has ended.
private final class TaskTable: Sendable {
  private let running = Mutex<[WorkerID: Task<Void, Never>]>([:])

  var count: Int { running.withLock { $0.count } }

  func start(_ task: WorkerTask, receive: @escaping @Sendable (WorkerOutput) -> Void) {
    // Made under the lock, so that it is in the table before it can take itself out.
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
  /// Does the work, unless the task was cancelled before it came to that.
  package func runUnlessCancelled(_ emit: @escaping @Sendable (WorkerOutput) -> Void) async {
    if !Task.isCancelled { await run(emit) }
  }
}
