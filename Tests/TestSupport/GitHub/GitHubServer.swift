import Synchronization
import TodoModel

/// A GitHub on 127.0.0.1: a `GitHubModel` behind real sockets, with faults at chosen requests.
///
/// ```swift
/// let github = GitHubServer()
/// github.change { $0.add(title: "Buy milk", at: .now) }
/// github.fail(.dropAfter, at: github.requests.count)   // the next request
/// // todo-server --github-url \(github.url) --source github:octo/tasks
/// ```
package final class GitHubServer: Sendable {
  /// What goes wrong with one request.
  package enum Fault: Sendable {
    /// The connection is closed before GitHub has seen the request.
    case dropBefore
    /// The request is carried out, and the connection closed without an answer.
    case dropAfter
    /// The request is carried out, and half of the answer's body comes.
    case halfBody
    /// The request is carried out, which opens a gate, and its answer waits for another one.
    case delay(arrived: Gate, until: Gate)
    /// An error page of a proxy, with the request carried out or not.
    case page(status: Int, isCarriedOut: Bool)
  }

  private let core: Core
  private let server: LoopbackServer

  package var url: String { server.url + core.basePath }
  /// What was asked, in order, with what failed.
  package var requests: [LoopbackRequest] { server.requests }
  package var writes: [LoopbackRequest] { requests.filter { $0.method != "GET" } }
  package var connectionCount: Int { server.connectionCount }

  /// - Parameter now: What the model's own clock is reckoned from.
  package init(
    _ model: GitHubModel = GitHubModel(), now: @escaping @Sendable () -> Timestamp = { .now }
  ) {
    let core = Core(model, now: now)
    self.core = core
    server = LoopbackServer { core.answer($0) }
  }

  /// An empty repository `octo/tasks` with short pages.
  package convenience init(pageSize: Int) {
    var model = GitHubModel()
    model.pageSizeMax = pageSize
    self.init(model)
  }

  /// Reads the model, or edits it as somebody else at GitHub does.
  @discardableResult
  package func change<Value: Sendable>(
    _ body: @Sendable (inout GitHubModel) throws -> Value
  ) rethrows -> Value {
    try core.state.withLock { try body(&$0.model) }
  }

  /// Lets a request fail: the how-manieth of all that come, from 0 on.
  package func fail(_ fault: Fault, at index: Int) {
    core.state.withLock { $0.faults[index] = fault }
  }

  /// Lets the next request of a method fail.
  package func fail(_ fault: Fault, next method: String) {
    core.state.withLock { $0.faultsByMethod[method] = fault }
  }
}

/// What the threads of the server share.
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

  func answer(_ request: LoopbackRequest) -> LoopbackAnswer {
    state.withLock { state in
      let fault =
        state.faults.removeValue(forKey: state.count)
        ?? state.faultsByMethod.removeValue(forKey: request.method)
      state.count += 1
      let instant = now()
      switch fault {
      case .dropBefore: return LoopbackAnswer(200, body: [], ending: .nothing)
      case .page(let status, isCarriedOut: false): return .errorPage(status)
      case .page(let status, isCarriedOut: true):
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
        answer.stall = gate
      case .dropBefore, .page, nil: break
      }
      return answer
    }
  }
}

extension LoopbackAnswer {
  /// What a proxy says when GitHub behind it does not answer.
  package static func errorPage(_ status: Int) -> LoopbackAnswer {
    LoopbackAnswer(
      status, headers: [("Content-Type", "text/html")],
      body: "<html><body>Unicorn! \(status)</body></html>")
  }
}
