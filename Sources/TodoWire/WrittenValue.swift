import JSONRPC
import TodoModel

/// A value that the server sends.
public protocol WrittenValue: SchemaValue {
  func write(to writer: inout JSONWriter)
}

/// An object that the server sends. Its encoding and its schema both follow from `writeMembers`:
///
/// ```swift
/// extension ScreenBar: WrittenObject {
///   static let sample = ScreenBar()
///
///   func writeMembers(to members: inout some MemberOutput & ~Copyable) {
///     members.required("visible", isVisible)
///     members.optional("left", left)
///   }
/// }
/// ```
///
/// `writeMembers` must name all members, for any value of the object, because the schema is
/// computed from a sample.
public protocol WrittenObject: WrittenValue {
  /// Any value of this type. The schema is computed from it. It is never sent.
  static var sample: Self { get }

  /// The name and the description of the object's definition, to which the schema refers at each
  /// use of the object. `nil` for no definition: each use then repeats the schema of the object.
  static var definition: SchemaDefinition? { get }

  func writeMembers(to members: inout some MemberOutput & ~Copyable)
}

/// The destination to which an object writes its members: the JSON output, or the schema.
public protocol MemberOutput: ~Copyable {
  /// Adds a member that is always present.
  mutating func required<Value: WrittenValue>(_ key: StaticString, _ value: Value)

  /// Adds an optional member. It is left out if its value is `nil`.
  mutating func optional<Value: WrittenValue>(_ key: StaticString, _ value: Value?)

  /// Adds an optional member. It is left out if `isWanted` is `false`.
  mutating func wanted<Value: WrittenValue>(
    _ key: StaticString, _ isWanted: Bool, _ value: @autoclosure () -> Value)

  /// Adds an optional member. It is left out if `isWanted` is `false`. The schema is given, because
  /// it does not follow from the type of the value.
  mutating func wanted<Value: WrittenValue>(
    _ key: StaticString, _ isWanted: Bool, _ schema: @autoclosure () -> Schema,
    _ value: @autoclosure () -> Value)

  /// Adds an optional member. It is left out if its value is `nil`. The schema is given, because it
  /// does not follow from the type of the value.
  mutating func optional<Value: WrittenValue>(
    _ key: StaticString, _ schema: @autoclosure () -> Schema, _ value: Value?)

  /// Adds an optional member with the value `true`. It is left out if `isSet` is `false`.
  mutating func flag(_ key: StaticString, _ isSet: Bool)

  /// Adds a member with a constant value.
  mutating func constant(_ key: StaticString, _ value: StaticString)
}

extension WrittenObject {
  public static var definition: SchemaDefinition? { nil }

  @inline(__always)
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writeMembers(to: &writer)
    writer.endObject()
  }

  public static var schema: Schema {
    var members = WrittenMembers()
    sample.writeMembers(to: &members)
    return Schema.object(ObjectSchema(members: members.all, isClosed: true)).named(definition)
  }
}

extension JSON {
  /// Creates a JSON tree from a value that the server sends. This is slower than writing the value,
  /// so use it only for rare output that must be stored.
  public init(written value: some WrittenValue) {
    var writer = JSONWriter()
    value.write(to: &writer)
    // The writer always produces valid JSON.
    self = (try? JSON(parsing: writer.finish())) ?? .null
  }
}

// MARK: Output

extension JSONWriter: MemberOutput {
  @inline(__always)
  public mutating func required<Value: WrittenValue>(_ key: StaticString, _ value: Value) {
    self.key(key)
    value.write(to: &self)
  }

  @inline(__always)
  public mutating func optional<Value: WrittenValue>(_ key: StaticString, _ value: Value?) {
    guard let value else { return }
    self.key(key)
    value.write(to: &self)
  }

  @inline(__always)
  public mutating func wanted<Value: WrittenValue>(
    _ key: StaticString, _ isWanted: Bool, _ value: @autoclosure () -> Value
  ) {
    guard isWanted else { return }
    self.key(key)
    value().write(to: &self)
  }

  @inline(__always)
  public mutating func wanted<Value: WrittenValue>(
    _ key: StaticString, _ isWanted: Bool, _ schema: @autoclosure () -> Schema,
    _ value: @autoclosure () -> Value
  ) {
    wanted(key, isWanted, value())
  }

  @inline(__always)
  public mutating func optional<Value: WrittenValue>(
    _ key: StaticString, _ schema: @autoclosure () -> Schema, _ value: Value?
  ) {
    optional(key, value)
  }

  @inline(__always)
  public mutating func flag(_ key: StaticString, _ isSet: Bool) {
    guard isSet else { return }
    self.key(key)
    bool(true)
  }

  @inline(__always)
  public mutating func constant(_ key: StaticString, _ value: StaticString) {
    self.key(key)
    string(value)
  }
}

// MARK: Schema

private struct WrittenMembers: MemberOutput {
  var all: [ObjectSchema.Member] = []

  private mutating func add(_ key: StaticString, _ schema: Schema, isRequired: Bool) {
    all.append(
      ObjectSchema.Member(name: key.description, schema: schema, isRequired: isRequired))
  }

  mutating func required<Value: WrittenValue>(_ key: StaticString, _ value: Value) {
    add(key, Value.schema, isRequired: true)
  }

  mutating func optional<Value: WrittenValue>(_ key: StaticString, _ value: Value?) {
    add(key, Value.schema, isRequired: false)
  }

  mutating func wanted<Value: WrittenValue>(
    _ key: StaticString, _ isWanted: Bool, _ value: @autoclosure () -> Value
  ) {
    add(key, Value.schema, isRequired: isWanted)
  }

  mutating func wanted<Value: WrittenValue>(
    _ key: StaticString, _ isWanted: Bool, _ schema: @autoclosure () -> Schema,
    _ value: @autoclosure () -> Value
  ) {
    add(key, schema(), isRequired: isWanted)
  }

  mutating func optional<Value: WrittenValue>(
    _ key: StaticString, _ schema: @autoclosure () -> Schema, _ value: Value?
  ) {
    add(key, schema(), isRequired: false)
  }

  mutating func flag(_ key: StaticString, _ isSet: Bool) {
    add(key, .constant(true), isRequired: false)
  }

  mutating func constant(_ key: StaticString, _ value: StaticString) {
    add(key, .constant(.string(value.description)), isRequired: true)
  }
}
