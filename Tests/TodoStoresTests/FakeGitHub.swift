import JSONRPC
import Synchronization
import TestSupport

/// A GitHub that keeps the issues of one repository, served on loopback.
final class FakeGitHub: Sendable {
  private let server: LoopbackServer

  var url: String { server.url }
  var requests: [LoopbackRequest] { server.requests }

  init(pageSize: Int = 2) {
    let state = FakeGitHubState(pageSize: pageSize)
    server = LoopbackServer { request in state.answer(request) }
  }
}

private final class FakeGitHubState: Sendable {
  private let issues = Mutex<[JSONObject]>([])
  private let pageSize: Int

  init(pageSize: Int) { self.pageSize = pageSize }

  func answer(_ request: LoopbackRequest) -> LoopbackAnswer {
    let parts = request.path.split(separator: "?", maxSplits: 1)
    let path = parts[0].split(separator: "/").map(String.init)
    guard path.starts(with: ["repos", "octo", "tasks", "issues"]) else { return notFound }
    let number = path.count == 5 ? Int(path[4]) : nil
    let body = (try? JSON(parsing: request.body))?.objectValue ?? [:]
    switch (request.method, number) {
    case ("GET", nil): return list(query: parts.count == 2 ? String(parts[1]) : "", of: request)
    case ("POST", nil): return add(body)
    case ("GET", let number?): return issue(number)
    case ("PATCH", let number?): return change(number, body)
    default: return notFound
    }
  }

  private var notFound: LoopbackAnswer { .json(#"{"message": "Not Found"}"#, status: 404) }

  private func list(query: String, of request: LoopbackRequest) -> LoopbackAnswer {
    var values: [Substring: Substring] = [:]
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=")
      values[parts[0]] = parts[1]
    }
    let all = issues.withLock { issues in
      issues.reversed().filter { values["state"] == "all" || $0["state"] == "open" }
    }
    let page = values["page"].flatMap { Int($0) } ?? 1
    let start = min((page - 1) * pageSize, all.count)
    let end = min(start + pageSize, all.count)
    var headers: [(String, String)] = []
    if end < all.count, let host = request["host"] {
      let next =
        "http://\(host)/repos/octo/tasks/issues"
        + "?state=\(values["state"] ?? "open")&page=\(page + 1)"
      headers.append(("Link", "<\(next)>; rel=\"next\""))
    }
    return .json(JSON.array(all[start..<end].map(JSON.object)).compactText, headers: headers)
  }

  private func add(_ body: JSONObject) -> LoopbackAnswer {
    let issue = issues.withLock { issues in
      let number = issues.count + 1
      let issue: JSONObject = [
        "number": .integer(Int64(number)), "title": body["title"] ?? .null,
        "body": body["body"] == .string("") ? .null : body["body"] ?? .null, "state": "open",
        "html_url": .string("https://example.org/issues/\(number)"),
        "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
      ]
      issues.append(issue)
      return issue
    }
    return .json(JSON.object(issue).compactText, status: 201)
  }

  private func issue(_ number: Int) -> LoopbackAnswer {
    let issue = issues.withLock { $0.indices.contains(number - 1) ? $0[number - 1] : nil }
    return issue.map { .json(JSON.object($0).compactText) } ?? notFound
  }

  private func change(_ number: Int, _ body: JSONObject) -> LoopbackAnswer {
    let issue: JSONObject? = issues.withLock { issues in
      guard issues.indices.contains(number - 1) else { return nil }
      for member in body.members { issues[number - 1][member.key] = member.value }
      return issues[number - 1]
    }
    return issue.map { .json(JSON.object($0).compactText) } ?? notFound
  }
}
