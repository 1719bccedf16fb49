import JSONRPC
import ScreenModel
import TodoModel
import TodoProtocol
import TodoWorkflows

// MARK: Outputs of the workflows

extension Loop {
  func take(_ output: RootWorkflow.Output) {
    switch output {
    case .ended(let ends):
      for end in ends {
        switch end.result {
        case .success(let success):
          answer(end.token, outcome(success, of: inFlight[end.token]?.kind))
        case .failure(let error): answer(end.token, .error(RPCError(error)))
        }
      }
    case .progressed(let tokens, let progress):
      for token in tokens { report(progress, to: token) }
    }
  }

  func outcome(_ success: OperationAnswer, of kind: InFlight.Kind?) -> Answer.Outcome {
    switch (success, kind) {
    // A screen shows what came of it.
    case (_, .act): .withRevision()
    case (.loggedIn(let name), _): .withRevision { $0.member("name", name) }
    case (.registered(let name), _): .withRevision { $0.member("username", name) }
    case (.loaded(let summary), _):
      .withRevision { writer in
        writer.key("total")
        writer.integer(summary.total)
        writer.key("complete")
        writer.bool(summary.isComplete)
        writer.member("source", summary.source)
      }
    case (.page(let page), .listTodos(let params)):
      .result { writer, _ in params.writeResult(page, to: &writer) }
    case (.page, _): .json(.null)
    case (.todo(let todo), .getTodo):
      .result { writer, _ in writer.object { $0.member("todo", todo) } }
    case (.todo(let todo), _): .withRevision { $0.member("todo", todo) }
    case (.restored(let todo), _): .withRevision { $0.member("todo", todo) }
    case (.loggedOut, _), (.done, _): .withRevision()
    }
  }

  private func report(_ progress: LoadProgress, to token: OperationToken) {
    guard case .loadTodos(let progressToken?) = inFlight[token]?.kind else { return }
    let pages = progress.pageCount.map { "\(progress.pagesDone) of \($0)" }
    let percentage = progress.pageCount.map { min(100, 100 * progress.pagesDone / max(1, $0)) }
    let value = ProgressWire.report(
      message: "\(pages ?? "\(progress.pagesDone)") pages", percentage: percentage)
    notify(.progress, ProgressWire.params(token: progressToken, value: value))
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ key: String, _ value: String) {
    self.key(key)
    string(value)
  }

  fileprivate mutating func member(_ key: String, _ todo: Todo?) {
    self.key(key)
    if let todo { self.todo(todo) } else { null() }
  }
}
