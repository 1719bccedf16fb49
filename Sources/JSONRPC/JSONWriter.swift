/// A writer that appends JSON to a byte buffer piece by piece, without a `JSON` tree.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.object { writer in
///   writer.key("total")
///   writer.integer(2)
///   writer.key("items")
///   writer.array { writer in
///     writer.string("a")
///     writer.string("b")
///   }
/// }
/// let bytes = writer.finish()  // {"total":2,"items":["a","b"]}
/// ```
///
/// No call has a precondition. A call that is invalid at the current position sets `isMisused`.
/// Such a call is ignored, and so is everything nested in it: the output is always JSON. The caller
/// is responsible for two things: the keys of an object are unique, and the bytes passed to
/// `raw(_:)` are a JSON value.
public struct JSONWriter: ~Copyable {
  private enum Place {
    case valueExpected
    case firstElement
    case nextElement
    case firstKey
    case nextKey
    case memberValue
    case ended
  }

  private var output: ByteBuffer

  /// The bytes written so far, including those that the writer was created with.
  public var bytes: [UInt8] { output.bytes }

  /// The number of bytes in the buffer.
  package var byteCount: Int { output.count }

  /// Whether any call was invalid at its position.
  public private(set) var isMisused = false

  private var place = Place.valueExpected
  private var openContainers = BitStack()

  /// The number of open containers that are ignored because their begin call was invalid.
  private var ignoredDepth = 0

  /// Creates a writer with an empty buffer.
  public init() {
    output = ByteBuffer()
  }

  /// Creates a writer that appends to a copy of the given bytes.
  public init(appendingTo bytes: some Collection<UInt8>) {
    output = ByteBuffer()
    output.append(contentsOf: bytes)
  }

  /// Closes all open containers and returns the bytes. If no value was written, these are the bytes
  /// that the writer was created with.
  public consuming func finish() -> [UInt8] {
    closeAll()
    return output.bytes
  }

  /// Appends one value to a buffer, or nothing if the closure writes none.
  public static func write(
    to buffer: inout [UInt8], _ encode: (inout JSONWriter) -> Void
  ) {
    var writer = JSONWriter()
    encode(&writer)
    buffer.append(contentsOf: writer.finish())
  }

  /// Creates a writer that takes over a buffer. The buffer is empty until `returnStorage(to:)`.
  init(takingOver buffer: inout ByteBuffer) {
    output = ByteBuffer()
    swap(&output, &buffer)
  }

  /// Closes all open containers and returns the buffer to its owner.
  consuming func returnStorage(to buffer: inout ByteBuffer) {
    closeAll()
    buffer = output
  }
}

extension JSONWriter {
  /// Writes `null`.
  public mutating func null() {
    guard beginValue() else { return }
    output.append("null")
  }

  /// Writes `true` or `false`.
  public mutating func bool(_ value: Bool) {
    guard beginValue() else { return }
    output.append(value ? "true" : "false")
  }

  /// Writes an integer.
  public mutating func integer(_ value: Int64) {
    guard beginValue() else { return }
    output.append(decimal: value)
  }

  /// Writes an integer.
  public mutating func integer(_ value: Int) {
    integer(Int64(value))
  }

  /// Writes a double with the fewest digits that parse to the same double; `null` if it is not
  /// finite.
  public mutating func double(_ value: Double) {
    guard beginValue() else { return }
    output.append(number: value)
  }

  /// Writes a string; U+0000 becomes U+FFFD.
  @_disfavoredOverload
  public mutating func string(_ value: String) {
    guard beginValue() else { return }
    output.append(quoting: value)
  }

  /// Writes a string literal.
  public mutating func string(_ value: StaticString) {
    guard value.hasPointerRepresentation, !SpecialBytes.hasEscape(value) else {
      return string(value.description)
    }
    guard beginValue() else { return }
    output.append(quoted: value)
  }

  /// Writes a string whose bytes a closure stores directly in the output buffer. The bytes must not
  /// need escapes.
  ///
  /// - Parameters:
  ///   - bytesMax: the size of the closure's buffer.
  ///   - write: writes the bytes and returns their number.
  public mutating func plainText(
    bytesMax: Int, _ write: (UnsafeMutableRawBufferPointer) -> Int
  ) {
    guard beginValue() else { return }
    output.append(UInt8(ascii: "\""))
    output.append(bytesMax: bytesMax, write)
    output.append(UInt8(ascii: "\""))
  }

  /// Writes a `JSON` value.
  public mutating func value(_ value: JSON) {
    guard beginValue() else { return }
    value.write(to: &output)
  }

  /// Writes bytes that already are one JSON value; they are not checked. An empty collection is
  /// misuse, and `null` is written instead.
  public mutating func raw(_ json: some Collection<UInt8>) {
    guard beginValue() else { return }
    if json.isEmpty {
      isMisused = true
      output.append("null")
    } else {
      output.append(contentsOf: json)
    }
  }

  /// Writes the value that another writer has written.
  package mutating func raw(_ written: consuming JSONWriter) {
    guard beginValue() else { return }
    written.closeAll()
    written.output.withUnsafeBytes { output.append($0.assumingMemoryBound(to: UInt8.self)) }
  }

  /// Writes a string literal as the key of the next member.
  public mutating func key(_ key: StaticString) {
    guard key.hasPointerRepresentation, !SpecialBytes.hasEscape(key) else {
      return self.key(key.description)
    }
    guard ignoredDepth == 0, place == .firstKey || place == .nextKey else {
      isMisused = true
      return
    }
    output.append(key: key, isFirst: place == .firstKey)
    place = .memberValue
  }

  /// Writes the key of the next member.
  @_disfavoredOverload
  public mutating func key(_ key: String) {
    guard ignoredDepth == 0, place == .firstKey || place == .nextKey else {
      isMisused = true
      return
    }
    if place == .nextKey {
      output.append(UInt8(ascii: ","))
    }
    output.append(quoting: key)
    output.append(UInt8(ascii: ":"))
    place = .memberValue
  }

  /// Begins an object, which `endObject()` ends. `object(_:)` does both.
  public mutating func beginObject() {
    begin(UInt8(ascii: "{"), isObject: true)
  }

  /// Begins an object by appending `text`, which must end just before the value of a member.
  mutating func beginObject(upToValue text: StaticString) {
    guard beginValue() else {
      ignoredDepth += 1
      return
    }
    output.append(text)
    openContainers.push(true)
    place = .memberValue
  }

  /// Ends the innermost object. A key without a value gets `null`.
  public mutating func endObject() {
    end(isObject: true)
  }

  /// Begins an array, which `endArray()` ends. `array(_:)` does both.
  public mutating func beginArray() {
    begin(UInt8(ascii: "["), isObject: false)
  }

  /// Ends the innermost array.
  public mutating func endArray() {
    end(isObject: false)
  }

  /// Writes an object with the members that a closure writes.
  public mutating func object(_ encodeMembers: (inout JSONWriter) -> Void) {
    beginObject()
    encodeMembers(&self)
    endObject()
  }

  /// Writes an array with the elements that a closure writes.
  public mutating func array(_ encodeElements: (inout JSONWriter) -> Void) {
    beginArray()
    encodeElements(&self)
    endArray()
  }
}

extension JSONWriter {
  /// Writes the separator before a value.
  ///
  /// - Returns: `false` if a value is invalid at this position.
  @inline(__always)
  private mutating func beginValue() -> Bool {
    guard ignoredDepth == 0 else { return false }
    switch place {
    case .valueExpected: place = .ended
    case .firstElement: place = .nextElement
    case .nextElement: output.append(UInt8(ascii: ","))
    case .memberValue: place = .nextKey
    case .firstKey, .nextKey, .ended:
      isMisused = true
      return false
    }
    return true
  }

  private mutating func begin(_ bracket: UInt8, isObject: Bool) {
    guard beginValue() else {
      ignoredDepth += 1
      return
    }
    output.append(bracket)
    openContainers.push(isObject)
    place = isObject ? .firstKey : .firstElement
  }

  private mutating func end(isObject: Bool) {
    guard ignoredDepth == 0 else {
      ignoredDepth -= 1
      return
    }
    guard openContainers.last == isObject else {
      isMisused = true
      return
    }
    if place == .memberValue {
      isMisused = true
      null()
    }
    output.append(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    openContainers.removeLast()
    switch openContainers.last {
    case nil: place = .ended
    case true?: place = .nextKey
    case false?: place = .nextElement
    }
  }

  private mutating func closeAll() {
    isMisused = isMisused || ignoredDepth > 0 || openContainers.last != nil
    ignoredDepth = 0
    while let isObject = openContainers.last {
      end(isObject: isObject)
    }
  }
}

/// A stack of booleans that allocates memory only if it contains more than 64.
private struct BitStack {
  private var top: UInt64 = 0
  private var lower: [UInt64] = []
  private var count = 0

  var last: Bool? {
    count == 0 ? nil : top & 1 == 1
  }

  mutating func push(_ bit: Bool) {
    if count > 0 && count.isMultiple(of: 64) {
      lower.append(top)
    }
    top = top << 1 | (bit ? 1 : 0)
    count += 1
  }

  mutating func removeLast() {
    guard count > 0 else { return }
    count -= 1
    top >>= 1
    if count > 0 && count.isMultiple(of: 64) {
      top = lower.popLast() ?? 0
    }
  }
}
