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
    case (.loggedIn(let name), _): .withRevision(["name": .string(name)])
    case (.registered(let name), _): .withRevision(["username": .string(name)])
    case (.loaded(let summary), _):
      .withRevision([
        "total": .integer(Int64(summary.total)), "complete": .bool(summary.isComplete),
        "source": .string(summary.source),
      ])
    case (.page(let page), .listTodos(let params)): .json(params.result(page))
    case (.page, _): .json(.null)
    case (.todo(let todo), .getTodo): .json(.object(["todo": JSON(todo)]))
    case (.todo(let todo), _): .withRevision(["todo": JSON(todo)])
    case (.restored(let todo), _): .withRevision(["todo": todo.map { JSON($0) } ?? .null])
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
