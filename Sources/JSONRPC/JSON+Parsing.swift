extension JSON {
  /// Reads one JSON value that is all there is in the bytes.
  ///
  /// The reader is strict: RFC 8259 to the letter, and beyond it no duplicate keys, no byte order
  /// mark, no U+0000 and no lone surrogate in a string, no number that a `Double` cannot hold. It
  /// takes time linear in the input whatever that is.
  ///
  /// - Throws: `JSONError`, which says what is wrong and at which byte.
  public init(
    parsing bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits = .standard
  ) throws(JSONError) {
    guard let start = bytes.baseAddress else { throw JSONError(.unexpectedEnd, byteOffset: 0) }
    var parser = JSONParser(bytes: start, count: bytes.count, limits: limits)
    self = try parser.parseDocument()
  }

  /// Reads one JSON value from any bytes; see `init(parsing:limits:)` on a buffer.
  public init(
    parsing bytes: UnsafeRawBufferPointer, limits: JSONLimits = .standard
  ) throws(JSONError) {
    let outcome = bytes.withMemoryRebound(to: UInt8.self) { buffer in
      Result { () throws(JSONError) in try JSON(parsing: buffer, limits: limits) }
    }
    self = try outcome.get()
  }

  /// Reads one JSON value from any bytes; see `init(parsing:limits:)` on a buffer.
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
