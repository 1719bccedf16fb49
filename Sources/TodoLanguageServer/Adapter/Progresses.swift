import JSONRPC
import TodoWorkflows

/// The progress of long operations, for clients that display it.
struct Progresses: Sendable {
  /// The progress tokens that the client was asked to create, by the ID of the
  /// `window/workDoneProgress/create` request.
  private var requestedTokens: [RequestID: RequestID] = [:]
  /// The titles of the operations whose progress is displayed, by token.
  private var started: [RequestID: String] = [:]
  /// The titles of the operations whose token the client has not created yet, by token.
  private var titles: [RequestID: String] = [:]
  private var count: Int64 = 0

  /// The maximum number of unanswered requests to create a token. Beyond it, no request is sent.
  private static let requestsMax = 8

  /// Begins to report the progress of an operation with the client's token. If the client has sent
  /// no token and `asks` is set, requests that the client creates a token. The progress then begins
  /// after the response.
  ///
  /// - Returns: The token; `nil` if no progress is reported.
  mutating func begin(
    _ title: String, token: RequestID?, asks: Bool, in connection: inout JSONRPCConnection<JSON>
  ) -> RequestID? {
    if let token {
      report(token, ["kind": "begin", "title": .string(title)], in: &connection)
      started[token] = title
      return token
    }
    guard asks, requestedTokens.count < Self.requestsMax else { return nil }
    count += 1
    let token = RequestID.string("todo-server-\(count)")
    let request = connection.request("window/workDoneProgress/create", ["token": token.json])
    requestedTokens[request] = token
    titles[token] = title
    return token
  }

  /// Handles a response. If the client has created a requested token, begins to report the progress
  /// with this token. Ignores responses to other requests.
  mutating func record(_ response: Response, in connection: inout JSONRPCConnection<JSON>) {
    guard let id = response.id, let token = requestedTokens.removeValue(forKey: id),
      let title = titles.removeValue(forKey: token), case .success = response.outcome
    else { return }
    report(token, ["kind": "begin", "title": .string(title)], in: &connection)
    started[token] = title
  }

  mutating func report(
    _ progress: LoadProgress, _ token: RequestID, in connection: inout JSONRPCConnection<JSON>
  ) {
    guard started[token] != nil else { return }
    let pages = "\(progress.pagesDone)\(progress.pageCount.map { " of \($0)" } ?? "") pages"
    report(token, ["kind": "report", "message": .string(pages)], in: &connection)
  }

  mutating func end(
    _ token: RequestID, _ message: String, in connection: inout JSONRPCConnection<JSON>
  ) {
    titles[token] = nil
    guard started.removeValue(forKey: token) != nil else { return }
    report(token, ["kind": "end", "message": .string(message)], in: &connection)
  }

  private func report(
    _ token: RequestID, _ value: JSON, in connection: inout JSONRPCConnection<JSON>
  ) {
    connection.notify("$/progress", ["token": token.json, "value": value])
  }
}
