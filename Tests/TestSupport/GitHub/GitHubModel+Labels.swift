import JSONRPC
import TodoModel

extension GitHubModel {
  mutating func addLabels(
    to issue: GitHubModelIssue, _ request: LoopbackRequest, at now: Timestamp
  ) -> LoopbackResponse {
    guard let added = (try? JSON(parsing: request.body))?["labels"]?.arrayValue else {
      return .message(400, "Problems parsing JSON")
    }
    guard acceptsLabels else { return .message(403, "Must have triage access.") }
    let labels = LabelSet(added.compactMap(\.stringValue))
    if let problem = Self.problem(with: labels) { return problem }
    edit(issue.number, at: now) { $0.labels = $0.labels.union(labels) }
    return .json(issues[issue.number]?.labelsJSON.compactText ?? "null")
  }

  mutating func remove(
    _ label: String, from issue: GitHubModelIssue, at now: Timestamp
  ) -> LoopbackResponse {
    guard acceptsLabels else { return .message(403, "Must have triage access.") }
    guard issue.labels.contains(label) else { return .message(404, "Label does not exist") }
    edit(issue.number, at: now) { $0.labels.remove(label) }
    return .json(issues[issue.number]?.labelsJSON.compactText ?? "null")
  }

  func listLabels(_ query: GitHubQuery, for request: LoopbackRequest) -> LoopbackResponse {
    let size = min(query.pageSize, pageSizeMax)
    let labels = knownLabels.dropFirst((query.page - 1) * size)
    let json = JSON.array(labels.prefix(size).map { ["name": .string($0), "color": "ededed"] })
    guard labels.count > size else { return .json(json.compactText) }
    let url = "\(origin(of: request))/repositories/\(repositoryNumber)/labels"
    let link = "<\(url)?per_page=\(size)&page=\(query.page + 1)>; rel=\"next\""
    return .json(json.compactText, headers: [("Link", link)])
  }

  static func problem(with labels: LabelSet) -> LoopbackResponse? {
    labels.texts.contains { $0.unicodeScalars.count > labelCharactersMax }
      ? .unprocessable(field: "name", code: "custom") : nil
  }
}
