/// Reads what a frame says.
///
/// It never fails: bytes that are no JSON and JSON that is no message come back as
/// `Message.invalid`, with the error to answer and the id where one could be read.
///
/// ```swift
/// switch decode(frame) {
/// case .single(.request(let request)): answer(request)
/// case .single(.invalid(let id, let error)): refuse(id, error)
/// ...
/// ```
public func decode(
  _ frame: some Collection<UInt8>, limits: MessageLimits = .standard
) -> Incoming {
  do throws(JSONError) {
    return Incoming(try JSON(parsing: frame, limits: limits.json), limits: limits)
  } catch {
    return .single(.invalid(id: nil, .parseError("invalid JSON: \(error)")))
  }
}

extension Incoming {
  /// Reads what a JSON value says.
  public init(_ json: JSON, limits: MessageLimits = .standard) {
    guard case .array(let elements) = json else {
      self = .single(Message(json))
      return
    }
    if elements.isEmpty {
      self = .single(.invalid(id: nil, .invalidRequest("the batch is empty")))
    } else if elements.count > limits.batchMessagesMax {
      let sentence =
        "a batch of \(elements.count) messages is over the limit of \(limits.batchMessagesMax)"
      self = .single(.invalid(id: nil, .invalidRequest(sentence)))
    } else {
      self = .batch(elements.map(Message.init))
    }
  }
}

extension Message {
  /// Reads one message, which cannot be a batch.
  public init(_ json: JSON) {
    guard case .object(let object) = json else {
      let sentence = "message: expected object, got \(json.kindName)"
      self = .invalid(id: nil, .invalidRequest(sentence))
      return
    }
    let fields = Fields(object)
    if fields.method == nil, let outcome = fields.outcome {
      self = .response(Response(id: fields.id.flatMap(RequestID.init), outcome: outcome))
      return
    }
    do throws(RPCError) {
      self = try fields.call()
    } catch {
      self = .invalid(id: fields.id.flatMap(RequestID.init), error)
    }
  }
}

/// The members of a message that mean something, collected in one walk.
private struct Fields {
  var version: JSON?
  var id: JSON?
  var method: JSON?
  var params: JSON?
  var result: JSON?
  var error: JSON?

  init(_ object: JSONObject) {
    for (key, value) in object.members {
      switch key {
      case "jsonrpc": version = value
      case "id": id = value
      case "method": method = value
      case "params": params = value
      case "result": result = value
      case "error": error = value
      default: break
      }
    }
  }

  /// What the other side answered, nil when this is no answer.
  var outcome: Result<JSON, RPCError>? {
    if let error {
      let code = error["code"]?.integerValue.flatMap(Int.init(exactly:))
      return .failure(
        RPCError(
          code: code ?? ErrorCode.internalError, message: error["message"]?.stringValue ?? "",
          data: error["data"]))
    }
    return result.map { .success($0) }
  }

  /// The request or notification that this is, or why it is none.
  func call() throws(RPCError) -> Message {
    let requestID = try readID()
    try checkVersion()
    let method = try readMethod()
    try checkParams()
    if let requestID {
      return .request(Request(id: requestID, method: method, params: params))
    }
    return .notification(Notification(method: method, params: params))
  }

  private func readID() throws(RPCError) -> RequestID? {
    guard let id else { return nil }
    guard let requestID = RequestID(id) else {
      let kind = id.stringValue == nil ? id.kindName : "a string with U+0000"
      throw .invalidRequest("id: expected integer or string, got \(kind)")
    }
    return requestID
  }

  private func checkVersion() throws(RPCError) {
    switch version {
    case nil: throw .invalidRequest(#"jsonrpc: missing, expected "2.0""#)
    case .string("2.0"): break
    case .string: throw .invalidRequest(#"jsonrpc: expected "2.0", got another string"#)
    case let version?:
      throw .invalidRequest(#"jsonrpc: expected "2.0", got \#(version.kindName)"#)
    }
  }

  private func readMethod() throws(RPCError) -> String {
    guard let method else { throw .invalidRequest("method: missing, expected string") }
    guard case .string(let name) = method else {
      throw .invalidRequest("method: expected string, got \(method.kindName)")
    }
    return name
  }

  private func checkParams() throws(RPCError) {
    switch params {
    case nil, .null, .array, .object: break
    case let params?:
      throw .invalidRequest("params: expected array or object, got \(params.kindName)")
    }
  }
}
