import Foundation
import Testing
import WorkflowRuntime

@Suite struct SnapshotTests {
  /// A workflow that saves its text. Unless `depth` is 0, it has two children of its own type,
  /// whose depth is lower by one.
  struct Note: StateSavingWorkflow {
    let depth: Int

    struct Rendering {
      var text: String
      var edit: StateMutationSink<Note>
      var below: [Rendering]
    }

    func makeInitialState() -> String { "new" }

    func render(state: String, context: RenderContext<Note>) -> Rendering {
      let below = (0..<(depth == 0 ? 0 : 2)).map { number in
        Note(depth: depth - 1).rendered(with: context, key: "\(number)")
      }
      return Rendering(text: state, edit: context.makeStateMutationSink(), below: below)
    }

    func savedState(_ state: String) -> [UInt8]? { Array(state.utf8) }

    func restoredState(from bytes: [UInt8]) -> String? {
      String(validating: bytes, as: UTF8.self)
    }
  }

  @Test func newHostBeginsWithTheSavedStates() {
    let host = WorkflowHost(workflow: Note(depth: 2))
    host.rendering.below[1].below[0].edit.send { $0 = "deep" }
    host.rendering.edit.send { $0 = "root" }
    let restored = WorkflowHost(workflow: Note(depth: 2), restoring: host.snapshot())
    #expect(restored.rendering.text == "root")
    #expect(restored.rendering.below[1].below[0].text == "deep")
    #expect(restored.rendering.below[0].below[0].text == "new")
    #expect(restored.snapshot() == host.snapshot())
  }

  @Test func unreadableStateIsDropped() {
    let host = WorkflowHost(workflow: Note(depth: 1))
    host.rendering.below[0].edit.send { $0 = "kept" }
    var snapshot = host.snapshot()
    snapshot.nodes[0].state = [0xff]
    let restored = WorkflowHost(workflow: Note(depth: 1), restoring: snapshot)
    #expect(restored.rendering.text == "new")
    #expect(restored.rendering.below[0].text == "kept")
    snapshot.nodes[0].workflowName = "Other"
    let other = WorkflowHost(workflow: Note(depth: 1), restoring: snapshot)
    #expect(other.rendering.below[0].text == "new")
  }

  @Test func workflowWithoutSavedStateStartsWithItsInitialState() {
    let host = WorkflowHost(workflow: Counter())
    host.rendering.sink.send(.tap)
    #expect(host.snapshot().nodes.map(\.state) == [nil])
    #expect(WorkflowHost(workflow: Counter(), restoring: host.snapshot()).rendering.count == 0)
  }

  @Test func snapshotsCanBeEncoded() throws {
    let host = WorkflowHost(workflow: Note(depth: 1))
    let saved = try JSONEncoder().encode(host.snapshot())
    #expect(try JSONDecoder().decode(TreeSnapshot.self, from: saved) == host.snapshot())
    let shown = try JSONEncoder().encode(host.debugSnapshot())
    #expect(try JSONDecoder().decode(DebugSnapshot.self, from: shown) == host.debugSnapshot())
  }

  @Test func nodesKeepTheirSessionsBetweenPasses() {
    let host = WorkflowHost(workflow: Note(depth: 1))
    let sessions = host.debugSnapshot().nodes.map(\.sessionID)
    host.rendering.edit.send { $0 = "changed" }
    #expect(host.debugSnapshot().nodes.map(\.sessionID) == sessions)
    #expect(Set(sessions).count == 3)
  }

  @Test func debugSnapshotShowsTheTree() {
    let host = WorkflowHost(
      workflow: Made<Int, Int>(initial: 3) { state, context in
        _ = Counter().ignoringOutput().rendered(with: context, key: "k")
        context.awaitResult(for: Job()) { _ in AnyWorkflowAction<Made<Int, Int>>.noAction }
        context.runSideEffect(key: "watch") { _ in }
        return state
      })
    #expect(
      host.debugSnapshot().description == """
        Made<Int, Int> state=3 workers=[Job#1] sideEffects=[watch]
          Counter(k) state=0
        """)
    #expect(host.debugSnapshot().nodes[1].parent == 0)
  }

  @Test func snapshotsSeeQueuedActionsInTheirOrder() {
    let host = WorkflowHost(workflow: Counter())
    var states: [String] = []
    host.onRendering = { [unowned host] rendering in
      states += host.debugSnapshot().nodes.map(\.state)
      if rendering.count == 1 { rendering.sink.send(.tap) }
    }
    host.rendering.sink.send(.tap)
    #expect(states == ["1", "2"])
  }

  @Test func stateIsDescribedOnlyForASnapshot() {
    final class Count { var words = 0 }
    struct Spoken: CustomStringConvertible {
      let count: Count
      var description: String {
        count.words += 1
        return "spoken"
      }
    }
    let count = Count()
    let host = WorkflowHost(
      workflow: Made<Spoken, StateMutationSink<Made<Int, Int>>?>(
        initial: Spoken(count: count)
      ) { _, _ in nil })
    host.update(workflow: Made(initial: Spoken(count: count)) { _, _ in nil })
    #expect(count.words == 0)
    #expect(host.debugSnapshot().nodes.map(\.state) == ["spoken"])
    #expect(count.words == 1)
  }

  @Test func restoredStatesAreForTheFirstRenderOnly() {
    var show: StateMutationSink<Made<Int, Note.Rendering?>>?
    let root = Made<Int, Note.Rendering?>(initial: 0) { state, context in
      show = context.makeStateMutationSink()
      return state == 1 ? nil : Note(depth: 0).rendered(with: context)
    }
    let first = WorkflowHost(workflow: root)
    first.rendering?.edit.send { $0 = "saved" }
    let host = WorkflowHost(workflow: root, restoring: first.snapshot())
    #expect(host.rendering?.text == "saved")
    show?.send { $0 = 1 }
    show?.send { $0 = 2 }
    #expect(host.rendering?.text == "new")
  }
}
