import System
import Testing
import WorkflowRuntime

/// Tests that hosts can be released in callbacks, and that memory is freed.
@Suite struct LettingGoTests {
  private final class Holder {
    var host: WorkflowHost<Counter>?
  }

  @Test func actionMayReleaseTheHost() {
    final class Box { var host: WorkflowHost<Quitting>? }
    struct Quitting: Workflow {
      struct Quit: WorkflowAction {
        typealias WorkflowType = Quitting
        let box: Box
        func apply(toState state: inout [Int]) -> String? {
          box.host = nil
          state.append(1)
          return "quit"
        }
      }
      typealias Output = String
      func makeInitialState() -> [Int] { [] }
      func render(state: [Int], context: RenderContext<Quitting>) -> Sink<Quit> {
        context.awaitResult(for: Job()) { _ in AnyWorkflowAction<Quitting>.noAction }
        return context.makeSink()
      }
    }
    let box = Box()
    box.host = WorkflowHost(workflow: Quitting())
    let sink = box.host?.rendering
    sink?.send(.init(box: box))
    #expect(box.host == nil)
    sink?.send(.init(box: box))
  }

  @Test func childsActionMayReleaseTheHostAndItsOutputIsDropped() {
    final class Box { var host: WorkflowHost<Made<Int, Counter.Rendering>>? }
    let box = Box()
    var reported = 0
    box.host = WorkflowHost(
      workflow: Made<Int, Counter.Rendering>(initial: 0) { _, context in
        Counter().rendered(with: context) { output in
          box.host = nil
          return AnyWorkflowAction<Made<Int, Counter.Rendering>> { _ in
            reported += output
            return nil
          }
        }
      })
    let sink = box.host?.rendering.sink
    sink?.send(.tapAndReport)
    #expect(box.host == nil)
    #expect(reported == 0)
  }

  @Test func outputCallbackMayReleaseTheHost() {
    let holder = Holder()
    holder.host = WorkflowHost(workflow: Counter())
    holder.host?.onOutput = { [unowned holder] _ in holder.host = nil }
    let sink = holder.host?.rendering.sink
    sink?.send(.tapAndReport)
    #expect(holder.host == nil)
  }

  @Test func workerHandlerMayReleaseTheHost() {
    final class Box { var host: WorkflowHost<Made<Bool, StateMutationSink<Made<Bool, Int>>?>>? }
    let box = Box()
    var begin: (() -> Void)?
    box.host = WorkflowHost(
      workflow: Made<Bool, StateMutationSink<Made<Bool, Int>>?>(initial: false) { state, context in
        let sink = context.makeStateMutationSink()
        begin = { sink.send { $0 = true } }
        if state {
          context.awaitResult(for: Job()) { _ in
            AnyWorkflowAction<Made<Bool, StateMutationSink<Made<Bool, Int>>?>>.noAction
          }
        }
        return nil
      })
    var log: [String] = []
    box.host?.onWorkerEffects = { [unowned box] effects in
      for effect in effects {
        switch effect {
        case .start(let task):
          log.append("start \(task.id)")
          box.host = nil
        case .stop(let id): log.append("stop \(id)")
        }
      }
    }
    begin?()
    #expect(box.host == nil)
    #expect(log == ["start #1", "stop #1"])
  }

  /// A state that contains its own sink, and sends an action when it is released.
  private final class Farewell {
    var sink: Sink<Leaf.Action>?
    deinit { sink?.send(.said) }
  }

  private struct Leaf: Workflow {
    typealias Output = String
    enum Action: WorkflowAction {
      case kept, said
      typealias WorkflowType = Leaf
      func apply(toState state: inout Farewell) -> String? { "\(self)" }
    }
    func makeInitialState() -> Farewell { Farewell() }
    func render(
      state: Farewell, context: RenderContext<Leaf>
    ) -> (state: Farewell, sink: Sink<Action>) {
      state.sink = context.makeSink()
      return (state, context.makeSink())
    }
  }

  private final class Dropped: WorkflowObserver {
    var actions: [String] = []
    func actionWasDropped(_ action: Any) { actions.append("\(action)") }
  }

  @Test func stateIsReleasedWithItsSessionAndItsSinksStaySafe() {
    var hide: (() -> Void)?
    weak var state: Farewell?
    var sink: Sink<Leaf.Action>?
    let observer = Dropped()
    let host = WorkflowHost(
      workflow: Made<Bool, Int>(initial: true) { isShown, context in
        let sinkOfParent = context.makeStateMutationSink()
        hide = { sinkOfParent.send { $0 = false } }
        guard isShown else { return 0 }
        let shown = Leaf().mapOutput { AnyWorkflowAction<Made<Bool, Int>>(sendingOutput: $0) }
          .rendered(with: context)
        (state, sink) = (shown.state, shown.sink)
        return 1
      }, observers: [observer])
    sink?.send(.kept)
    #expect(host.drainOutputs() == ["kept"])
    hide?()
    #expect(state == nil)
    sink?.send(.kept)
    #expect(observer.actions == ["said", "kept"])
    #expect(host.drainOutputs() == [] && host.rendering == 0)
  }

  @Test func stateOfTheRootIsReleasedWithTheHost() {
    weak var state: Farewell?
    var host: WorkflowHost<Leaf>? = WorkflowHost(workflow: Leaf())
    state = host?.rendering.state
    let sink = host?.rendering.sink
    #expect(state != nil)
    host = nil
    #expect(state == nil)
    sink?.send(.kept)
  }

  /// The test runs in a separate process, in which nothing else allocates memory.
  @Test func startingAndStoppingManyTimesTakesNoMemory() async {
    await #expect(processExitsWith: .success) {
      var toggle: (() -> Void)?
      let host = WorkflowHost(
        workflow: Made<Bool, Int>(initial: true) { state, context in
          let sink = context.makeStateMutationSink()
          toggle = { sink.send { $0.toggle() } }
          guard state else { return 0 }
          context.awaitResult(for: Job()) { _ in AnyWorkflowAction<Made<Bool, Int>>.noAction }
          context.awaitResult(for: Feed()) { _ in AnyWorkflowAction<Made<Bool, Int>>.noAction }
          context.runSideEffect(key: "x") { _ in }
          return Counter().ignoringOutput().rendered(with: context).count
        })
      func drive(_ passCount: Int) {
        for _ in 0..<passCount {
          toggle?()
          _ = host.drainWorkerEffects()
        }
      }
      drive(5_000)
      let before = residentBytes()
      drive(50_000)
      let growth = residentBytes() - before
      // One leaked object per pass would be at least 32 bytes, 1.6 MB in total.
      #expect(growth < 1 << 20)
    }
  }
}

/// The resident memory of the process; zero if the system does not report it.
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
