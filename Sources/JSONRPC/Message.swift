/// A call that wants exactly one response.
public struct Request: Sendable, Equatable {
  public var id: RequestID
  public var method: String
  /// An array, an object, null, or nil when absent. Read it with `Params`.
  public var params: JSON?

  public init(id: RequestID, method: String, params: JSON? = nil) {
    self.id = id
    self.method = method
    self.params = params
  }
}

/// A call that is never answered, not even with an error.
public struct Notification: Sendable, Equatable {
  public var method: String
  /// An array, an object, null, or nil when absent. Read it with `Params`.
  public var params: JSON?

  public init(method: String, params: JSON? = nil) {
    self.method = method
    self.params = params
  }
}

/// The answer to a request.
public struct Response: Sendable, Equatable {
  /// The id of the request, nil when it could not be read.
  public var id: RequestID?
  public var outcome: Result<JSON, RPCError>

  public init(id: RequestID?, outcome: Result<JSON, RPCError>) {
    self.id = id
    self.outcome = outcome
  }

  public init(id: RequestID, result: JSON) {
    self.init(id: id, outcome: .success(result))
  }

  public init(id: RequestID?, error: RPCError) {
    self.init(id: id, outcome: .failure(error))
  }
}

/// What one JSON-RPC object says.
public enum Message: Sendable, Equatable {
  case request(Request)
  case notification(Notification)
  /// An answer to a request of ours. A server that asks nothing drops it.
  case response(Response)
  /// No message: to be answered with this error, and with the id where one could be read.
  case invalid(id: RequestID?, RPCError)
}

/// What one frame holds.
public enum Incoming: Sendable, Equatable {
  case single(Message)
  /// A batch, which is never empty: an empty one is a `single` invalid message. The responses to
  /// it, if there are any, belong into one array.
  case batch([Message])
}

/// How much one frame may ask for before it is refused.
public struct MessageLimits: Sendable, Equatable {
  /// The limits that hold when nothing else is said.
  public static let standard = MessageLimits()

  public var json: JSONLimits

  /// How many messages a batch may hold. 4,096 unless told otherwise.
  ///
  /// Each one that is invalid costs an answer many times its size.
  public var batchMessagesMax: Int

  public init(json: JSONLimits = .standard, batchMessagesMax: Int = 4_096) {
    self.json = json
    self.batchMessagesMax = max(batchMessagesMax, 1)
  }
}
