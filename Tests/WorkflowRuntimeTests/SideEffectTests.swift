import Testing
import WorkflowRuntime

@Suite struct SideEffectTests {
  /// Returns a host that runs a side effect for each key in its state, and a function that replaces
  /// these keys.
  private func host(
    _ log: Log, _ first: [String]
  ) -> (WorkflowHost<Made<[String], StateSink>>, ([String]) -> Void) {
    var change: StateMutationSink<Made<[String], StateSink>>?
    let host = WorkflowHost(
      workflow: Made<[String], StateSink>(initial: first) { state, context in
        change = context.makeStateMutationSink()
        for key in state {
          context.runSideEffect(key: key) { lifetime in
            log.add("begin \(key)")
            lifetime.onEnded { log.add("end \(key)") }
            lifetime.onEnded { log.add("really end \(key)") }
          }
        }
        log.add("drawn")
        return StateSink()
      })
    return (host, { keys in change?.send { $0 = keys } })
  }

  struct StateSink {}

  @Test func runsOnceAfterTheFirstRenderThatRequestsIt() {
    let log = Log()
    let (host, change) = host(log, ["a"])
    #expect(log.drain() == ["drawn", "begin a"])
    change(["a", "b"])
    #expect(log.drain() == ["drawn", "begin b"])
    withExtendedLifetime(host) {}
  }

  @Test func oldEndsBeforeNewBegins() {
    let log = Log()
    let (host, change) = host(log, ["a"])
    _ = log.drain()
    change(["b"])
    #expect(log.drain() == ["drawn", "end a", "really end a", "begin b"])
    withExtendedLifetime(host) {}
  }

  @Test func endsWithTheHost() {
    let log = Log()
    do {
      let (host, _) = host(log, ["a", "b"])
      withExtendedLifetime(host) {}
    }
    #expect(log.drain().suffix(4) == ["end a", "really end a", "end b", "really end b"])
  }

  @Test func mayStartAgainAfterItEnded() {
    let log = Log()
    let (host, change) = host(log, ["a"])
    change([])
    change(["a"])
    #expect(log.lines.filter { $0 == "begin a" }.count == 2)
    withExtendedLifetime(host) {}
  }

  @Test func onEndedAfterTheEndIsCalledImmediately() {
    var kept: Lifetime?
    var ended = 0
    do {
      let host = WorkflowHost(
        workflow: Made<Int, Int>(initial: 0) { state, context in
          context.runSideEffect(key: 1) { kept = $0 }
          return state
        })
      withExtendedLifetime(host) { #expect(kept?.hasEnded == false) }
    }
    #expect(kept?.hasEnded == true)
    kept?.onEnded { ended += 1 }
    #expect(ended == 1)
  }

  @Test func sendsOfASideEffectAreAppliedInOrder() {
    let host = WorkflowHost(
      workflow: Made<[Int], [Int]>(initial: []) { state, context in
        let sink = context.makeStateMutationSink()
        context.runSideEffect(key: "one") { _ in
          sink.send { $0.append(1) }
          sink.send { $0.append(2) }
        }
        context.runSideEffect(key: "two") { _ in sink.send { $0.append(3) } }
        return state
      })
    #expect(host.rendering == [1, 2, 3])
    #expect(host.renderCount == 2)
  }

  @Test func sendWhenEndingIsApplied() {
    var stop: (() -> Void)?
    let host = WorkflowHost(
      workflow: Made<[String], [String]>(initial: []) { state, context in
        let sink = context.makeStateMutationSink()
        stop = { sink.send { $0.append("stop") } }
        if state.isEmpty {
          context.runSideEffect(key: "a") { lifetime in
            lifetime.onEnded { sink.send { $0.append("ended") } }
          }
        }
        return state
      })
    stop?()
    #expect(host.rendering == ["stop", "ended"])
  }

  @Test func effectsWithDifferentKeysAllBegin() {
    let log = Log()
    let (host, _) = host(log, ["a", "b", "c"])
    #expect(log.drain() == ["drawn", "begin a", "begin b", "begin c"])
    withExtendedLifetime(host) {}
  }

  @Test func keysOfDifferentTypesAreDifferentKeys() {
    let log = Log()
    let host = WorkflowHost(
      workflow: Made<Int, Int>(initial: 0) { state, context in
        context.runSideEffect(key: 1) { _ in log.add("number") }
        context.runSideEffect(key: "1") { _ in log.add("text") }
        return state
      })
    #expect(log.lines == ["number", "text"])
    withExtendedLifetime(host) {}
  }

  @Test func isNotStartedAgainByLaterPasses() {
    let log = Log()
    let (host, change) = host(log, ["a"])
    _ = log.drain()
    for number in 0..<3 { change(["a", "b\(number)"]) }
    #expect(!log.lines.contains("begin a"))
    #expect(!log.lines.contains("end a"))
    withExtendedLifetime(host) {}
  }

  @Test func endsEvenIfTheLifetimeIsRetained() {
    var kept: Lifetime?
    var stop: (() -> Void)?
    let log = Log()
    let host = WorkflowHost(
      workflow: Made<Bool, Int>(initial: true) { state, context in
        let sink = context.makeStateMutationSink()
        stop = { sink.send { $0 = false } }
        if state {
          context.runSideEffect(key: 1) { lifetime in
            kept = lifetime
            lifetime.onEnded { log.add("ended") }
          }
        }
        return 0
      })
    stop?()
    #expect(log.lines == ["ended"])
    #expect(kept?.hasEnded == true)
    withExtendedLifetime(host) {}
  }

  @Test func effectOfARemovedChildEnds() {
    struct Watcher: Workflow {
      let log: Log
      func render(state: Void, context: RenderContext<Watcher>) {
        context.runSideEffect(key: "watch") { [log] lifetime in
          log.add("begin")
          lifetime.onEnded { log.add("end") }
        }
      }
    }
    let log = Log()
    var stop: (() -> Void)?
    let host = WorkflowHost(
      workflow: Made<Bool, Int>(initial: true) { state, context in
        let sink = context.makeStateMutationSink()
        stop = { sink.send { $0 = false } }
        if state { Watcher(log: log).running(with: context) }
        return 0
      })
    #expect(log.drain() == ["begin"])
    stop?()
    #expect(log.drain() == ["end"])
    withExtendedLifetime(host) {}
  }
}
