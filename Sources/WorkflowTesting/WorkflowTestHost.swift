import WorkflowRuntime

/// A host driven by the test: workers do not run, and the test delivers their outputs.
///
/// ```swift
/// let test = WorkflowTestHost(workflow: Search())
/// test.host.rendering.onQuery("swift")
/// #expect(test.drainLog() == ["start Find #1"])
/// test.deliver(["a", "b"], from: Find.self)
/// #expect(test.host.rendering.hits == ["a", "b"])
/// ```
public final class WorkflowTestHost<WorkflowType: Workflow> {
  /// The host. `WorkflowTestHost` drains its worker effects, so the test must not drain them.
  public let host: WorkflowHost<WorkflowType>

  private var tasks: [WorkerTask] = []
  private var stopped: Set<WorkerID> = []
  private var written: [String] = []

  /// Creates the tree and renders it, as `WorkflowHost` does.
  public init(
    workflow: WorkflowType, observers: [any WorkflowObserver] = [],
    restoring snapshot: TreeSnapshot? = nil
  ) {
    host = WorkflowHost(workflow: workflow, observers: observers, restoring: snapshot)
  }

  /// The names of the requested workers that have not ended, in the order of their start.
  public var running: [String] {
    drainEffects()
    return tasks.filter { !stopped.contains($0.id) }.map(\.name)
  }

  /// Returns and clears the log of started and stopped workers: `start Find #1`, `stop Find #1`.
  public func drainLog() -> [String] {
    drainEffects()
    defer { written = [] }
    return written
  }

  /// Delivers the output of the running worker with this type and key, which ends the worker.
  public func deliver<Work: Worker>(
    _ output: Work.Output, from type: Work.Type, key: String = "",
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    guard let id = id(of: type, key, at: CallSite(fileID, filePath, line, column)) else { return }
    stopped.insert(id)
    host.deliver(WorkerOutput(workerID: id, value: output))
  }

  /// Delivers one output of the running stream worker with this type and key.
  public func deliver<Work: StreamWorker>(
    _ output: Work.Output, from type: Work.Type, key: String = "",
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    guard let id = id(of: type, key, at: CallSite(fileID, filePath, line, column)) else { return }
    host.deliver(WorkerOutput(workerID: id, value: output, isLast: false))
  }

  /// Ends the running stream worker with this type and key.
  public func finish<Work: StreamWorker>(
    _ type: Work.Type, key: String = "", fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    guard let id = id(of: type, key, at: CallSite(fileID, filePath, line, column)) else { return }
    stopped.insert(id)
    host.deliver(WorkerOutput(workerID: id, value: WorkerEnd()))
  }

  /// Delivers an output of the worker with this number, even if the worker no longer runs. Workers
  /// are numbered from one, in the order of their start. Use this method to test late outputs. A
  /// worker that is not a stream worker ends with the output.
  ///
  /// ```swift
  /// test.host.rendering.onQuery("swiftly")
  /// test.deliver(["late"], fromWorkerNumber: 1)
  /// #expect(test.host.rendering.hits == ["a", "b"])
  /// ```
  public func deliver(
    _ output: some Sendable, fromWorkerNumber number: Int,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    drainEffects()
    guard tasks.indices.contains(number - 1) else {
      fail(
        "Only \(tasks.count) workers have started, not \(number).",
        at: CallSite(fileID, filePath, line, column))
      return
    }
    let task = tasks[number - 1]
    if !task.isStream { stopped.insert(task.id) }
    host.deliver(WorkerOutput(workerID: task.id, value: output, isLast: !task.isStream))
  }

  private func id<Work>(of type: Work.Type, _ key: String, at site: CallSite) -> WorkerID? {
    drainEffects()
    let task = tasks.last {
      $0.workerType == type && $0.key == key && !stopped.contains($0.id)
    }
    if task == nil {
      let running = running
      let isNameTaken = running.contains(key.isEmpty ? "\(type)" : "\(type)(\(key))")
      let name = isNameTaken ? String(reflecting: type) : "\(type)"
      fail(
        "No worker \(name)\(key.isEmpty ? "" : "(\(key))") is running; running: \(running).",
        at: site)
    }
    return task?.id
  }

  private func drainEffects() {
    for effect in host.drainWorkerEffects() {
      switch effect {
      case .start(let task):
        tasks.append(task)
        written.append("start \(task.name) \(task.id)")
      case .stop(let id):
        stopped.insert(id)
        let name = tasks.first { $0.id == id }?.name ?? ""
        written.append("stop \(name) \(id)")
      }
    }
  }
}
