import WorkflowRuntime

/// A leaf with a counter. Most trees of the cases consist of such leaves.
struct Leaf: Workflow, Equatable {
  struct Rendering {
    var count: Int
    var sink: Sink<Action>
  }

  enum Action: WorkflowAction {
    case tap, report
    typealias WorkflowType = Leaf
    func apply(toState state: inout Int) -> Int? {
      state += 1
      return self == .report ? state : nil
    }
  }

  typealias Output = Int

  func makeInitialState() -> Int { 0 }

  func render(state: Int, context: RenderContext<Leaf>) -> Rendering {
    Rendering(count: state, sink: context.makeSink())
  }
}

/// A leaf like `Leaf`, but without equality: it is rendered whenever its parent is rendered.
struct UncomparedLeaf: Workflow {
  typealias Output = Int

  struct Tap: WorkflowAction {
    typealias WorkflowType = UncomparedLeaf
    func apply(toState state: inout Int) -> Int? {
      state += 1
      return nil
    }
  }

  struct Rendering {
    var count: Int
    var tap: Sink<Tap>
  }

  func makeInitialState() -> Int { 0 }

  func render(state: Int, context: RenderContext<UncomparedLeaf>) -> Rendering {
    Rendering(count: state, tap: context.makeSink())
  }
}

/// A leaf with a `Void` rendering, so its actions render no node above it.
struct SilentLeaf: Workflow, Equatable {
  let report: Report

  struct Tap: WorkflowAction {
    typealias WorkflowType = SilentLeaf
    func apply(toState state: inout Int) -> Never? {
      state += 1
      return nil
    }
  }

  func makeInitialState() -> Int { 0 }

  func render(state: Int, context: RenderContext<SilentLeaf>) {
    report.sink = context.makeSink()
  }

  /// An object that receives the sink of the leaf, because the leaf's rendering is `Void`.
  final class Report: Equatable {
    var sink: Sink<Tap>?
    static func == (left: Report, right: Report) -> Bool { left === right }
  }
}

/// A parent of equal children, one for each key.
struct Flat<Child: Workflow>: Workflow where Child.Output == Int {
  let keys: [String]
  let child: Child

  struct Told: WorkflowAction {
    typealias WorkflowType = Flat
    func apply(toState state: inout Int) -> Never? {
      state += 1
      return nil
    }
  }

  func makeInitialState() -> Int { 0 }

  func render(state: Int, context: RenderContext<Flat>) -> [Child.Rendering] {
    keys.map { key in
      child.mapOutput { _ in Told() }.rendered(with: context, key: key)
    }
  }
}

/// A parent like `Flat`, but with children whose rendering is `Void`.
struct SilentFlat: Workflow {
  let keys: [String]
  let report: SilentLeaf.Report

  func render(state: Void, context: RenderContext<SilentFlat>) {
    for key in keys { SilentLeaf(report: report).running(with: context, key: key) }
  }
}

/// A group of leaves. Its parent always passes an equal value, so only a group with a changed leaf
/// is rendered.
struct Group: Workflow, Equatable {
  let keys: [String]

  func render(state: Void, context: RenderContext<Group>) -> [Leaf.Rendering] {
    keys.map { key in
      Leaf().ignoringOutput().rendered(with: context, key: key)
    }
  }
}

/// A parent of groups of leaves. Neither the groups nor the leaves have a `Void` rendering. A large
/// list is divided in this way to keep its passes small.
struct Groups: Workflow {
  let keys: [String]

  func render(state: Void, context: RenderContext<Groups>) -> [[Leaf.Rendering]] {
    keys.map { key in Group(keys: keys).rendered(with: context, key: key) }
  }
}

/// Nested groups with at most `widthMax` children each, so that a pass over a large list is short.
/// The input of a group is only a range of numbers, so that equal groups are cheap to compare.
struct NestedGroups: Workflow, Equatable {
  static let widthMax = 32
  let span: Range<Int>

  /// The renderings of a group. The group above shares them and does not copy them.
  indirect enum Screen {
    case leaves([Leaf.Rendering])
    case groups([Screen])

    /// The sink of the leaf in the middle.
    var middle: Sink<Leaf.Action> {
      switch self {
      case .leaves(let leaves): leaves[leaves.count / 2].sink
      case .groups(let groups): groups[groups.count / 2].middle
      }
    }
  }

  func render(state: Void, context: RenderContext<NestedGroups>) -> Screen {
    let keys = shortKeys
    guard span.count > Self.widthMax else {
      var leaves: [Leaf.Rendering] = []
      leaves.reserveCapacity(span.count)
      for position in 0..<span.count {
        leaves.append(
          Leaf().ignoringOutput().rendered(with: context, key: keys[position]))
      }
      return .leaves(leaves)
    }
    var step = Self.widthMax
    while step * Self.widthMax < span.count { step *= Self.widthMax }
    var groups: [Screen] = []
    groups.reserveCapacity(Self.widthMax)
    var start = span.lowerBound
    while start < span.upperBound {
      let group = NestedGroups(span: start..<min(start + step, span.upperBound))
      groups.append(group.rendered(with: context, key: keys[groups.count]))
      start += step
    }
    return .groups(groups)
  }
}

let shortKeys = (0..<NestedGroups.widthMax).map { "\($0)" }

/// A chain of workflows, each with one child. The last one has a `Leaf` as its child.
struct Chain: Workflow, Equatable {
  let depth: Int
  typealias Output = Int

  struct Told: WorkflowAction {
    let count: Int
    typealias WorkflowType = Chain
    func apply(toState state: inout Int) -> Int? {
      state += 1
      return count
    }
  }

  func makeInitialState() -> Int { 0 }

  func render(state: Int, context: RenderContext<Chain>) -> Leaf.Rendering {
    if depth == 0 { return Leaf().mapOutput { Told(count: $0) }.rendered(with: context) }
    return Chain(depth: depth - 1).mapOutput { Told(count: $0) }.rendered(with: context)
  }
}

/// A parent of workers. Its state decides whether the workers keep running, are replaced, or are
/// started and stopped.
struct Crew: Workflow {
  let workerCount: Int

  struct Job: Worker, Equatable {
    let number: Int
    func run() async -> Int { number }
  }

  struct State: Equatable {
    var pass = 0
    var generation = 0
    var isWorking = true
  }

  enum Action: WorkflowAction {
    case hold, replace, toggle
    case answered(Int)
    typealias WorkflowType = Crew
    func apply(toState state: inout State) -> Never? {
      state.pass += 1
      switch self {
      case .hold, .answered: break
      case .replace: state.generation += 1
      case .toggle: state.isWorking.toggle()
      }
      return nil
    }
  }

  func makeInitialState() -> State { State() }

  func render(state: State, context: RenderContext<Crew>) -> Sink<Action> {
    if state.isWorking {
      for number in 0..<workerCount {
        context.awaitResult(
          for: Job(number: number + state.generation * workerCount), key: keys[number]
        ) { Action.answered($0) }
      }
    }
    return context.makeSink()
  }

  private var keys: [String] { crewKeys }
}

let crewKeys = (0..<100).map { "job \($0)" }

/// A workflow whose action changes nothing.
struct Idle: Workflow {
  let child: Flat<Leaf>

  struct Nothing: WorkflowAction {
    typealias WorkflowType = Idle
    func apply(toState state: inout Int) -> Never? { nil }
  }

  func makeInitialState() -> Int { 0 }

  func render(state: Int, context: RenderContext<Idle>) -> Sink<Nothing> {
    _ = child.rendered(with: context)
    return context.makeSink()
  }
}
