import Synchronization
import TodoModel

/// A GitHub server on 127.0.0.1: a `GitHubModel` behind real sockets, with faults at chosen
/// requests.
///
/// ```swift
/// let github = GitHubServer()
/// github.change { $0.add(title: "Buy milk", at: .now) }
/// github.fail(.dropAfter, at: github.requests.count)   // the next request
/// // todo-server --github-url \(github.url) --source github:octo/tasks
/// ```
package final class GitHubServer: Sendable {
  /// A fault of one request.
  package enum Fault: Sendable {
    /// The connection is closed before GitHub receives the request.
    case dropBefore
    /// The request is processed, and the connection closed without a response.
    case dropAfter
    /// The request is processed, and half of the response body is sent.
    case halfBody
    /// The request is processed and opens the gate `arrived`. Its response waits for the gate
    /// `until`.
    case delay(arrived: Gate, until: Gate)
    /// A proxy responds with an error page. `isProcessed` is whether GitHub processes the request.
    case page(status: Int, isProcessed: Bool)
  }

  private let core: Core
  private let server: LoopbackServer

  package var url: String { server.url + core.basePath }
  /// The received requests, in order, including those with a fault.
  package var requests: [LoopbackRequest] { server.requests }
  package var writes: [LoopbackRequest] { requests.filter { $0.method != "GET" } }
  package var connectionCount: Int { server.connectionCount }

  /// Starts a server.
  ///
  /// - Parameter now: the base of the model's clock.
  package init(
    _ model: GitHubModel = GitHubModel(), now: @escaping @Sendable () -> Timestamp = { .now }
  ) {
    let core = Core(model, now: now)
    self.core = core
    server = LoopbackServer { core.answer($0) }
  }

  /// Starts a server with an empty repository `octo/tasks` and short pages.
  package convenience init(pageSize: Int) {
    var model = GitHubModel()
    model.pageSizeMax = pageSize
    self.init(model)
  }

  /// Reads the model, or changes it as another user of GitHub does.
  @discardableResult
  package func change<Value: Sendable>(
    _ body: @Sendable (inout GitHubModel) throws -> Value
  ) rethrows -> Value {
    try core.state.withLock { try body(&$0.model) }
  }

  /// Makes the request with this index among all requests fail.
  package func fail(_ fault: Fault, at index: Int) {
    core.state.withLock { $0.faults[index] = fault }
  }

  /// Makes the next request with this method fail.
  package func fail(_ fault: Fault, next method: String) {
    core.state.withLock { $0.faultsByMethod[method] = fault }
  }
}

/// The state shared by the threads of the server.
private final class Core: Sendable {
  struct State {
    var model: GitHubModel
    var faults: [Int: GitHubServer.Fault] = [:]
    var faultsByMethod: [String: GitHubServer.Fault] = [:]
    var count = 0
  }

  let state: Mutex<State>
  let basePath: String
  private let now: @Sendable () -> Timestamp

  init(_ model: GitHubModel, now: @escaping @Sendable () -> Timestamp) {
    basePath = model.basePath
    state = Mutex(State(model: model))
    self.now = now
  }

  func answer(_ request: LoopbackRequest) -> LoopbackResponse {
    state.withLock { state in
      let fault =
        state.faults.removeValue(forKey: state.count)
        ?? state.faultsByMethod.removeValue(forKey: request.method)
      state.count += 1
      let instant = now()
      switch fault {
      case .dropBefore: return LoopbackResponse(200, body: [], ending: .nothing)
      case .page(let status, isProcessed: false): return .errorPage(status)
      case .page(let status, isProcessed: true):
        _ = state.model.answer(request, at: instant)
        return .errorPage(status)
      case .dropAfter, .halfBody, .delay, nil: break
      }
      var answer = state.model.answer(request, at: instant)
      switch fault {
      case .dropAfter: answer.ending = .nothing
      case .halfBody: answer.ending = .after(bodyBytes: answer.body.count / 2)
      case .delay(let arrived, let gate):
        arrived.open()
        answer.gate = gate
      case .dropBefore, .page, nil: break
      }
      return answer
    }
  }
}

extension LoopbackResponse {
  /// Returns the error page of a proxy that cannot reach GitHub.
  package static func errorPage(_ status: Int) -> LoopbackResponse {
    LoopbackResponse(
      status, headers: [("Content-Type", "text/html")],
      body: "<html><body>Unicorn! \(status)</body></html>")
  }
}
