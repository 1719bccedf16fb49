import WorkflowRuntime

/// Something that a render is expected to ask for.
class Expectation {
  let request: RequestIdentity
  let site: CallSite
  var wasMet = false

  init(_ request: RequestIdentity, site: CallSite) {
    self.request = request
    self.site = site
  }
}

/// A child that is expected, and what it shows and says.
final class ExpectedChild<Child: Workflow>: Expectation {
  let rendering: Child.Rendering
  let output: Child.Output?
  let inspect: (Child) -> Void

  init(
    key: String, rendering: Child.Rendering, output: Child.Output?,
    inspect: @escaping (Child) -> Void, site: CallSite
  ) {
    self.rendering = rendering
    self.output = output
    self.inspect = inspect
    super.init(RequestIdentity(.child, Child.self, key: key), site: site)
  }
}

/// A worker that is expected, and what it answers.
final class ExpectedWorker<Work: Sendable>: Expectation {
  let worker: Work
  let outputs: [any Sendable]

  init(worker: Work, key: String, outputs: [any Sendable], site: CallSite) {
    self.worker = worker
    self.outputs = outputs
    super.init(RequestIdentity(.worker, Work.self, key: key), site: site)
  }
}

/// A side effect that is expected, and the action it sends.
final class ExpectedSideEffect<W: Workflow>: Expectation {
  let send: ((StagedRender<W>) -> Void)?

  init(key: AnyHashable, send: ((StagedRender<W>) -> Void)?, site: CallSite) {
    self.send = send
    super.init(RequestIdentity(.sideEffect, key: key), site: site)
  }
}
