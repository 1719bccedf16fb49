import Testing
import WorkflowRuntime

/// Tests that all attempts to access memory that is released or being modified are prevented.
///
/// `.ci/run` runs these tests in debug, in release and with the address sanitizer, which alone
/// detects some of them.
@Suite struct DoorTests {
  // MARK: Removed parents

  /// A chain of levels down to a depth.
  private struct Level: Workflow {
    let depth: Int
    func render(state: Void, context: RenderContext<Level>) -> Int {
      depth == 0 ? 0 : Level(depth: depth - 1).rendered(with: context) + 1
    }
  }

  private final class Ends: WorkflowObserver {
    var ended: [[Int?]] = []
    func sessionDidEnd(_ session: WorkflowSession) { ended.append([session.id, session.parentID]) }
  }

  @Test func sessionsEndedWithTheHostHaveTheirParentIDs() {
    let ends = Ends()
    do {
      let host = WorkflowHost(workflow: Level(depth: 4), observers: [ends])
      #expect(host.rendering == 4)
    }
    #expect(ends.ended == [[1, nil], [2, 1], [3, 2], [4, 3], [5, 4]])
  }

  @Test func sessionsEndedInAPassHaveTheirParentIDs() {
    let ends = Ends()
    let host = WorkflowHost(workflow: Level(depth: 5), observers: [ends])
    host.update(workflow: Level(depth: 1))
    #expect(ends.ended == [[3, 2], [4, 3], [5, 4], [6, 5]])
  }

  // MARK: Released hosts

  private final class Holder {
    var host: WorkflowHost<Counter>?
  }

  /// An observer that releases the host when it is notified of an event.
  private final class Dropper: WorkflowObserver {
    let holder: Holder
    let moment: String
    init(_ holder: Holder, at moment: String) {
      self.holder = holder
      self.moment = moment
    }
    private func at(_ moment: String) { if moment == self.moment { holder.host = nil } }

    func workflowDidReceiveAction<Action: WorkflowAction>(
      _ action: Action, workflow: Action.WorkflowType, session: WorkflowSession
    ) { at("received") }
    func workflowWillApplyAction<Action: WorkflowAction>(
      _ action: Action, workflow: Action.WorkflowType, state: Action.WorkflowType.State,
      session: WorkflowSession
    ) -> ((Action.WorkflowType.State, Action.WorkflowType.Output?) -> Void)? {
      at("will apply")
      return { _, _ in self.at("did apply") }
    }
    func workflowWillRender<W: Workflow>(
      _ workflow: W, state: W.State, session: WorkflowSession
    ) -> ((W.Rendering) -> Void)? {
      at("will render")
      return { _ in self.at("did render") }
    }
  }

  @Test(arguments: ["received", "will apply", "did apply", "will render", "did render"])
  func observersMayReleaseTheHost(moment: String) {
    let holder = Holder()
    weak var gone: WorkflowHost<Counter>?
    do {
      let host = WorkflowHost(workflow: Counter(), observers: [Dropper(holder, at: moment)])
      holder.host = host
      gone = host
    }
    let sink = holder.host?.rendering.sink
    sink?.send(.tapAndReport)
    #expect(holder.host == nil)
    #expect(gone == nil)
    sink?.send(.tap)
  }

  @Test func renderMayReleaseTheHost() {
    final class Box { var host: WorkflowHost<Made<Int, StateMutationSink<Made<Int, Int>>?>>? }
    let box = Box()
    var edit: (() -> Void)?
    box.host = WorkflowHost(
      workflow: Made<Int, StateMutationSink<Made<Int, Int>>?>(initial: 0) { state, context in
        let sink = context.makeStateMutationSink()
        edit = { sink.send { $0 += 1 } }
        if state == 1 { box.host = nil }
        _ = Counter().ignoringOutput().rendered(with: context)
        return nil
      })
    edit?()
    #expect(box.host == nil)
    edit?()
  }

  // MARK: Actions of another parent

  /// A child that breaks the rules: wherever it is rendered, its outputs bubble to the parent that
  /// rendered it first.
  private struct Mixed<Base: WorkflowConvertible>: WorkflowConvertible {
    final class Element {
      var bubbling: ((Base.Output) -> PendingAction?)?
    }
    let base: Base
    let kept: Element

    func renderAsChild<Parent: Workflow>(
      of context: RenderContext<Parent>, key: String,
      bubbling: ((Base.Output) -> PendingAction?)?
    ) -> Base.Rendering {
      let first = kept.bubbling ?? bubbling
      kept.bubbling = first
      return base.renderAsChild(of: context, key: key, bubbling: first)
    }
    func asAnyWorkflow() -> AnyWorkflow<Base.Output, Base.Rendering> { AnyWorkflow(self) }
    var baseWorkflow: any Workflow { base.baseWorkflow }
  }

  @Test func anActionOfAnotherWorkflowIsNotApplied() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let mixed = Mixed(base: Counter(), kept: .init())
      let inner = Made<String, Counter.Rendering>(initial: "text") { _, context in
        mixed.mapOutput { _ in AnyWorkflowAction<Made<String, Counter.Rendering>>.noAction }
          .rendered(with: context)
      }
      let host = WorkflowHost(
        workflow: Made<Int, Counter.Rendering>(initial: 0) { _, context in
          let rendering = mixed.mapOutput { output in
            AnyWorkflowAction<Made<Int, Counter.Rendering>> { state in
              state += output
              return nil
            }
          }.rendered(with: context)
          _ = inner.ignoringOutput().rendered(with: context)
          return rendering
        })
      let other = WorkflowHost(workflow: inner)
      other.rendering.sink.send(.tapAndReport)
      withExtendedLifetime(host) {}
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("is an action of Made<Int, Rendering>"), "\(text)")
    #expect(text.contains("pass on the bubbling closure"), "\(text)")
  }

  // MARK: Keys that run code

  @Test func sideEffectKeyThatRequestsASideEffectInItsComparisonEndsTheProcess() async {
    await #expect(processExitsWith: .failure) {
      final class Asking: Hashable {
        nonisolated(unsafe) static var ask: (() -> Void)?
        static func == (left: Asking, right: Asking) -> Bool {
          ask?()
          return left === right
        }
        func hash(into hasher: inout Hasher) {}
      }
      let key = Asking()
      let host = WorkflowHost(
        workflow: Made<Int, StateMutationSink<Made<Int, Int>>?>(initial: 0) { _, context in
          Asking.ask = nil
          context.runSideEffect(key: key) { _ in }
          Asking.ask = { for number in 0..<9 { context.runSideEffect(key: number) { _ in } } }
          context.runSideEffect(key: key) { _ in }
          return nil
        })
      host.update(workflow: Made(initial: 0) { _, _ in nil })
    }
  }
}
