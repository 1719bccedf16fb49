/// A call that expects exactly one response.
public struct Request: Sendable, Equatable {
  /// The id for the response, unique among the requests in flight.
  public var id: RequestID

  /// The name of the method.
  public var method: String
  /// The params: an array, an object or null; `nil` if absent. Read them with `Params`.
  public var params: JSON?

  /// Creates a request.
  public init(id: RequestID, method: String, params: JSON? = nil) {
    self.id = id
    self.method = method
    self.params = params
  }
}

/// A call that is never answered, even if it fails.
public struct Notification: Sendable, Equatable {
  /// The name of the method.
  public var method: String
  /// The params: an array, an object or null; `nil` if absent. Read them with `Params`.
  public var params: JSON?

  /// Creates a notification.
  public init(method: String, params: JSON? = nil) {
    self.method = method
    self.params = params
  }
}

/// The response to a request.
public struct Response: Sendable, Equatable {
  /// The id of the request; `nil` if it could not be read.
  public var id: RequestID?

  /// The result or the error.
  public var outcome: Result<JSON, RPCError>

  /// Creates a response with a result or an error.
  public init(id: RequestID?, outcome: Result<JSON, RPCError>) {
    self.id = id
    self.outcome = outcome
  }

  /// Creates a successful response.
  public init(id: RequestID, result: JSON) {
    self.init(id: id, outcome: .success(result))
  }

  /// Creates an error response. The id is `nil` if the id of the request could not be read.
  public init(id: RequestID?, error: RPCError) {
    self.init(id: id, outcome: .failure(error))
  }
}

/// One JSON-RPC message.
public enum Message: Sendable, Equatable {
  /// A call that expects a response.
  case request(Request)
  /// A call that expects no response.
  case notification(Notification)
  /// The response to a request of this side. A server that sends no requests ignores it.
  case response(Response)
  /// An invalid message. Answer it with this error and this id; the id is `nil` if it could not be
  /// read.
  case invalid(id: RequestID?, RPCError)
}

/// The contents of one frame.
public enum Incoming: Sendable, Equatable {
  /// One message.
  case single(Message)
  /// A batch of at least one message; an empty batch is an invalid `single` message instead. The
  /// responses to the batch, if any, must be sent as one array.
  case batch([Message])
}

/// The limits of the messages in one frame. Messages that exceed them are refused.
public struct MessageLimits: Sendable, Equatable {
  /// The default limits.
  public static let standard = MessageLimits()

  /// The limits of the JSON text.
  public var json: JSONLimits

  /// The maximum number of messages in a batch; 4,096 by default.
  ///
  /// The limit is needed because each invalid message causes an error response many times its size.
  public var batchMessagesMax: Int

  /// The maximum size of an id or a progress token, in bytes of UTF-8; 1,024 by default.
  ///
  /// Ids and tokens stay in memory while a call is in flight, because responses and progress
  /// reports repeat them. A message with a longer id or token is answered with
  /// `ErrorCode.invalidRequest` and a null id.
  public var idBytesMax: Int

  /// Creates limits. Values below one become one.
  public init(
    json: JSONLimits = .standard, batchMessagesMax: Int = 4_096, idBytesMax: Int = 1_024
  ) {
    self.json = json
    self.batchMessagesMax = max(batchMessagesMax, 1)
    self.idBytesMax = max(idBytesMax, 1)
  }
}
