import Testing
import WorkflowRuntime

/// Tests tall trees, and trees that are created and removed often.
@Suite struct DeepTreeTests {
  struct Tall: Workflow {
    let depth: Int
    typealias Output = Int
    struct Told: WorkflowAction {
      let count: Int
      typealias WorkflowType = Tall
      func apply(toState state: inout Int) -> Int? {
        state = count
        return count + 1
      }
    }
    func makeInitialState() -> Int { 0 }
    func workflowDidChange(from previousWorkflow: Tall, state: inout Int) { state += 0 }
    func render(state: Int, context: RenderContext<Tall>) -> Counter.Rendering {
      depth == 0
        ? Counter().mapOutput { Told(count: $0) }.rendered(with: context)
        : Tall(depth: depth - 1).mapOutput { Told(count: $0) }.rendered(with: context)
    }
  }

  @Test func tenThousandLevelsAreDrawnBubbledAndTornDown() {
    let host = WorkflowHost(workflow: Tall(depth: 10_000))
    host.rendering.sink.send(.tapAndReport)
    #expect(host.rendering.count == 1)
    #expect(host.drainOutputs() == [10_002])
    #expect(host.debugSnapshot().nodes.count == 10_002)
    host.update(workflow: Tall(depth: 0))
    #expect(host.debugSnapshot().nodes.count == 2)
  }

  @Test(arguments: [64, 128, 512, 2_048])
  func tallTreesAreDrawnOnSmallStacks(kibibytes: Int) {
    onAnotherThread(stackBytes: kibibytes * 1_024) {
      let host = WorkflowHost(workflow: Tall(depth: 3_000))
      host.rendering.sink.send(.tapAndReport)
      #expect(host.rendering.count == 1)
      #expect(host.drainOutputs() == [3_002])
    }
  }

  @Test func childThatRendersItselfWithItsParentsContextIsStopped() async {
    struct Selfish: Workflow {
      let draw: () -> Void
      func render(state: Void, context: RenderContext<Selfish>) { draw() }
    }
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = WorkflowHost(
        workflow: Made<Int, Int>(initial: 0) { state, context in
          func draw() { Selfish(draw: draw).running(with: context) }
          draw()
          return state
        })
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("renders are nested"), "\(text)")
  }

  @Test func startingAndStoppingManyTimesLeavesNothingBehind() {
    var toggle: (() -> Void)?
    let host = WorkflowHost(
      workflow: Made<Bool, Int>(initial: true) { state, context in
        let sink = context.makeStateMutationSink()
        toggle = { sink.send { $0.toggle() } }
        guard state else { return 0 }
        context.awaitResult(for: Job()) { _ in AnyWorkflowAction<Made<Bool, Int>>.noAction }
        context.runSideEffect(key: "x") { _ in }
        return Counter().ignoringOutput().rendered(with: context).count
      })
    for _ in 0..<2_000 { toggle?() }
    #expect(host.debugSnapshot().nodes.count == 2)
    #expect(host.drainWorkerEffects().count == 1)
    toggle?()
    #expect(host.debugSnapshot().nodes.count == 1)
    #expect(host.drainWorkerEffects().count == 1)
    toggle?()
    toggle?()
    #expect(host.drainWorkerEffects().isEmpty)
  }
}
