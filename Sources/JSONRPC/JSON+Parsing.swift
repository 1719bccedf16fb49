extension JSON {
  /// Parses bytes that contain exactly one JSON value.
  ///
  /// The parser is strict. In addition to RFC 8259, it refuses duplicate keys, a byte order mark,
  /// lone surrogates in strings, and numbers out of the range of a `Double`. Parsing takes time
  /// linear in the length of the input.
  ///
  /// - Throws: `JSONError` with the problem and its byte offset.
  public init(
    parsing bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits = .standard
  ) throws(JSONError) {
    guard let start = bytes.baseAddress else { throw JSONError(.unexpectedEnd, byteOffset: 0) }
    var parser = JSONParser(bytes: start, count: bytes.count, limits: limits)
    self = try parser.parseDocument()
  }

  /// Parses one JSON value from raw bytes, as the initializer for an `UnsafeBufferPointer` does.
  public init(
    parsing bytes: UnsafeRawBufferPointer, limits: JSONLimits = .standard
  ) throws(JSONError) {
    let outcome = bytes.withMemoryRebound(to: UInt8.self) { buffer in
      Result { () throws(JSONError) in try JSON(parsing: buffer, limits: limits) }
    }
    self = try outcome.get()
  }

  /// Parses one JSON value from any collection of bytes, as the initializer for an
  /// `UnsafeBufferPointer` does.
  public init(
    parsing bytes: some Collection<UInt8>, limits: JSONLimits = .standard
  ) throws(JSONError) {
    let outcome = bytes.withContiguousStorageIfAvailable { buffer in
      Result { () throws(JSONError) in try JSON(parsing: buffer, limits: limits) }
    }
    guard let outcome else {
      try self.init(parsing: Array(bytes), limits: limits)
      return
    }
    self = try outcome.get()
  }
}
