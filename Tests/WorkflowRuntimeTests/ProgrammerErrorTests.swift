import System
import Testing
import WorkflowRuntime

/// Tests that programmer errors end the program, in debug and release, with a message that states
/// the fix.
@Suite struct MistakeTests {
  private func expect(
    _ words: [String], in result: ExitTest.Result?, location: SourceLocation = #_sourceLocation
  ) {
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    for word in words {
      #expect(text.contains(word), "\(text)", sourceLocation: location)
    }
  }

  @Test func twoNewChildrenWithOneKey() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = WorkflowHost(
        workflow: Made<Int, Int>(initial: 0) { state, context in
          _ = Counter().ignoringOutput().rendered(with: context, key: "k")
          _ = Counter().ignoringOutput().rendered(with: context, key: "k")
          return state
        })
    }
    expect(
      ["Made<Int, Int> renders two children of type Counter", "\"k\"", "rendered(with: context"],
      in: result)
  }

  @Test func oneOldAndOneNewChildWithOneKey() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let host = WorkflowHost(
        workflow: Made<Int, StateMutationSink<Made<Int, Int>>?>(initial: 0) { state, context in
          for _ in 0...state { _ = Counter().ignoringOutput().rendered(with: context) }
          let sink = context.makeStateMutationSink()
          context.runSideEffect(key: 1) { _ in sink.send { $0 = 1 } }
          return nil
        })
      withExtendedLifetime(host) {}
    }
    expect(["two children of type Counter"], in: result)
  }

  @Test func manyChildrenAndOneKeyTwice() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = WorkflowHost(
        workflow: Made<Int, Int>(initial: 0) { state, context in
          for number in 0..<100 {
            _ = Counter().ignoringOutput().rendered(with: context, key: "\(number % 99)")
          }
          return state
        })
    }
    expect(["two children of type Counter with the key \"0\""], in: result)
  }

  @Test func twoWorkersWithOneKey() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = WorkflowHost(
        workflow: Made<Int, Int>(initial: 0) { state, context in
          for number in 0..<2 {
            context.awaitResult(for: Job(number: number)) { _ in
              AnyWorkflowAction<Made<Int, Int>>.noAction
            }
          }
          return state
        })
    }
    expect(["awaits two workers of type Job with the key \"\"", "awaitResult(for:"], in: result)
  }

  @Test func twoSideEffectsWithOneKey() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = WorkflowHost(
        workflow: Made<Int, Int>(initial: 0) { state, context in
          context.runSideEffect(key: "s") { _ in }
          context.runSideEffect(key: "s") { _ in }
          return state
        })
    }
    expect(["runs two side effects with the key \"s\"", "runSideEffect(key:"], in: result)
  }

  /// A key that equals another one only in the first comparison.
  private final class InconstantKey: Hashable {
    private var isAsked = false

    static func == (left: InconstantKey, right: InconstantKey) -> Bool {
      defer { left.isAsked = true }
      return !left.isAsked && !right.isAsked
    }
    func hash(into hasher: inout Hasher) {}
  }

  /// The duplicate is reported after one call of `==`, so the result of a second call does not
  /// matter.
  @Test func keysThatAreEqualOnceAreADuplicate() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = WorkflowHost(
        workflow: Made<Int, Int>(initial: 0) { state, context in
          context.runSideEffect(key: InconstantKey()) { _ in }
          context.runSideEffect(key: InconstantKey()) { _ in }
          return state
        })
    }
    expect(["runs two side effects with the key", "runSideEffect(key:"], in: result)
  }

  @Test func contextUsedAfterRender() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var kept: RenderContext<Made<Int, Int>>?
      let host = WorkflowHost(
        workflow: Made<Int, Int>(initial: 0) { state, context in
          kept = context
          return state
        })
      _ = kept?.makeOutputSink()
      withExtendedLifetime(host) {}
    }
    expect(["used after its render returned", "Make a sink"], in: result)
  }

  @Test func sendFromAnotherThread() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let host = WorkflowHost(workflow: Counter())
      nonisolated(unsafe) let sink = host.rendering.sink
      onAnotherThread { sink.send(.tap) }
    }
    expect(["thread that is not its own", "Hop to the thread"], in: result)
  }

  @Test func hostThatWasHandedOverWorksInItsNewThread() {
    let host = WorkflowHost(workflow: Counter())
    nonisolated(unsafe) let moved = host
    onAnotherThread {
      moved.adoptCurrentThread()
      moved.rendering.sink.send(.tap)
    }
    #expect(host.rendering.count == 1)
  }

  @Test func workflowThatRendersItselfEndlessly() async {
    struct Endless: Workflow {
      func render(state: Void, context: RenderContext<Endless>) {
        Endless().running(with: context)
      }
    }
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = WorkflowHost(workflow: Endless())
    }
    expect(["Endless is at level 20000", "renders itself"], in: result)
  }

  @Test func endlessTurn() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = WorkflowHost(
        workflow: Made<Int, Int>(initial: 0) { state, context in
          for _ in 0..<100 { context.makeStateMutationSink().send { $0 += 1 } }
          return state
        })
    }
    expect(["actions were queued in one turn", "for Made<Int, Int>"], in: result)
  }

  /// The program is ended by the limit on renders. Each action renders the whole tree, so the limit
  /// on queued actions would take effect too late.
  @Test func turnEndsWhenAnObserverSendsForEveryRendering() async {
    final class Tapper: WorkflowObserver {
      func workflowWillRender<W: Workflow>(
        _ workflow: W, state: W.State, session: WorkflowSession
      ) -> ((W.Rendering) -> Void)? {
        { rendering in (rendering as? Counter.Rendering)?.sink.send(.tap) }
      }
    }
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let root = Made<Int, Counter.Rendering>(initial: 0) { _, context in
        for number in 0..<100 {
          _ = Made<Int, Int>(initial: 0) { state, _ in state }
            .ignoringOutput().rendered(with: context, key: "\(number)")
        }
        return Counter().ignoringOutput().rendered(with: context)
      }
      _ = WorkflowHost(workflow: root, observers: [Tapper()])
    }
    expect(
      ["actions were queued in one turn", "Counter.Action for Counter", "an observer"],
      in: result)
  }

  @Test func contextualActionWithoutItsWorkflow() async {
    struct Needy: ContextualAction {
      typealias WorkflowType = Counter
      func apply(toState state: inout Int, workflow: Counter) -> Int? { nil }
    }
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var state = 0
      _ = Needy().apply(toState: &state)
    }
    expect(["Needy reads its workflow's values"], in: result)
  }
}
