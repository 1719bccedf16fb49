import WorkflowRuntime

/// A stub for the children, workers and side effects of a workflow. It answers the requests of a
/// render with the expected values, and reports mismatches.
final class Stage<W: Workflow>: RenderStub {
  private let expectations: [Expectation]
  private let site: CallSite

  /// The requests of the current render, in order.
  private var requests: [Request] = []
  /// The requests of the first render, in order, with which the requests of the second render are
  /// compared; empty until the second render begins.
  private var firstRequests: [Request] = []

  /// The functions that apply the outputs of expected children and workers, and send the actions of
  /// expected side effects, after the render.
  private(set) var actions: [(StubbedRender<W>) -> Void] = []

  /// Whether the current render is the second one, in which nothing is reported or sent again.
  private var isRepeating = false
  private(set) var hasAnsweredEverything = true

  init(expectations: [Expectation], site: CallSite) {
    self.expectations = expectations
    self.site = site
  }

  func beginRepeating() {
    isRepeating = true
    firstRequests = requests
    requests = []
  }

  func drainActions() -> [(StubbedRender<W>) -> Void] {
    defer { actions = [] }
    return actions
  }

  func reportUnmetExpectations() {
    for expectation in expectations where !expectation.wasMet {
      let came =
        requests.isEmpty ? "nothing was requested" : "requested: \(list(requests.map(\.identity)))"
      fail("Expected \(name(expectation.request)), but \(came).", at: expectation.site)
    }
  }

  /// Reports the differences between the second render and the first.
  func reportDifferences() {
    let first = firstRequests.map(\.identity)
    let second = requests.map(\.identity)
    guard first == second else {
      fail(
        """
        \(W.self) asks for other things when it is rendered again with the same state: \
        first [\(list(first))], then [\(list(second))]. A render must depend on its arguments only.
        """, at: site)
      return
    }
    for (old, new) in zip(firstRequests, requests) where !old.isSame(new.value) {
      fail(
        """
        \(W.self) asks for another \(name(old.identity)) when it is rendered again with the same \
        state: first \(shown(old.value)), then \(shown(new.value)). A render must depend on its \
        arguments only.
        """, at: site)
    }
  }

  // MARK: RenderStub

  func renderChild<Child: Workflow>(
    _ workflow: Child, key: String, bubbling: ((Child.Output) -> PendingAction?)?
  ) -> Child.Rendering {
    let identity = RequestIdentity(.child, Child.self, key: key)
    record(identity, workflow) { other in
      (other as? Child).flatMap { areEqual(workflow, $0) } ?? true
    }
    guard let expected = find(identity) as? ExpectedChild<Child> else {
      reportUnexpected(identity)
      // The test needs a rendering to continue.
      return WorkflowHost(workflow: workflow).rendering
    }
    if !isRepeating {
      expected.inspect(workflow)
      if let output = expected.output, let action = bubbling?(output) {
        actions.append { $0.apply(action) }
      }
    }
    return expected.rendering
  }

  func awaitResult<Work: Sendable>(
    for worker: Work, key: String, isEquivalent: @escaping (Work, Work) -> Bool,
    bubbling: @escaping (any Sendable) -> PendingAction?
  ) {
    let identity = RequestIdentity(.worker, Work.self, key: key)
    record(identity, worker) { other in
      (other as? Work).map { isEquivalent($0, worker) } ?? true
    }
    guard let expected = find(identity) as? ExpectedWorker<Work> else {
      return reportUnexpected(identity)
    }
    guard !isRepeating else { return }
    if !isEquivalent(worker, expected.worker) {
      fail(
        """
        Expected \(name(identity)) equivalent to \(shown(expected.worker)), \
        but \(shown(worker)) was awaited.
        """, at: expected.site)
    }
    for output in expected.outputs {
      if let action = bubbling(output) { actions.append { $0.apply(action) } }
    }
  }

  func runSideEffect(key: AnyHashable, _ body: @escaping (Lifetime) -> Void) {
    let identity = RequestIdentity(.sideEffect, key: key)
    record(identity, key) { _ in true }
    guard let expected = find(identity) as? ExpectedSideEffect<W> else {
      return reportUnexpected(identity)
    }
    if !isRepeating, let send = expected.send { actions.append(send) }
  }

  // MARK: Matching

  private func record(_ identity: RequestIdentity, _ value: Any, isSame: @escaping (Any) -> Bool) {
    if !isRepeating, requests.contains(where: { $0.identity == identity }) {
      fail(
        "\(W.self) asks for \(name(identity)) twice in one render. Give each a key of its own.",
        at: site)
    }
    requests.append(Request(identity: identity, value: value, isSame: isSame))
  }

  private func find(_ identity: RequestIdentity) -> Expectation? {
    let expected = expectations.first { $0.request == identity }
    expected?.wasMet = true
    return expected
  }

  private func reportUnexpected(_ identity: RequestIdentity) {
    hasAnsweredEverything = false
    guard !isRepeating else { return }
    let candidates = expectations.map(\.request).filter { $0.kind == identity.kind }
    let expected = candidates.isEmpty ? "none is expected" : "expected: \(list(candidates))"
    fail("Unexpected \(name(identity)); \(expected).", at: site)
  }

  private func name(_ identity: RequestIdentity) -> String {
    identity.name(among: expectations.map(\.request) + requests.map(\.identity))
  }

  private func list(_ identities: [RequestIdentity]) -> String {
    identities.map { name($0) }.joined(separator: ", ")
  }
}
