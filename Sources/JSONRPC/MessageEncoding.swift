extension JSONWriter {
  /// Writes a successful response. The result may be null.
  public mutating func response(id: RequestID, result: JSON) {
    response(id: id) { $0.value(result) }
  }

  /// Writes a successful response with the result that a closure writes. If the closure writes
  /// nothing, the result is null.
  public mutating func response(id: RequestID, result encode: (inout JSONWriter) -> Void) {
    message(#"{"jsonrpc":"2.0","id":"#) { writer in
      writer.id(id)
      writer.key("result")
      encode(&writer)
    }
  }

  /// Writes an error response; its id is null if `id` is `nil`.
  public mutating func response(id: RequestID?, error: RPCError) {
    message(#"{"jsonrpc":"2.0","id":"#) { writer in
      writer.id(id)
      writer.key("error")
      writer.error(error)
    }
  }

  /// Writes a response. If the response has a result but no id, an internal error is written
  /// instead.
  public mutating func response(_ response: Response) {
    switch (response.id, response.outcome) {
    case (let id?, .success(let result)): self.response(id: id, result: result)
    case (let id, .failure(let error)): self.response(id: id, error: error)
    case (nil, .success):
      self.response(id: nil, error: .internalError("a result without an id"))
    }
  }

  /// Writes the responses to a batch as one array; nothing if there are none.
  public mutating func batch(_ responses: some Collection<Response>) {
    guard !responses.isEmpty else { return }
    array { writer in
      for response in responses {
        writer.response(response)
      }
    }
  }

  /// Writes a request.
  public mutating func request(id: RequestID, method: String, params: JSON? = nil) {
    message(#"{"jsonrpc":"2.0","id":"#) { writer in
      writer.id(id)
      writer.key("method")
      writer.call(method, params)
    }
  }

  /// Writes a notification.
  public mutating func notification(method: String, params: JSON? = nil) {
    message(#"{"jsonrpc":"2.0","method":"#) { $0.call(method, params) }
  }

  /// Writes a notification with the params that a closure writes.
  public mutating func notification(
    method: String, params encode: (inout JSONWriter) -> Void
  ) {
    message(#"{"jsonrpc":"2.0","method":"#) { writer in
      writer.string(method)
      writer.key("params")
      encode(&writer)
    }
  }

  /// Writes an error object.
  public mutating func error(_ error: RPCError) {
    object { writer in
      writer.key("code")
      writer.integer(error.code)
      writer.key("message")
      writer.string(error.message)
      if let data = error.data {
        writer.key("data")
        writer.value(data)
      }
    }
  }

  /// Writes an id; null for `nil`.
  public mutating func id(_ id: RequestID?) {
    switch id {
    case .integer(let value)?: integer(value)
    case .string(let value)?: string(value)
    case nil: null()
    }
  }

  /// Writes a message object.
  ///
  /// - Parameter start: the constant text at the start of the object. It ends just before the value
  ///   of the first member that differs between messages.
  @inline(__always)
  private mutating func message(
    _ start: StaticString, _ encodeRest: (inout JSONWriter) -> Void
  ) {
    beginObject(upToValue: start)
    encodeRest(&self)
    endObject()
  }

  private mutating func call(_ method: String, _ params: JSON?) {
    string(method)
    if let params {
      key("params")
      value(params)
    }
  }
}

extension Request {
  /// Appends the request as JSON, without a frame.
  public func write(to buffer: inout [UInt8]) {
    JSONWriter.write(to: &buffer) { $0.request(id: id, method: method, params: params) }
  }
}

extension Notification {
  /// Appends the notification as JSON, without a frame.
  public func write(to buffer: inout [UInt8]) {
    JSONWriter.write(to: &buffer) { $0.notification(method: method, params: params) }
  }
}

extension Response {
  /// Appends the response as JSON, without a frame.
  public func write(to buffer: inout [UInt8]) {
    JSONWriter.write(to: &buffer) { $0.response(self) }
  }
}
