import Testing
import WorkflowRuntime

/// Answers a render's requests from expectations, and notes what came and what was missing.
final class Stage<W: Workflow>: RenderStage {
  private let expectations: [Expectation]
  private let location: SourceLocation

  /// The names of what was asked for, in order.
  private(set) var requests: [String] = []

  /// What the outputs of children and workers became; applied when the render is over.
  private(set) var actions: [(StagedRender<W>) -> Void] = []

  /// In the second render of the idempotence check nothing is reported or sent again.
  private var isRepeating = false

  init(expectations: [Expectation], location: SourceLocation) {
    self.expectations = expectations
    self.location = location
  }

  func beginRepeating() {
    isRepeating = true
    requests = []
  }

  func takeActions() -> [(StagedRender<W>) -> Void] {
    defer { actions = [] }
    return actions
  }

  func reportWhatIsMissing() {
    for expectation in expectations where !expectation.wasMet {
      let came = requests.isEmpty ? "nothing was asked for" : "asked for: \(list(requests))"
      fail("Expected \(expectation.name), but \(came).", at: expectation.location)
    }
  }

  // MARK: RenderStage

  func renderChild<Child: Workflow>(
    _ workflow: Child, key: String, bubbling: ((Child.Output) -> PendingAction?)?
  ) -> Child.Rendering {
    note(.child, "\(Child.self)", key)
    guard let expected = find(ExpectedChild<Child>.self, where: { $0.key == key }) else {
      return unexpected(.child, "\(Child.self)", key, rendering: workflow)
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
    for worker: Work, key: String, isEquivalent: (Work, Work) -> Bool,
    bubbling: @escaping (any Sendable) -> PendingAction?
  ) {
    note(.worker, "\(Work.self)", key)
    guard let expected = find(ExpectedWorker<Work>.self, where: { $0.key == key }) else {
      return reportUnexpected(.worker, "\(Work.self)", key)
    }
    guard !isRepeating else { return }
    if !isEquivalent(worker, expected.worker) {
      fail(
        """
        Expected \(expected.name) equivalent to \(shown(expected.worker)), \
        but \(shown(worker)) was awaited.
        """, at: expected.location)
    }
    for output in expected.outputs {
      if let action = bubbling(output) { actions.append { $0.apply(action) } }
    }
  }

  func runSideEffect(key: AnyHashable, _ body: @escaping (Lifetime) -> Void) {
    note(.sideEffect, "", "\(key)")
    let found = find(ExpectedSideEffect<W>.self, where: { $0.sideEffectKey == key })
    guard let found else { return reportUnexpected(.sideEffect, "", "\(key)") }
    if !isRepeating, let send = found.send { actions.append(send) }
  }

  // MARK: Matching

  private func note(_ kind: Expectation.Kind, _ typeName: String, _ key: String) {
    let name = Expectation.name(kind, typeName, key)
    if !isRepeating, requests.contains(name) {
      fail(
        "\(W.self) asks for \(name) twice in one render. Give each a key of its own.", at: location)
    }
    requests.append(name)
  }

  private func find<Expected: Expectation>(
    _ type: Expected.Type, where isMatch: (Expected) -> Bool
  ) -> Expected? {
    for case let expected as Expected in expectations where isMatch(expected) {
      expected.wasMet = true
      return expected
    }
    return nil
  }

  private func reportUnexpected(_ kind: Expectation.Kind, _ typeName: String, _ key: String) {
    guard !isRepeating else { return }
    let candidates = expectations.filter { $0.kind == kind }.map(\.name)
    let expected = candidates.isEmpty ? "none is expected" : "expected: \(list(candidates))"
    fail("Unexpected \(Expectation.name(kind, typeName, key)); \(expected).", at: location)
  }

  /// Reports, and draws the child for real, since the test needs some rendering to go on.
  private func unexpected<Child: Workflow>(
    _ kind: Expectation.Kind, _ typeName: String, _ key: String, rendering child: Child
  ) -> Child.Rendering {
    reportUnexpected(kind, typeName, key)
    return WorkflowHost(workflow: child).rendering
  }

  private func list(_ names: [String]) -> String {
    names.joined(separator: ", ")
  }
}
