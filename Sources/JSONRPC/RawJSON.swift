/// One JSON value as bytes that are checked but not parsed.
///
/// The params of a call have this type. `Params` reads them by name; `parsed()` builds a tree.
///
/// The value is a slice of the received bytes: cheap to copy, but it keeps all received bytes in
/// memory.
public struct RawJSON: Sendable {
  /// The bytes of the value, without surrounding whitespace.
  public let bytes: ArraySlice<UInt8>

  /// Creates a value from bytes that are known to be one JSON value.
  init(checked bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// Creates a value from a JSON tree, which is written as bytes.
  public init(_ json: JSON) {
    var buffer: [UInt8] = []
    json.write(to: &buffer)
    bytes = buffer[...]
  }

  /// The kind of this value: `null`, `boolean`, `number`, `string`, `array` or `object`.
  public var kindName: String { bytes.first.map { JSONRPC.kindName(of: $0) } ?? "null" }

  /// Parses the value into a tree.
  ///
  /// - Throws: `JSONError` if a number is out of the range of a `Double`.
  public func parsed() throws(JSONError) -> JSON { try JSON(parsing: bytes) }
}
