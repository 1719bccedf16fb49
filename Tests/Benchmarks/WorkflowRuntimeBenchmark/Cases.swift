import System
import WorkflowRuntime

/// A measured case: `run` sets up a tree of workflows, and performs a number of passes.
struct Case: Sendable {
  let name: String

  /// The number of passes in a run: enough for about a tenth of a second, so that the time is
  /// steady.
  let passCount: Int
  let run: @Sendable (_ passCount: Int) -> Void

  /// Prints the time of a pass in the fastest of five runs.
  func time() {
    let clock = ContinuousClock()
    let setUp = clock.measure { run(0) }
    let runs = (0..<5).map { _ in clock.measure { run(passCount) } }
    let best = (runs.min() ?? .zero) - setUp
    let nanoseconds = Int(max(best, .zero) / Duration.nanoseconds(1)) / passCount
    print("\(name): \(nanoseconds) ns a pass")
  }
}

let cases: [Case] =
  [1, 10, 100, 1_000, 10_000].flatMap { count in
    [
      flat("flat-\(count)", count),
      flatWithOutput("flat-output-\(count)", count),
      wholeFlat("flat-whole-\(count)", count),
      silentFlat("flat-silent-\(count)", count),
    ]
  } + [
    grouped("grouped-1000", 1_000), grouped("grouped-10000", 10_000),
    nested("nested-1000", 1_000), nested("nested-10000", 10_000),
    chain("chain-10", 9), chain("chain-100", 99), chain("chain-10000", 9_999),
    chainWithOutput("chain-output-10", 9), chainWithOutput("chain-output-100", 99),
    noChange("no-op-1000", 1_000),
    createAndDestroy("create-1000", 1_000),
    crew("workers-hold-100", 100, .hold),
    crew("workers-replace-1", 1, .replace), crew("workers-replace-100", 100, .replace),
    crew("workers-toggle-1", 1, .toggle), crew("workers-toggle-100", 100, .toggle),
    crewWithTasks("tasks-toggle-1", 1), crewWithTasks("tasks-toggle-100", 100),
    roundTrip("worker-round-trip"),
    memory("bytes-a-leaf-10000", 10_000),
    churn("growth-of-worker-toggles"), churnWithTasks("growth-of-task-toggles"),
  ]

private func keys(_ count: Int) -> [String] {
  (0..<count).map { "item \($0)" }
}

private func flat(_ name: String, _ count: Int) -> Case {
  Case(name: name, passCount: max(10, 100_000 / count)) { passCount in
    let host = WorkflowHost(workflow: Flat(keys: keys(count), child: Leaf()))
    let sink = host.rendering[count / 2].sink
    for _ in 0..<passCount { sink.send(.tap) }
  }
}

private func flatWithOutput(_ name: String, _ count: Int) -> Case {
  Case(name: name, passCount: max(10, 100_000 / count)) { passCount in
    let host = WorkflowHost(workflow: Flat(keys: keys(count), child: Leaf()))
    let sink = host.rendering[count / 2].sink
    for _ in 0..<passCount { sink.send(.report) }
  }
}

private func wholeFlat(_ name: String, _ count: Int) -> Case {
  Case(name: name, passCount: max(10, 100_000 / count)) { passCount in
    let host = WorkflowHost(workflow: Flat(keys: keys(count), child: UncomparedLeaf()))
    let sink = host.rendering[count / 2].tap
    for _ in 0..<passCount { sink.send(UncomparedLeaf.Tap()) }
  }
}

private func silentFlat(_ name: String, _ count: Int) -> Case {
  Case(name: name, passCount: 100_000) { passCount in
    let report = SilentLeaf.Report()
    let host = WorkflowHost(workflow: SilentFlat(keys: keys(count), report: report))
    for _ in 0..<passCount { report.sink?.send(SilentLeaf.Tap()) }
    withExtendedLifetime(host) {}
  }
}

/// Returns a case with groups of leaves. The number of groups equals the number of leaves in each
/// group.
private func grouped(_ name: String, _ count: Int) -> Case {
  Case(name: name, passCount: 10_000) { passCount in
    let width = Int(Double(count).squareRoot().rounded())
    let host = WorkflowHost(workflow: Groups(keys: keys(width)))
    let sink = host.rendering[width / 2][width / 2].sink
    for _ in 0..<passCount { sink.send(.tap) }
  }
}

/// Returns a case with nested groups of leaves. No group has more than 32 children.
private func nested(_ name: String, _ count: Int) -> Case {
  Case(name: name, passCount: 10_000) { passCount in
    let host = WorkflowHost(workflow: NestedGroups(span: 0..<count))
    let sink = host.rendering.middle
    for _ in 0..<passCount { sink.send(.tap) }
  }
}

private func chain(_ name: String, _ depth: Int) -> Case {
  Case(name: name, passCount: max(10, 100_000 / depth)) { passCount in
    let host = WorkflowHost(workflow: Chain(depth: depth))
    let sink = host.rendering.sink
    for _ in 0..<passCount { sink.send(.tap) }
  }
}

private func chainWithOutput(_ name: String, _ depth: Int) -> Case {
  Case(name: name, passCount: max(10, 100_000 / depth)) { passCount in
    let host = WorkflowHost(workflow: Chain(depth: depth))
    let sink = host.rendering.sink
    for _ in 0..<passCount {
      sink.send(.report)
      _ = host.drainOutputs()
    }
  }
}

private func noChange(_ name: String, _ count: Int) -> Case {
  Case(name: name, passCount: 100_000) { passCount in
    let host = WorkflowHost(workflow: Idle(child: Flat(keys: keys(count), child: Leaf())))
    for _ in 0..<passCount { host.rendering.send(Idle.Nothing()) }
  }
}

private func createAndDestroy(_ name: String, _ count: Int) -> Case {
  Case(name: name, passCount: 100) { passCount in
    let keys = keys(count)
    for _ in 0..<passCount { _ = WorkflowHost(workflow: Flat(keys: keys, child: Leaf())) }
  }
}

private func crew(_ name: String, _ count: Int, _ action: Crew.Action) -> Case {
  Case(name: name, passCount: 100_000 / count) { passCount in
    let host = WorkflowHost(workflow: Crew(workerCount: count))
    var effectCount = 0
    for _ in 0..<passCount {
      host.rendering.send(action)
      effectCount += host.drainWorkerEffects().count
    }
    withExtendedLifetime(effectCount) {}
  }
}

/// Returns a case that is like the result of `crew` for the action `toggle`, except that each
/// worker that starts gets a task.
private func crewWithTasks(_ name: String, _ count: Int) -> Case {
  Case(name: name, passCount: 10_000 / count) { passCount in
    let host = WorkflowHost(workflow: Crew(workerCount: count))
    let runner = WorkerRunner { _ in }
    host.onWorkerEffects = { runner.perform($0) }
    for _ in 0..<passCount { host.rendering.send(.toggle) }
  }
}

/// Returns a case that starts a worker, delivers its output immediately, and repeats this with the
/// next worker.
private func roundTrip(_ name: String) -> Case {
  Case(name: name, passCount: 50_000) { passCount in
    let host = WorkflowHost(workflow: Crew(workerCount: 1))
    for _ in 0..<passCount {
      for case .start(let task) in host.drainWorkerEffects() {
        host.deliver(WorkerOutput(workerID: task.id, value: 1))
      }
      host.rendering.send(.replace)
    }
  }
}

/// Returns a case that prints the memory that the process needs for one tree, divided by the number
/// of leaves.
private func memory(_ name: String, _ count: Int) -> Case {
  Case(name: name, passCount: 1) { _ in
    let keys = keys(count)
    let before = residentBytes()
    let host = WorkflowHost(workflow: Flat(keys: keys, child: Leaf()))
    let after = residentBytes()
    print("\(name): \((after - before) / count) B")
    withExtendedLifetime(host) {}
  }
}

/// Returns a case that prints how much the memory of the process grows while workers start and
/// stop.
private func churn(_ name: String) -> Case {
  Case(name: name, passCount: 1_000_000) { passCount in
    let host = WorkflowHost(workflow: Crew(workerCount: 3))
    func drive(_ count: Int) {
      for _ in 0..<count {
        host.rendering.send(.toggle)
        _ = host.drainWorkerEffects()
      }
    }
    drive(1_000)
    let before = residentBytes()
    drive(passCount)
    print("\(name), \(passCount) passes: \(residentBytes() - before) B")
  }
}

/// Returns a case that is like the result of `churn`, except that each worker that starts gets a
/// task.
private func churnWithTasks(_ name: String) -> Case {
  Case(name: name, passCount: 300_000) { passCount in
    let host = WorkflowHost(workflow: Crew(workerCount: 3))
    let runner = WorkerRunner { _ in }
    host.onWorkerEffects = { runner.perform($0) }
    func drive(_ count: Int) {
      for number in 0..<count {
        host.rendering.send(.toggle)
        // Tasks that were stopped wait for a thread to see it.
        while number % 100 == 0, runner.runningCount > 0 { sched_yield() }
      }
    }
    drive(10_000)
    let before = residentBytes()
    drive(passCount)
    print("\(name), \(passCount) passes: \(residentBytes() - before) B")
  }
}

/// Returns the resident memory of this process in bytes; 0 if the system does not report it.
private func residentBytes() -> Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 128)
  guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
  let text = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
  let fields = String(decoding: text, as: UTF8.self).split(separator: " ")
  guard fields.count > 1, let pages = Int(fields[1]) else { return 0 }
  return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
}
