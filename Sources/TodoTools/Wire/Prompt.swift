import JSONRPC

/// A prompt that the user can choose in a client. It lets the model read the list, but not change
/// it.
enum Prompt: String, CaseIterable {
  case planWeek = "plan_week"
  case triageIssues = "triage_issues"

  /// Whether the prompt is offered only if the list has a source on the network.
  var needsSource: Bool {
    switch self {
    case .planWeek: false
    case .triageIssues: true
    }
  }

  private var title: String {
    switch self {
    case .planWeek: "Plan my week"
    case .triageIssues: "Triage new issues"
    }
  }

  private var summary: String {
    switch self {
    case .planWeek: "Proposes what to do on which day. Changes nothing."
    case .triageIssues: "Sorts the newest issues by urgency. Changes nothing."
    }
  }

  private var text: String {
    switch self {
    case .planWeek:
      """
      Plan my week. Read my open todos with list_todos and done false, until there is no \
      nextOffset, and with get_todo those whose titles do not explain themselves. Propose a few \
      todos for each day from today on: the overdue and the urgent ones first, and few enough to be \
      realistic. List at the end what does not fit. Change, add and remove nothing; ask me first.
      """
    case .triageIssues:
      """
      Triage my new issues. Read the open todos with list_todos, done false and sort -created, and \
      with get_todo those of the last two weeks. Group them: urgent, soon, later, needs more \
      information, probably a duplicate (with the id of the other one). Give a reason for each in \
      one line. Change, add and remove nothing, and send no sync; ask me first.
      """
    }
  }

  func description(_ revision: Revision) -> JSON {
    var json: JSONObject = ["name": .string(rawValue), "description": .string(summary)]
    if revision.hasStructuredContent { json["title"] = .string(title) }
    return .object(json)
  }

  /// The result of `prompts/get`.
  var result: JSONObject {
    [
      "description": .string(summary),
      "messages": [["role": "user", "content": ["type": "text", "text": .string(text)]]],
    ]
  }
}
