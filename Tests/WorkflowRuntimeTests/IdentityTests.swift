import Foundation
import Testing
import WorkflowRuntime

private enum Left {
  struct Watch: Worker, Equatable {
    func run() async -> Int { 1 }
  }
}

private enum Right {
  struct Watch: Worker, Equatable {
    func run() async -> Int { 2 }
  }
}

/// Types with the same name are distinct.
@Suite struct IdentityTests {
  enum First {
    struct Row: StateSavingWorkflow {
      func makeInitialState() -> String { "first" }
      func render(state: String, context: RenderContext<Row>) -> String { state }
      func savedState(_ state: String) -> [UInt8]? { Array(state.utf8) }
      func restoredState(from bytes: [UInt8]) -> String? {
        String(validating: bytes, as: UTF8.self)
      }
    }
  }

  enum Second {
    struct Row: StateSavingWorkflow {
      func makeInitialState() -> String { "second" }
      func render(state: String, context: RenderContext<Row>) -> String { state }
      func savedState(_ state: String) -> [UInt8]? { Array(state.utf8) }
      func restoredState(from bytes: [UInt8]) -> String? {
        String(validating: bytes, as: UTF8.self)
      }
    }
  }

  private func host(
    first: Bool = true, second: Bool = true, observers: [any WorkflowObserver] = [],
    restoring snapshot: TreeSnapshot? = nil
  ) -> WorkflowHost<Made<Int, [String]>> {
    WorkflowHost(
      workflow: Made(initial: 0) { _, context in
        (first ? [First.Row().rendered(with: context)] : [])
          + (second ? [Second.Row().rendered(with: context)] : [])
      }, observers: observers, restoring: snapshot)
  }

  @Test func savedStateGoesToTheTypeThatSavedIt() throws {
    let saved = host(second: false).snapshot()
    #expect(host(restoring: saved).rendering == ["first", "second"])
    let bytes = try JSONEncoder().encode(saved)
    let read = try JSONDecoder().decode(TreeSnapshot.self, from: bytes)
    #expect(host(first: false, restoring: read).rendering == ["second"])
    #expect(read.nodes.map(\.workflowName) == saved.nodes.map(\.workflowName))
  }

  @Test func snapshotCreatedByHandIsRestored() {
    let snapshot = TreeSnapshot(nodes: [
      TreeSnapshot.Node(parent: nil, workflow: Made<Int, [String]>.self),
      TreeSnapshot.Node(parent: 0, workflow: Second.Row.self, state: Array("made".utf8)),
      TreeSnapshot.Node(parent: 99, workflow: First.Row.self, state: Array("lost".utf8)),
    ])
    #expect(host(restoring: snapshot).rendering == ["first", "made"])
  }

  @Test func stateOfATypeWithoutAStableNameIsNotEncoded() throws {
    struct Local: StateSavingWorkflow {
      func makeInitialState() -> String { "local" }
      func render(state: String, context: RenderContext<Local>) -> String { state }
      func savedState(_ state: String) -> [UInt8]? { [1] }
      func restoredState(from bytes: [UInt8]) -> String? { "restored" }
    }
    let saved = WorkflowHost(workflow: Local()).snapshot()
    #expect(WorkflowHost(workflow: Local(), restoring: saved).rendering == "restored")
    let error = #expect(throws: EncodingError.self) { try JSONEncoder().encode(saved) }
    guard case .invalidValue(_, let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.debugDescription.contains("local to a function or private to a file"))
    #expect(context.debugDescription.contains("Local"))
  }

  @Test func localTypeWithoutSavedStateIsEncoded() throws {
    struct Plain: Workflow {
      func render(state: Void, context: RenderContext<Plain>) -> Int { 1 }
    }
    let saved = WorkflowHost(workflow: Plain()).snapshot()
    #expect(try !JSONEncoder().encode(saved).isEmpty)
  }

  @Test func decodedDebugSnapshotWithAnyDepthCanBeDescribed() throws {
    let bytes =
      Data(
        #"{"nodes":[{"depth":-3,"sessionID":1,"workflowName":"A","key":"","state":"0","workers":[],"#
          .utf8)
      + Data(#""sideEffects":[]}]}"#.utf8)
    let read = try JSONDecoder().decode(DebugSnapshot.self, from: bytes)
    #expect(read.description == "A state=0")
  }

  @Test func sessionNamesDistinguishTypesWithTheSameName() {
    final class Sessions: WorkflowObserver {
      var all: [WorkflowSession] = []
      func sessionDidBegin(_ session: WorkflowSession) { all.append(session) }
    }
    let sessions = Sessions()
    let both = host(observers: [sessions])
    #expect(sessions.all.map(\.workflowName)[2] == "WorkflowRuntimeTests.IdentityTests.Second.Row")
    #expect(ObjectIdentifier(sessions.all[1].workflowType) == ObjectIdentifier(First.Row.self))
    #expect(
      both.debugSnapshot().nodes.map(\.workflowName) == [
        "Made<Int, Array<String>>", "WorkflowRuntimeTests.IdentityTests.First.Row",
        "WorkflowRuntimeTests.IdentityTests.Second.Row",
      ])
    #expect(host(second: false).debugSnapshot().nodes.map(\.workflowName)[1] == "Row")
  }

  @Test func sessionsAreEqualDespiteALongerName() {
    final class Sessions: WorkflowObserver {
      var started: [WorkflowSession] = []
      var ended: Set<WorkflowSession> = []
      func sessionDidBegin(_ session: WorkflowSession) { started.append(session) }
      func sessionDidEnd(_ session: WorkflowSession) { ended.insert(session) }
    }
    let sessions = Sessions()
    host(observers: [sessions]).end()
    #expect(Set(sessions.started) == sessions.ended)
  }

  @Test func workersWithTheSameTypeNameAreDistinct() {
    let host = WorkflowHost(
      workflow: Made<Int, Int>(initial: 0) { state, context in
        context.awaitResult(for: Left.Watch()) { output in
          AnyWorkflowAction<Made<Int, Int>> { state in
            state += output
            return nil
          }
        }
        context.awaitResult(for: Right.Watch()) { output in
          AnyWorkflowAction<Made<Int, Int>> { state in
            state += 10 * output
            return nil
          }
        }
        return state
      })
    for case .start(let task) in host.drainWorkerEffects() {
      #expect(task.name == "Watch")
      #expect(!task.isStream)
      if task.workerType == Right.Watch.self {
        host.deliver(WorkerOutput(workerID: task.id, value: 2))
      }
    }
    #expect(host.rendering == 20)
  }

  @Test func sideEffectKeysOfTwoTypesAreDistinct() {
    let log = Log()
    let host = WorkflowHost(
      workflow: Made<Int, Int>(initial: 0) { state, context in
        context.runSideEffect(key: 1) { _ in log.add("number") }
        context.runSideEffect(key: "1") { _ in log.add("text") }
        return state
      })
    #expect(log.drain() == ["number", "text"])
    withExtendedLifetime(host) {}
  }

  // MARK: Sinks

  private struct Screen: Equatable {
    var tapped: Sink<AnyWorkflowAction<Sinks>>
    var named: Sink<String>
    var numbered: Sink<Int>
    var reported: Sink<String>
    var typed: Sink<String>
    var edit: StateMutationSink<Sinks>
  }

  private struct Sinks: Workflow {
    typealias Output = String
    var step = 0

    func makeInitialState() -> String { "" }
    func render(state: String, context: RenderContext<Sinks>) -> Screen {
      let sink = context.makeSink(of: AnyWorkflowAction<Sinks>.self)
      return Screen(
        tapped: sink,
        named: sink.contraMap { name in
          .init {
            $0 = name
            return nil
          }
        },
        numbered: sink.contraMap { number in
          .init {
            $0 = "\(number)"
            return nil
          }
        },
        reported: context.makeOutputSink(),
        typed: context.makeSink(of: String.self) {
          $0 += $1
          return nil
        },
        edit: context.makeStateMutationSink())
    }
  }

  @Test func renderingsThatHoldSinksOfOneNodeAreEqual() {
    let host = WorkflowHost(workflow: Sinks())
    let first = host.rendering
    host.update(workflow: Sinks(step: 1))
    #expect(host.renderCount == 2)
    #expect(host.rendering == first)
    first.named.send("a")
    first.typed.send("b")
    #expect(host.snapshot().nodes.count == 1)
    #expect(host.debugSnapshot().nodes[0].state == "ab")
  }

  @Test func sinksOfTwoNodesOrOfTwoKindsDiffer() {
    let host = WorkflowHost(workflow: Sinks())
    let other = WorkflowHost(workflow: Sinks())
    #expect(host.rendering != other.rendering)
    #expect(host.rendering.edit != other.rendering.edit)
    #expect(host.rendering.reported != other.rendering.reported)
    #expect(host.rendering.named != other.rendering.named)
    #expect(host.rendering.named != host.rendering.reported)
    #expect(host.rendering.typed != host.rendering.reported)
    #expect(host.rendering.typed != host.rendering.named)
    #expect(Sink<Int> { _ in } != Sink<Int> { _ in })
    let longer = host.rendering.numbered.contraMap { (text: String) in text.count }
    #expect(longer == host.rendering.numbered.contraMap { (text: String) in text.count })
    #expect(longer != host.rendering.named)
  }
}
