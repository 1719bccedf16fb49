import JSONRPC
import TodoModel
import TodoWorkflows

/// The notifications and requests that the server sends.
enum ToolsNotification {
  private static let subscriptionKey = "io.modelcontextprotocol/subscriptionId"

  static func subscriptionMeta(_ stream: ReplyAddress?) -> JSON? {
    stream?.id.map { [Self.subscriptionKey: $0.json] }
  }

  static let updated = "notifications/resources/updated"
  static func updated(_ uri: String, _ stream: ReplyAddress?) -> JSON {
    var params: JSONObject = ["uri": .string(uri)]
    params["_meta"] = subscriptionMeta(stream)
    return .object(params)
  }

  static let acknowledged = "notifications/subscriptions/acknowledged"
  static func acknowledged(_ uris: [String], _ stream: ReplyAddress) -> JSON {
    var kinds = JSONObject()
    if !uris.isEmpty { kinds["resourceSubscriptions"] = .array(uris.map { .string($0) }) }
    var params: JSONObject = ["notifications": .object(kinds)]
    params["_meta"] = subscriptionMeta(stream)
    return .object(params)
  }

  static let progress = "notifications/progress"
  static func progress(
    _ progress: LoadProgress, _ token: RequestID, _ revision: Revision
  ) -> JSON {
    var params: JSONObject = [
      "progressToken": token.json, "progress": .integer(Int64(progress.pagesDone)),
    ]
    params["total"] = progress.pageCount.map { .integer(Int64($0)) }
    if revision.hasProgressMessage {
      let pages = "\(progress.pagesDone)\(progress.pageCount.map { " of \($0)" } ?? "") pages"
      params["message"] = .string(progress.pagesDone == 0 ? "Asking the source" : pages)
    }
    return .object(params)
  }

  static let question = "elicitation/create"
}
