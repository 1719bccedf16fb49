import Testing
import WorkflowRuntime

/// Reports a broken expectation where it was written.
func fail(_ message: String, at location: SourceLocation) {
  Issue.record("\(message)", sourceLocation: location)
}

/// A value as a failure shows it.
func shown(_ value: Any) -> String {
  String(reflecting: value)
}

/// Something that a render is expected to ask for.
class Expectation {
  /// What is asked for, by which a failure and its candidates are named.
  enum Kind: String {
    case child, worker
    case sideEffect = "side effect"
  }

  let kind: Kind
  let typeName: String
  let key: String
  let location: SourceLocation
  var wasMet = false

  init(_ kind: Kind, typeName: String, key: String, location: SourceLocation) {
    self.kind = kind
    self.typeName = typeName
    self.key = key
    self.location = location
  }

  var name: String { Expectation.name(kind, typeName, key) }

  static func name(_ kind: Kind, _ typeName: String, _ key: String) -> String {
    let name = typeName.isEmpty ? kind.rawValue : "\(kind.rawValue) \(typeName)"
    return key.isEmpty ? name : "\(name) with key \"\(key)\""
  }
}

/// A child that is expected, and what it shows and says.
final class ExpectedChild<Child: Workflow>: Expectation {
  let rendering: Child.Rendering
  let output: Child.Output?
  let inspect: (Child) -> Void

  init(
    key: String, rendering: Child.Rendering, output: Child.Output?,
    inspect: @escaping (Child) -> Void, location: SourceLocation
  ) {
    self.rendering = rendering
    self.output = output
    self.inspect = inspect
    super.init(.child, typeName: "\(Child.self)", key: key, location: location)
  }
}

/// A worker that is expected, and what it answers.
final class ExpectedWorker<Work: Sendable>: Expectation {
  let worker: Work
  let outputs: [any Sendable]

  init(worker: Work, key: String, outputs: [any Sendable], location: SourceLocation) {
    self.worker = worker
    self.outputs = outputs
    super.init(.worker, typeName: "\(Work.self)", key: key, location: location)
  }
}

/// A side effect that is expected, and the action it sends.
final class ExpectedSideEffect<W: Workflow>: Expectation {
  let sideEffectKey: AnyHashable
  let send: ((StagedRender<W>) -> Void)?

  init(key: AnyHashable, send: ((StagedRender<W>) -> Void)?, location: SourceLocation) {
    sideEffectKey = key
    self.send = send
    super.init(.sideEffect, typeName: "", key: "\(key)", location: location)
  }
}
