import Testing
import WorkflowRuntime

/// Tests how long sinks are valid.
@Suite struct SinkTests {
  @Test func oldSinkWorksAfterLaterRenders() {
    let host = WorkflowHost(workflow: Counter())
    let first = host.rendering.sink
    for _ in 0..<3 { host.rendering.sink.send(.tap) }
    first.send(.tap)
    #expect(host.rendering.count == 4)
  }

  @Test func sinkOfAnEarlierRenderStillWorks() {
    var first: StateMutationSink<Made<Int, Int>>?
    let host = WorkflowHost(
      workflow: Made<Int, Int>(initial: 0) { state, context in
        if state == 0 { first = context.makeStateMutationSink() }
        return state
      })
    first?.send { $0 += 1 }
    first?.send { $0 += 1 }
    #expect(host.rendering == 2)
  }

  @Test func sinkWorksAfterAnActionThatChangedNothing() {
    let host = WorkflowHost(workflow: Counter())
    let sink = host.rendering.sink
    sink.send(.nothing)
    #expect(host.renderCount == 1)
    sink.send(.tap)
    #expect(host.rendering.count == 1)
  }

  @Test func sendThroughAnOldRenderingWhileAnActionIsAppliedComesAfterIt() {
    var log: [String] = []
    var old: Sink<AnyWorkflowAction<Made<Int, Int>>>?
    let host = WorkflowHost(
      workflow: Made<Int, Int>(initial: 0) { state, context in
        if old == nil { old = context.makeSink() }
        return state
      })
    old?.send(
      AnyWorkflowAction { state in
        old?.send(
          AnyWorkflowAction { state in
            log.append("second sees \(state)")
            state += 10
            return nil
          })
        state += 1
        log.append("first made \(state)")
        return nil
      })
    #expect(log == ["first made 1", "second sees 1"])
    #expect(host.rendering == 11)
    #expect(host.renderCount == 2)
  }

  @Test func sinkOfARemovedChildHasNoEffectOnItsReplacement() {
    var show: StateMutationSink<Made<Bool, Counter.Rendering?>>?
    let host = WorkflowHost(
      workflow: Made<Bool, Counter.Rendering?>(initial: true) { state, context in
        show = context.makeStateMutationSink()
        return state ? Counter().ignoringOutput().rendered(with: context) : nil
      })
    let old = host.rendering?.sink
    show?.send { $0 = false }
    show?.send { $0 = true }
    old?.send(.tap)
    #expect(host.rendering?.count == 0)
    #expect(old != host.rendering?.sink)
  }

  @Test func sinkDoesNotKeepItsNodeAlive() {
    final class Marker {}
    struct Holder: Workflow {
      func makeInitialState() -> Marker { Marker() }
      func render(
        state: Marker, context: RenderContext<Holder>
      ) -> (WeakMarker, StateMutationSink<Holder>) {
        (WeakMarker(marker: state), context.makeStateMutationSink())
      }
    }
    struct WeakMarker { weak var marker: Marker? }
    var host: WorkflowHost<Holder>? = WorkflowHost(workflow: Holder())
    let weakly = host?.rendering.0
    let sink = host?.rendering.1
    #expect(weakly?.marker != nil)
    host = nil
    #expect(weakly?.marker == nil)
    sink?.send { _ in }
  }

  @Test func eventSinksOfOneEventTypeKeepTheirClosures() {
    typealias Two = Made<[String], [String]>
    var sinks: [Sink<String>] = []
    let host = WorkflowHost(
      workflow: Two(initial: []) { state, context in
        sinks = ["a", "b"].map { name in
          context.makeSink(of: String.self) { state, event in
            state.append("\(name) got \(event)")
            return nil
          }
        }
        return state
      })
    for (event, sink) in zip(["1", "2"], sinks) { sink.send(event) }
    #expect(host.rendering == ["a got 1", "b got 2"])
  }

  @Test func actionsOfDifferentTypesReachOneNode() {
    struct Both: Workflow {
      struct Add: WorkflowAction {
        typealias WorkflowType = Both
        func apply(toState state: inout Int) -> Never? {
          state += 1
          return nil
        }
      }
      struct Double: WorkflowAction {
        typealias WorkflowType = Both
        func apply(toState state: inout Int) -> Never? {
          state *= 2
          return nil
        }
      }
      func makeInitialState() -> Int { 0 }
      func render(
        state: Int, context: RenderContext<Both>
      ) -> (Int, Sink<Add>, Sink<Double>) { (state, context.makeSink(), context.makeSink()) }
    }
    let host = WorkflowHost(workflow: Both())
    let (_, add, double) = host.rendering
    add.send(.init())
    double.send(.init())
    add.send(.init())
    #expect(host.rendering.0 == 3)
  }

  @Test func sideEffectsWithActionsOfTheirOwnAreAllApplied() {
    let host = WorkflowHost(
      workflow: Made<Set<String>, Set<String>>(initial: []) { state, context in
        for name in ["a", "b"] {
          let sink = context.makeSink(of: String.self) { state, event in
            state.insert(event)
            return nil
          }
          context.runSideEffect(key: name) { _ in sink.send(name) }
        }
        return state
      })
    #expect(host.rendering == ["a", "b"])
  }

  @Test func applyContextIsACopy() {
    struct Titled: Workflow {
      let title: String
      let keep: (ApplyContext<Titled>) -> Void
      struct Keep: WorkflowAction {
        typealias WorkflowType = Titled
        func apply(toState state: inout Void) -> Never? { nil }
        func apply(toState state: inout Void, context: ApplyContext<Titled>) -> Never? {
          context.workflow.keep(context)
          return nil
        }
      }
      func render(state: Void, context: RenderContext<Titled>) -> Sink<Keep> {
        context.makeSink()
      }
    }
    var kept: [ApplyContext<Titled>] = []
    let host = WorkflowHost(workflow: Titled(title: "old", keep: { kept.append($0) }))
    let sink = host.rendering
    sink.send(.init())
    host.update(workflow: Titled(title: "new", keep: { kept.append($0) }))
    sink.send(.init())
    #expect(kept.map { $0[workflowValue: \.title] } == ["old", "new"])
  }
}
