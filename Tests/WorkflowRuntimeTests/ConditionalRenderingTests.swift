import Testing
import WorkflowRuntime

/// Tests which nodes are rendered when the output of an action propagates to their parents.
@Suite struct ConditionalRenderingTests {
  /// A tree of three levels. The report of an action contains the depths of the levels that it
  /// changes.
  struct Level: Workflow {
    let depth: Int
    let log: Log
    typealias Output = Report

    struct Report: Equatable {
      var value: Int
      var changes: Set<Int>
    }

    struct Change: ContextualAction {
      typealias WorkflowType = Level
      let report: Report
      func apply(toState state: inout Int, workflow: Level) -> Report? {
        if report.changes.contains(workflow.depth) { state = report.value }
        return report
      }
    }

    func makeInitialState() -> Int { 0 }

    func render(state: Int, context: RenderContext<Level>) -> (states: [Int], sink: Sink<Change>) {
      log.add("\(depth)")
      guard depth > 0 else { return ([state], context.makeSink()) }
      let below = Level(depth: depth - 1, log: log)
        .mapOutput { Change(report: $0) }
        .rendered(with: context)
      return ([state] + below.states, below.sink)
    }
  }

  private let log = Log()

  private func change(_ value: Int, at changes: Set<Int>) -> Level.Change {
    Level.Change(report: Level.Report(value: value, changes: changes))
  }

  @Test(arguments: [[0], [1], [2], [0, 2], [0, 1, 2]] as [Set<Int>])
  func anyChangedAncestorIsRendered(changes: Set<Int>) {
    let host = WorkflowHost(workflow: Level(depth: 2, log: log))
    host.rendering.sink.send(change(7, at: changes))
    #expect(host.renderCount == 2)
    #expect(host.rendering.states == [2, 1, 0].map { changes.contains($0) ? 7 : 0 })
  }

  @Test func outputsAreDeliveredWithoutARender() {
    let host = WorkflowHost(workflow: Level(depth: 2, log: log))
    _ = log.drain()
    host.rendering.sink.send(change(7, at: []))
    #expect(log.drain() == [])
    #expect(host.renderCount == 1)
    #expect(host.drainOutputs() == [Level.Report(value: 7, changes: [])])
  }

  @Test func updateDrawsAlsoAfterAnActionThatChangedNothing() {
    let host = WorkflowHost(workflow: Level(depth: 0, log: log))
    host.rendering.sink.send(change(0, at: [0]))
    #expect(host.renderCount == 1)
    host.update(workflow: Level(depth: 0, log: log))
    #expect(host.renderCount == 2)
  }

  @Test func stateThatChangesAndChangesBackInABatchIsDrawnOnce() {
    let host = WorkflowHost(workflow: Level(depth: 0, log: log))
    _ = log.drain()
    host.batch {
      host.rendering.sink.send(change(1, at: [0]))
      host.rendering.sink.send(change(0, at: [0]))
    }
    // Two changes, each detected when it was made: one pass, and the same rendering.
    #expect(log.drain() == ["0"])
    #expect(host.rendering.states == [0])
  }

  @Test func outputOfAVoidStateCarriesTheCurrentValue() {
    struct Named: Workflow {
      let name: String
      typealias Output = String
      struct Tell: ContextualAction {
        typealias WorkflowType = Named
        func apply(toState state: inout Void, workflow: Named) -> String? { workflow.name }
      }
      func render(state: Void, context: RenderContext<Named>) -> Sink<Tell> { context.makeSink() }
    }
    let host = WorkflowHost(workflow: Named(name: "old"))
    let sink = host.rendering
    sink.send(.init())
    host.update(workflow: Named(name: "new"))
    sink.send(.init())
    #expect(host.drainOutputs() == ["old", "new"])
    #expect(host.renderCount == 2)
  }
}
