import Testing
import WorkflowRuntime

/// Tests which nodes are rendered, and which keep their rendering.
@Suite struct PartialRenderingTests {
  /// A workflow that logs its name when it is rendered. Its children are `below`.
  struct Named: Workflow, Equatable {
    let name: String
    var below: [Named] = []
    let log: Log
    let sinks: Sinks

    final class Sinks { var all: [String: Sink<Set>] = [:] }

    struct Set: WorkflowAction {
      let value: Int
      typealias WorkflowType = Named
      func apply(toState state: inout Int) -> Never? {
        state = value
        return nil
      }
    }

    static func == (left: Named, right: Named) -> Bool {
      left.name == right.name && left.below == right.below
    }

    func makeInitialState() -> Int { 0 }

    func render(state: Int, context: RenderContext<Named>) -> String {
      log.add(name)
      sinks.all[name] = context.makeSink()
      let inner = below.map { $0.rendered(with: context, key: $0.name) }
      return "\(name)\(state)" + (inner.isEmpty ? "" : "(\(inner.joined(separator: " ")))")
    }
  }

  private let log = Log()
  private let sinks = Named.Sinks()

  private func named(_ name: String, _ below: Named...) -> Named {
    Named(name: name, below: below, log: log, sinks: sinks)
  }

  private func tree() -> Named {
    named("r", named("a", named("b"), named("c")), named("d", named("e")))
  }

  @Test func onlyTheAncestorsOfAChangeAreRendered() {
    let host = WorkflowHost(workflow: tree())
    #expect(log.drain() == ["r", "a", "b", "c", "d", "e"])
    sinks.all["c"]?.send(.init(value: 5))
    #expect(log.drain() == ["r", "a", "c"])
    #expect(host.rendering == "r0(a0(b0 c5) d0(e0))")
  }

  @Test func nodeWithAnEqualStateIsNotRendered() {
    let host = WorkflowHost(workflow: tree())
    _ = log.drain()
    sinks.all["c"]?.send(.init(value: 0))
    #expect(log.drain() == [])
    #expect(host.renderCount == 1)
  }

  @Test func changesInABatchAreDrawnInOnePass() {
    let host = WorkflowHost(workflow: tree())
    _ = log.drain()
    host.batch {
      sinks.all["e"]?.send(.init(value: 1))
      sinks.all["b"]?.send(.init(value: 2))
      sinks.all["a"]?.send(.init(value: 3))
    }
    #expect(log.drain() == ["r", "a", "b", "d", "e"])
    #expect(host.rendering == "r0(a3(b2 c0) d0(e1))")
  }

  @Test func updateRendersOnlyChangedNodes() {
    let host = WorkflowHost(workflow: tree())
    _ = log.drain()
    host.update(workflow: named("r", named("a", named("b"), named("c")), named("d")))
    #expect(log.drain() == ["r", "d"])
    #expect(host.rendering == "r0(a0(b0 c0) d0)")
  }

  @Test func nonEquatableWorkflowIsRenderedWithItsParent() {
    let log = Log()
    struct Plain: Workflow {
      let log: Log
      func workflowDidChange(from previousWorkflow: Plain, state: inout Void) {
        log.add("changed")
      }
      func render(state: Void, context: RenderContext<Plain>) -> Int {
        log.add("plain")
        return 1
      }
    }
    let root = Made<Int, Int>(initial: 0) { _, context in
      Plain(log: log).rendered(with: context)
    }
    let host = WorkflowHost(workflow: root)
    host.update(workflow: root)
    #expect(log.lines == ["plain", "changed", "plain"])
  }

  @Test func childWithoutRenderingDoesNotRenderItsParent() {
    struct Silent: Workflow {
      let log: Log
      let sinks: Log.Sinks<Silent>
      func makeInitialState() -> Int { 0 }
      func render(state: Int, context: RenderContext<Silent>) {
        log.add("silent \(state)")
        sinks.state = context.makeStateMutationSink()
      }
    }
    let log = Log()
    let sinks = Log.Sinks<Silent>()
    let host = WorkflowHost(
      workflow: Made<Int, Int>(initial: 0) { state, context in
        log.add("parent")
        Silent(log: log, sinks: sinks).running(with: context)
        return state
      })
    #expect(log.drain() == ["parent", "silent 0"])
    sinks.state?.send { $0 = 4 }
    #expect(log.drain() == ["silent 4"])
    #expect(host.renderCount == 1)
  }

  @Test func voidStateNeverDraws() {
    struct Stateless: Workflow {
      let log: Log
      typealias Output = String
      struct Tell: ContextualAction {
        typealias WorkflowType = Stateless
        func apply(toState state: inout Void, workflow: Stateless) -> String? { "told" }
      }
      func render(state: Void, context: RenderContext<Stateless>) -> Sink<Tell> {
        log.add("render")
        return context.makeSink()
      }
    }
    let log = Log()
    let host = WorkflowHost(workflow: Stateless(log: log))
    host.rendering.send(.init())
    #expect(log.lines == ["render"])
    #expect(host.drainOutputs() == ["told"])
  }

  @Test func nonEquatableStateCountsAsChanged() {
    struct Opaque: Workflow {
      final class Reference {}
      func makeInitialState() -> Reference { Reference() }
      func render(
        state: Reference, context: RenderContext<Opaque>
      ) -> StateMutationSink<Opaque> { context.makeStateMutationSink() }
    }
    let host = WorkflowHost(workflow: Opaque())
    host.rendering.send { _ in }
    #expect(host.renderCount == 2)
  }
}

extension Log {
  final class Sinks<W: Workflow> { var state: StateMutationSink<W>? }
}
