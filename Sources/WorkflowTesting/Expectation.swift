import WorkflowRuntime

/// An expected request of a render.
class Expectation {
  let request: RequestIdentity
  let site: CallSite
  var wasMet = false

  init(_ request: RequestIdentity, site: CallSite) {
    self.request = request
    self.site = site
  }
}

/// An expected child, with its rendering and output.
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

/// An expected worker, with its outputs.
final class ExpectedWorker<Work: Sendable>: Expectation {
  let worker: Work
  let outputs: [any Sendable]

  init(worker: Work, key: String, outputs: [any Sendable], site: CallSite) {
    self.worker = worker
    self.outputs = outputs
    super.init(RequestIdentity(.worker, Work.self, key: key), site: site)
  }
}

/// An expected side effect, with the action it sends.
final class ExpectedSideEffect<W: Workflow>: Expectation {
  let send: ((StubbedRender<W>) -> Void)?

  init(key: AnyHashable, send: ((StubbedRender<W>) -> Void)?, site: CallSite) {
    self.send = send
    super.init(RequestIdentity(.sideEffect, key: key), site: site)
  }
}
