/// A call that wants exactly one response.
public struct Request: Sendable, Equatable {
  /// What its response has to carry. Of requests in flight, no two have the same.
  public var id: RequestID

  /// The name of what is asked for.
  public var method: String
  /// An array, an object, null, or nil when absent. Read it with `Params`.
  public var params: JSON?

  /// A request.
  public init(id: RequestID, method: String, params: JSON? = nil) {
    self.id = id
    self.method = method
    self.params = params
  }
}

/// A call that is never answered, not even with an error.
public struct Notification: Sendable, Equatable {
  /// The name of what is said.
  public var method: String
  /// An array, an object, null, or nil when absent. Read it with `Params`.
  public var params: JSON?

  /// A notification.
  public init(method: String, params: JSON? = nil) {
    self.method = method
    self.params = params
  }
}

/// The answer to a request.
public struct Response: Sendable, Equatable {
  /// The id of the request, nil when it could not be read.
  public var id: RequestID?

  /// The result, or why there is none.
  public var outcome: Result<JSON, RPCError>

  /// A response with either.
  public init(id: RequestID?, outcome: Result<JSON, RPCError>) {
    self.id = id
    self.outcome = outcome
  }

  /// A response with a result.
  public init(id: RequestID, result: JSON) {
    self.init(id: id, outcome: .success(result))
  }

  /// A response with an error; its id is nil where that of the request could not be read.
  public init(id: RequestID?, error: RPCError) {
    self.init(id: id, outcome: .failure(error))
  }
}

/// What one JSON-RPC object says.
public enum Message: Sendable, Equatable {
  /// Something that wants an answer.
  case request(Request)
  /// Something that wants none.
  case notification(Notification)
  /// An answer to a request of ours. A server that asks nothing drops it.
  case response(Response)
  /// No message: to be answered with this error, and with the id where one could be read.
  case invalid(id: RequestID?, RPCError)
}

/// What one frame holds.
public enum Incoming: Sendable, Equatable {
  /// One message.
  case single(Message)
  /// A batch, which is never empty: an empty one is a `single` invalid message. The responses to
  /// it, if there are any, belong into one array.
  case batch([Message])
}

/// How much one frame may ask for before it is refused.
public struct MessageLimits: Sendable, Equatable {
  /// The limits that hold when nothing else is said.
  public static let standard = MessageLimits()

  /// What the text of a message may ask for.
  public var json: JSONLimits

  /// How many messages a batch may hold. 4,096 unless told otherwise.
  ///
  /// Each one that is invalid costs an answer many times its size.
  public var batchMessagesMax: Int

  /// The most bytes of UTF-8 that an id or a progress token may have. 1,024 unless told otherwise.
  ///
  /// Responses and progress reports repeat them, so they stay in memory while a call is in flight. A
  /// message with a longer one is answered with `ErrorCode.invalidRequest` and a null id.
  public var idBytesMax: Int

  /// Limits that differ from the standard ones; each is at least one.
  public init(
    json: JSONLimits = .standard, batchMessagesMax: Int = 4_096, idBytesMax: Int = 1_024
  ) {
    self.json = json
    self.batchMessagesMax = max(batchMessagesMax, 1)
    self.idBytesMax = max(idBytesMax, 1)
  }
}
