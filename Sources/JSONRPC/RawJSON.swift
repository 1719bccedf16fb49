/// One JSON value in bytes that were checked and are not read yet.
///
/// The params of a call come like this. `Params` reads them by name; `parsed()` makes a tree.
///
/// It is a view into what came: cheap to take, and it keeps the bytes alive for as long as it lives.
public struct RawJSON: Sendable {
  /// The value, without white space around it.
  public let bytes: ArraySlice<UInt8>

  /// Takes bytes that are known to be one JSON value.
  init(checked bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// Writes a tree down.
  public init(_ json: JSON) {
    var buffer: [UInt8] = []
    json.write(to: &buffer)
    bytes = buffer[...]
  }

  /// What kind of value this is: `null`, `boolean`, `number`, `string`, `array` or `object`.
  public var kindName: String { bytes.first.map { JSONRPC.kindName(of: $0) } ?? "null" }

  /// The value as a tree.
  ///
  /// - Throws: `JSONError` where a number is out of the range of a `Double`.
  public func parsed() throws(JSONError) -> JSON { try JSON(parsing: bytes) }
}
