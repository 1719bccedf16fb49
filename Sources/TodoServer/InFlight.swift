import JSONRPC
import ScreenModel
import TodoModel
import TodoProtocol

/// A request that has begun and is not answered.
struct InFlight {
  /// How its answer is to be written.
  enum Kind {
    case act
    case login
    case logout
    case register
    case loadTodos(progressToken: RequestID?)
    case listTodos(ListTodos)
    case getTodo
    case change
    case remove
  }

  var reply: ReplyAddress
  var kind: Kind
}

/// Where an answer goes: to an id, or to nobody in particular where none could be read; alone or in
/// a batch. What came as a notification is not answered.
struct ReplyAddress {
  var id: RequestID?
  var batch: Int?
  var isNotification = false

  static let notification = ReplyAddress(isNotification: true)
}

/// A batch, which is answered when the last of its requests is.
struct Batch {
  var unansweredCount: Int
  var answers: [Answer] = []
}

/// The requests in flight, by the token of their operation and by their id.
struct InFlightTable {
  private var entries: [OperationToken: InFlight] = [:]
  private var tokens: [RequestID: OperationToken] = [:]

  var count: Int { entries.count }
  var isEmpty: Bool { entries.isEmpty }
  var allTokens: [OperationToken] { entries.keys.sorted { $0.number < $1.number } }

  subscript(token: OperationToken) -> InFlight? { entries[token] }

  func token(for id: RequestID) -> OperationToken? { tokens[id] }

  func contains(_ id: RequestID) -> Bool { tokens[id] != nil }

  mutating func add(_ entry: InFlight, token: OperationToken) {
    entries[token] = entry
    if let id = entry.reply.id { tokens[id] = token }
  }

  mutating func remove(_ token: OperationToken) -> InFlight? {
    guard let entry = entries.removeValue(forKey: token) else { return nil }
    if let id = entry.reply.id { tokens[id] = nil }
    return entry
  }
}
