import Testing
import WorkflowRuntime

/// Tests the identity and lifetime of children, and the propagation of outputs.
@Suite struct ChildTests {
  /// A workflow that shows one counter for each name in its state.
  struct Rack: Workflow {
    let log: Log
    typealias Output = String

    enum Action: WorkflowAction {
      case names([String])
      case reported(String, Int)
      typealias WorkflowType = Rack
      func apply(toState state: inout [String]) -> String? {
        switch self {
        case .names(let names):
          state = names
          return nil
        case .reported(let name, let count): return "\(name)=\(count)"
        }
      }
    }

    struct Rendering {
      var counters: [String: Counter.Rendering]
      var sink: Sink<Action>
    }

    func makeInitialState() -> [String] { ["a", "b", "c"] }

    func render(state: [String], context: RenderContext<Rack>) -> Rendering {
      var counters: [String: Counter.Rendering] = [:]
      for name in state {
        counters[name] = Counter()
          .mapOutput { Action.reported(name, $0) }
          .rendered(with: context, key: name)
      }
      log.add(state.joined())
      return Rendering(counters: counters, sink: context.makeSink())
    }
  }

  private func tap(_ host: WorkflowHost<Rack>, _ name: String) {
    host.rendering.counters[name]?.sink.send(.tap)
  }

  private func counts(_ host: WorkflowHost<Rack>) -> [String: Int] {
    host.rendering.counters.mapValues(\.count)
  }

  @Test func childrenKeepTheirStatesByKey() {
    let host = WorkflowHost(workflow: Rack(log: Log()))
    tap(host, "a")
    tap(host, "c")
    tap(host, "c")
    #expect(counts(host) == ["a": 1, "b": 0, "c": 2])
    host.rendering.sink.send(.names(["c", "x", "a"]))
    #expect(counts(host) == ["a": 1, "x": 0, "c": 2])
    tap(host, "c")
    #expect(counts(host) == ["a": 1, "x": 0, "c": 3])
  }

  @Test func removedChildStartsWithItsInitialState() {
    let host = WorkflowHost(workflow: Rack(log: Log()))
    tap(host, "b")
    host.rendering.sink.send(.names(["a"]))
    host.rendering.sink.send(.names(["a", "b"]))
    #expect(counts(host) == ["a": 0, "b": 0])
  }

  @Test func outputBecomesTheParentsAction() {
    let host = WorkflowHost(workflow: Rack(log: Log()))
    host.rendering.counters["b"]?.sink.send(.tapAndReport)
    #expect(host.drainOutputs() == ["b=1"])
    #expect(host.rendering.counters["b"]?.count == 1)
    #expect(host.renderCount == 2)
  }

  @Test func changeWithoutOutputDrawsTheParentToo() {
    let log = Log()
    let host = WorkflowHost(workflow: Rack(log: log))
    tap(host, "a")
    #expect(log.lines == ["abc", "abc"])
  }

  @Test func manyChildrenInAnyOrderKeepTheirStates() {
    var random = Random(seed: 7)
    let host = WorkflowHost(workflow: Rack(log: Log()))
    var expected: [String: Int] = ["a": 0, "b": 0, "c": 0]
    for _ in 0..<200 {
      let names = (0..<40).filter { _ in random.next(below: 3) > 0 }.map { "n\($0)" }
      let shuffled = random.next(below: 2) == 0 ? names : random.shuffled(names)
      host.rendering.sink.send(.names(shuffled))
      expected = Dictionary(uniqueKeysWithValues: shuffled.map { ($0, expected[$0] ?? 0) })
      for name in shuffled where random.next(below: 4) == 0 {
        tap(host, name)
        expected[name, default: 0] += 1
      }
      #expect(counts(host) == expected)
    }
  }

  @Test func latestOutputMapCounts() {
    struct Naming: Workflow {
      typealias Output = String
      func makeInitialState() -> String { "old" }
      func render(
        state: String, context: RenderContext<Naming>
      ) -> (Counter.Rendering, StateMutationSink<Naming>) {
        let counter = Counter()
          .mapOutput { AnyWorkflowAction<Naming>(sendingOutput: "\(state) \($0)") }
          .rendered(with: context)
        return (counter, context.makeStateMutationSink())
      }
    }
    let host = WorkflowHost(workflow: Naming())
    let counter = host.rendering.0
    host.rendering.1.send { $0 = "new" }
    counter.sink.send(.report)
    #expect(host.drainOutputs() == ["new 0"])
  }

  @Test func differentGenericTypesShareAKey() {
    struct Box<Value>: Workflow {
      let value: Value
      func render(state: Void, context: RenderContext<Box>) -> Value { value }
    }
    let host = WorkflowHost(
      workflow: Made<Void, String>(initial: ()) { _, context in
        let number = Box(value: 1).rendered(with: context)
        return Box(value: "a").rendered(with: context) + "\(number)"
      })
    #expect(host.rendering == "a1")
  }

  @Test func stateChangesOfChildAreSeenByTheParentsAction() {
    let host = WorkflowHost(workflow: Rack(log: Log()))
    host.rendering.counters["a"]?.sink.send(.tapAndReport)
    host.rendering.counters["a"]?.sink.send(.tapAndReport)
    #expect(host.drainOutputs() == ["a=1", "a=2"])
  }

  @Test func nestedWorkflowsAreDrawnInOneRendering() {
    let host = WorkflowHost(
      workflow: Made<String, String>(initial: "a") { state, context in
        let inner = Made<String, String>(initial: "b") { state, context in
          let innermost = Made<String, String>(initial: "c") { state, _ in state }
          return state + innermost.ignoringOutput().rendered(with: context, key: "c")
        }
        return state + inner.ignoringOutput().rendered(with: context, key: "b")
      })
    #expect(host.rendering == "abc")
    #expect(host.renderCount == 1)
  }

  @Test func childsActionAndItsParentsAreDrawnTogether() {
    let host = WorkflowHost(
      workflow: Made<Int, (sum: Int, sink: Sink<Counter.Action>)>(initial: 0) { state, context in
        let counter = Counter()
          .onOutput { (state: inout Int, _) -> String? in
            state += 10
            return nil
          }
          .rendered(with: context)
        return (state + counter.count, counter.sink)
      })
    host.rendering.sink.send(.tapAndReport)
    #expect(host.rendering.sum == 11)
    #expect(host.renderCount == 2)
  }

  @Test func removedSubtreeIsFreed() {
    final class Marker {}
    weak var marker: Marker?
    var hide: (() -> Void)?
    let host: WorkflowHost<Made<Bool, Int>>
    do {
      let kept = Marker()
      marker = kept
      struct Holder: Workflow {
        let marker: Marker
        func makeInitialState() -> Marker { marker }
        func render(state: Marker, context: RenderContext<Holder>) -> Int { 1 }
      }
      weak let weakly = kept
      host = WorkflowHost(
        workflow: Made<Bool, Int>(initial: true) { state, context in
          let sink = context.makeStateMutationSink()
          hide = { sink.send { $0 = false } }
          guard state, let marker = weakly else { return 0 }
          return Holder(marker: marker).rendered(with: context)
        })
    }
    #expect(marker != nil)
    hide?()
    #expect(host.rendering == 0)
    #expect(marker == nil)
  }
}

/// Reproducible random numbers.
struct Random {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next(below bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }

  mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var elements = elements
    for position in elements.indices.reversed() {
      elements.swapAt(position, next(below: position + 1))
    }
    return elements
  }
}
