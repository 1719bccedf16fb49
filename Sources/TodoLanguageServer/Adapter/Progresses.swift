import JSONRPC
import TodoWorkflows

/// How far what takes long is, for clients that show it.
struct Progresses: Sendable {
  /// Tokens of ours that the client was asked for, by what it will answer to.
  private var asked: [RequestID: RequestID] = [:]
  /// Those that have begun.
  private var started: [RequestID: String] = [:]
  private var titles: [RequestID: String] = [:]
  private var count: Int64 = 0

  /// How many tokens the client may leave unanswered before it is asked for no more.
  private static let askedMax = 8

  /// Begins with the client's own token, or asks for one, without waiting for it.
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

  /// Takes the answer to a request of ours; of all of them only a token says anything.
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
