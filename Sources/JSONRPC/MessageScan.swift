import System

/// One JSON-RPC message, whose params are not parsed.
enum ScannedMessage {
  /// A request, or a notification if it has no id. `params` is the range of the params in the
  /// frame.
  case call(id: RequestID?, method: String, params: Range<Int>?)
  case response(Response)
  /// An invalid message. Answer it with this error and this id; the id is `nil` if it could not be
  /// read.
  case invalid(id: RequestID?, RPCError)
}

/// The contents of one frame. The params of its messages are not parsed.
enum ScannedFrame {
  case single(ScannedMessage)
  /// The messages of a batch, at least one.
  case batch([ScannedMessage])

  /// Decodes a frame in one pass over its bytes.
  init(_ frame: UnsafeBufferPointer<UInt8>, limits: MessageLimits) {
    guard let start = frame.baseAddress else {
      self = Self.unreadable(JSONError(.unexpectedEnd, byteOffset: 0))
      return
    }
    if let call = FastPathCall.scan(start, count: frame.count, limits: limits.json) {
      self = .single(call)
      return
    }
    self = JSONScanner.scan(start, count: frame.count, limits: limits.json) { scanner in
      do throws(JSONError) {
        return try Self.scan(&scanner, limits)
      } catch {
        return Self.unreadable(error)
      }
    }
  }

  private static func unreadable(_ error: JSONError) -> ScannedFrame {
    .single(.invalid(id: nil, .parseError("invalid JSON: \(error)")))
  }

  private static func scan(
    _ scanner: inout JSONScanner, _ limits: MessageLimits
  ) throws(JSONError) -> ScannedFrame {
    try scanner.cursor.checkStart()
    guard try scanner.cursor.beginValue() == UInt8(ascii: "[") else {
      let message = try MessageScan.scanMessage(&scanner, limits)
      try scanner.cursor.checkEnd()
      return .single(message)
    }
    var messages: [ScannedMessage] = []
    var count = 0
    var hasNext = try scanner.open(isObject: false)
    while hasNext {
      _ = try scanner.cursor.beginValue()
      let message = try MessageScan.scanMessage(&scanner, limits)
      count += 1
      if count <= limits.batchMessagesMax { messages.append(message) }
      hasNext = try scanner.moveToNextChild()
    }
    try scanner.cursor.checkEnd()
    if count == 0 {
      return .single(.invalid(id: nil, .invalidRequest("the batch is empty")))
    }
    if count > limits.batchMessagesMax {
      let message =
        "a batch of \(count) messages is over the limit of \(limits.batchMessagesMax)"
      return .single(.invalid(id: nil, .invalidRequest(message)))
    }
    return .batch(messages)
  }
}

/// The ranges of a message's JSON-RPC members, found in one pass.
private struct MessageScan {
  private let idBytesMax: Int
  private var version: Range<Int>?
  private var id: Range<Int>?
  private var method: Range<Int>?
  private var params: Range<Int>?
  private var result: Range<Int>?
  private var error: Range<Int>?

  /// Parses one message at the position of the scanner. A value that is not an object, such as a
  /// nested batch, is returned as an invalid message.
  static func scanMessage(
    _ scanner: inout JSONScanner, _ limits: MessageLimits
  ) throws(JSONError) -> ScannedMessage {
    let bytes = scanner.cursor.bytes
    guard scanner.cursor.peek() == UInt8(ascii: "{") else {
      let kind = kindName(of: scanner.cursor.peek())
      _ = try scanner.scanValue()
      return .invalid(id: nil, .invalidRequest("message: expected object, got \(kind)"))
    }
    var scan = MessageScan(idBytesMax: limits.idBytesMax)
    var hasNext = try scanner.open(isObject: true)
    while hasNext {
      let key = try scanner.scanKey()
      let value = try scanner.scanValue()
      scan.record(key, value, in: bytes)
      hasNext = try scanner.moveToNextChild()
    }
    return scan.message(in: bytes)
  }

  @inline(__always)
  private mutating func record(_ key: JSONKey, _ value: Range<Int>, in bytes: UnsafePointer<UInt8>)
  {
    if key.equals("jsonrpc", in: bytes) {
      version = value
    } else if key.equals("id", in: bytes) {
      id = value
    } else if key.equals("method", in: bytes) {
      method = value
    } else if key.equals("params", in: bytes) {
      params = value
    } else if key.equals("result", in: bytes) {
      result = value
    } else if key.equals("error", in: bytes) {
      error = value
    }
  }

  private func message(in bytes: UnsafePointer<UInt8>) -> ScannedMessage {
    if method == nil, result != nil || error != nil { return response(in: bytes) }
    var requestID: RequestID?
    do throws(RPCError) {
      requestID = try readID(in: bytes)
      try checkVersion(in: bytes)
      let method = try readMethod(in: bytes)
      try checkParams(in: bytes)
      return .call(id: requestID, method: method, params: params)
    } catch {
      return .invalid(id: requestID, error)
    }
  }

  /// Returns the message as a response. A result that cannot be parsed, such as a result with a
  /// number out of the range of a `Double`, becomes null.
  private func response(in bytes: UnsafePointer<UInt8>) -> ScannedMessage {
    let id = id.flatMap { range in
      // No request from this side has an id of this length.
      ScannedValue(bytes, range).isLonger(than: idBytesMax)
        ? nil : RequestID(Self.json(range, bytes))
    }
    guard let error = error.map({ Self.json($0, bytes) }) else {
      let value = result.map { Self.json($0, bytes) } ?? .null
      return .response(Response(id: id, outcome: .success(value)))
    }
    let code = error["code"]?.integerValue.flatMap(Int.init(exactly:))
    let failure = RPCError(
      code: code ?? ErrorCode.internalError, message: error["message"]?.stringValue ?? "",
      data: error["data"])
    return .response(Response(id: id, outcome: .failure(failure)))
  }

  private func readID(in bytes: UnsafePointer<UInt8>) throws(RPCError) -> RequestID? {
    guard let id else { return nil }
    if let number = Self.shortNumber(id, bytes) { return .integer(number) }
    if ScannedValue(bytes, id).isLonger(than: idBytesMax) {
      throw .invalidRequest("id: over the limit of \(idBytesMax) bytes")
    }
    let kind = kindName(of: bytes[id.lowerBound])
    // Values of other kinds can have any size, so they are not parsed.
    if kind == "string" || kind == "number", let requestID = RequestID(Self.json(id, bytes)) {
      return requestID
    }
    let found = kind == "string" ? "a string with U+0000" : kind
    throw .invalidRequest("id: expected integer or string, got \(found)")
  }

  private func checkVersion(in bytes: UnsafePointer<UInt8>) throws(RPCError) {
    guard let version else { throw .invalidRequest(#"jsonrpc: missing, expected "2.0""#) }
    let expected: StaticString = #""2.0""#
    if version.count == expected.utf8CodeUnitCount,
      memcmp(bytes + version.lowerBound, expected.utf8Start, version.count) == 0
    {
      return
    }
    let kind = kindName(of: bytes[version.lowerBound])
    guard kind == "string" else {
      throw .invalidRequest(#"jsonrpc: expected "2.0", got \#(kind)"#)
    }
    guard Self.json(version, bytes) == "2.0" else {
      throw .invalidRequest(#"jsonrpc: expected "2.0", got another string"#)
    }
  }

  private func readMethod(in bytes: UnsafePointer<UInt8>) throws(RPCError) -> String {
    guard let method else { throw .invalidRequest("method: missing, expected string") }
    guard bytes[method.lowerBound] == UInt8(ascii: "\"") else {
      let kind = kindName(of: bytes[method.lowerBound])
      throw .invalidRequest("method: expected string, got \(kind)")
    }
    return JSONKey.text(ofString: method, in: bytes)
  }

  private func checkParams(in bytes: UnsafePointer<UInt8>) throws(RPCError) {
    guard let params else { return }
    let kind = kindName(of: bytes[params.lowerBound])
    guard kind == "object" || kind == "array" || kind == "null" else {
      throw .invalidRequest("params: expected array or object, got \(kind)")
    }
  }

  /// Returns the value of a number that consists of at most 18 digits, as nearly all ids do; `nil`
  /// for any other value.
  private static func shortNumber(_ range: Range<Int>, _ bytes: UnsafePointer<UInt8>) -> Int64? {
    guard range.count <= 18 else { return nil }
    var number: Int64 = 0
    for position in range {
      let digit = bytes[position] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      number = number * 10 + Int64(digit)
    }
    return number
  }

  /// Returns a value of the frame as a tree; null if the value cannot be parsed, such as a value
  /// with a number out of the range of a `Double`.
  private static func json(_ range: Range<Int>, _ bytes: UnsafePointer<UInt8>) -> JSON {
    let text = UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.count)
    return (try? JSON(parsing: text)) ?? .null
  }
}

/// Returns the name of a value's kind for error messages. The first byte of the value determines
/// the kind.
func kindName(of first: UInt8) -> String {
  switch first {
  case UInt8(ascii: "{"): "object"
  case UInt8(ascii: "["): "array"
  case UInt8(ascii: "\""): "string"
  case UInt8(ascii: "t"), UInt8(ascii: "f"): "boolean"
  case UInt8(ascii: "n"): "null"
  default: "number"
  }
}
