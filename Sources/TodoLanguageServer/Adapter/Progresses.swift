import JSONRPC
import TodoWorkflows

/// The progress of long operations, for clients that show it.
struct Progresses: Sendable {
  /// The tokens requested from the client, by ID of the request.
  private var asked: [RequestID: RequestID] = [:]
  /// The titles of progress that has started, by token.
  private var started: [RequestID: String] = [:]
  private var titles: [RequestID: String] = [:]
  private var count: Int64 = 0

  /// The number of unanswered token requests after which no more are sent.
  private static let askedMax = 8

  /// Begins progress with the client's token, or requests one without waiting for it.
  mutating func begin(
    _ title: String, token: RequestID?, asks: Bool, in connection: inout JSONRPCConnection<JSON>
  ) -> RequestID? {
    if let token {
      report(token, ["kind": "begin", "title": .string(title)], in: &connection)
      started[token] = title
      return token
    }
    guard asks, asked.count < Self.askedMax else { return nil }
    count += 1
    let token = RequestID.string("todo-server-\(count)")
    let request = connection.request("window/workDoneProgress/create", ["token": token.json])
    asked[request] = token
    titles[token] = title
    return token
  }

  /// Handles a response to a request of the server; only those to token requests have an effect.
  mutating func record(_ response: Response, in connection: inout JSONRPCConnection<JSON>) {
    guard let id = response.id, let token = asked.removeValue(forKey: id),
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
