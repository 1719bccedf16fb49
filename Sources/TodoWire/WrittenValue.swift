import JSONRPC
import TodoModel

/// A value that the server writes: how it is written, and what it may be.
public protocol WrittenValue: SchemaValue {
  func write(to writer: inout JSONWriter)
}

/// An object that the server writes. One declaration of its members gives writer and schema:
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
/// A member is named whatever the object's values are: the schema is what a sample names.
public protocol WrittenObject: WrittenValue {
  /// Any value. Its members are named, and not written, for the schema.
  static var sample: Self { get }

  /// Its name and description in the schema; `nil` for a part of another object.
  static var definition: SchemaDefinition? { get }

  func writeMembers(to members: inout some MemberOutput & ~Copyable)
}

/// Where the members of an object go: to the wire, or into the schema.
public protocol MemberOutput: ~Copyable {
  /// A member that is always there.
  mutating func required<Value: WrittenValue>(
    _ key: StaticString, _ value: @autoclosure () -> Value)

  /// A member that is there if it has a value.
  mutating func optional<Value: WrittenValue>(_ key: StaticString, _ value: Value?)

  /// A member that is always there if it is wanted.
  mutating func wanted<Value: WrittenValue>(
    _ key: StaticString, _ isWanted: Bool, _ value: @autoclosure () -> Value)

  /// A member that is always there if it is wanted, with a schema that its type does not tell.
  mutating func wanted<Value: WrittenValue>(
    _ key: StaticString, _ isWanted: Bool, _ schema: @autoclosure () -> Schema,
    _ value: @autoclosure () -> Value)

  /// An optional member whose schema does not follow from its type.
  mutating func optional<Value: WrittenValue>(
    _ key: StaticString, _ schema: @autoclosure () -> Schema, _ value: Value?)

  /// A member that is true, or absent.
  mutating func flag(_ key: StaticString, _ isSet: Bool)

  /// A member that always has the same value.
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
  /// The same value as a tree, for what waits and is seldom.
  public init(written value: some WrittenValue) {
    var writer = JSONWriter()
    value.write(to: &writer)
    // What the writer writes is JSON.
    self = (try? JSON(parsing: writer.finish())) ?? .null
  }
}

// MARK: To the wire

extension JSONWriter: MemberOutput {
  @inline(__always)
  public mutating func required<Value: WrittenValue>(
    _ key: StaticString, _ value: @autoclosure () -> Value
  ) {
    self.key(key)
    value().write(to: &self)
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

// MARK: Into the schema

private struct WrittenMembers: MemberOutput {
  var all: [ObjectSchema.Member] = []

  private mutating func add(_ key: StaticString, _ schema: Schema, isRequired: Bool) {
    all.append(
      ObjectSchema.Member(name: key.description, schema: schema, isRequired: isRequired))
  }

  mutating func required<Value: WrittenValue>(
    _ key: StaticString, _ value: @autoclosure () -> Value
  ) {
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
