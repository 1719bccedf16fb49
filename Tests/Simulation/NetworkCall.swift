import TestSupport
import TodoModel
import TodoRemotes

/// A request on its way.
struct NetworkCall {
  var id: Int
  var process: Int
  var request: HTTPRequest
  /// When it fails for who sent it, if nothing came before.
  var fault: NetworkFault

  var isWrite: Bool { request.method != "GET" }

  /// The number of the issue that it is about.
  var issueNumber: Int64? {
    let parts = request.url.target.prefix { $0 != "?" }.split(separator: "/")
    guard let index = parts.lastIndex(of: "issues"), index + 1 < parts.count else { return nil }
    return Int64(parts[index + 1])
  }

  /// Whether it adds or removes a label.
  var changesLabel: Bool { isWrite && request.url.target.contains("/labels") }
}

enum NetworkFault: Int, CaseIterable {
  case none
  /// It never arrives.
  case lostBefore
  /// It is carried out, and its answer is lost.
  case lostAfter
  /// It is carried out after its sender has given up.
  case late
  /// Half of the answer's body comes.
  case halfBody
  /// A proxy answers, and GitHub never sees it.
  case page
  /// GitHub carries it out, and a proxy answers.
  case pageAfter
}

struct NetworkAnswer {
  var result: Waits.Answer
  /// The issue as the answer shows it, where it shows one.
  var issue: ReadIssue?
}

extension LoopbackRequest {
  init(_ request: HTTPRequest) {
    var headers = request.headers.map { LoopbackHeader($0.name, $0.value) }
    headers.append(LoopbackHeader("Host", "\(request.url.host)"))
    headers.append(LoopbackHeader("X-Forwarded-Proto", request.url.scheme.rawValue))
    self.init(
      method: request.method, path: request.url.target, headers: headers,
      body: request.body ?? [])
  }
}

extension HTTPResponse {
  init(_ answer: LoopbackAnswer) {
    self.init(
      status: answer.status, headers: answer.headers.map { HTTPHeader($0.name, $0.value) },
      body: answer.body)
  }
}
