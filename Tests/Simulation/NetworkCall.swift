import TestSupport
import TodoModel
import TodoRemotes

/// A request that a server has sent.
struct NetworkCall {
  var id: Int
  var process: Int
  var request: HTTPRequest
  /// The fault of the request, or of its response.
  var fault: NetworkFault

  var isWrite: Bool { request.method != "GET" }

  /// The number of the issue in the path; `nil` if there is none.
  var issueNumber: Int64? {
    let parts = request.url.target.prefix { $0 != "?" }.split(separator: "/")
    guard let index = parts.lastIndex(of: "issues"), index + 1 < parts.count else { return nil }
    return Int64(parts[index + 1])
  }

  /// Whether the request adds or removes a label.
  var changesLabel: Bool { isWrite && request.url.target.contains("/labels") }
}

enum NetworkFault: Int, CaseIterable {
  case none
  /// The request never arrives.
  case lostBefore
  /// The request is processed, and its response is lost.
  case lostAfter
  /// The request is processed after its sender has timed out.
  case late
  /// Only half of the response's body arrives.
  case halfBody
  /// A proxy responds with an error page, and GitHub never receives the request.
  case page
  /// GitHub processes the request, and a proxy responds with an error page.
  case pageAfter
}

struct NetworkAnswer {
  var result: Waits.Answer
  /// The issue in the response; `nil` if the response contains none.
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
  init(_ answer: LoopbackResponse) {
    self.init(
      status: answer.status, headers: answer.headers.map { HTTPHeader($0.name, $0.value) },
      body: answer.body)
  }
}
