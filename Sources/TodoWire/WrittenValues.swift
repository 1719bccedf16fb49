import JSONRPC
import TodoModel

extension String: WrittenValue {
  public static var schema: Schema { .string }
  public func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Bool: WrittenValue {
  public static var schema: Schema { .boolean }
  public func write(to writer: inout JSONWriter) { writer.bool(self) }
}

extension Int: WrittenValue {
  public static var schema: Schema { .integer }
  public func write(to writer: inout JSONWriter) { writer.integer(self) }
}

extension Int64: WrittenValue {
  public static var schema: Schema { .integer }
  public func write(to writer: inout JSONWriter) { writer.integer(self) }
}

extension RequestID: WrittenValue {
  public static var schema: Schema { .anyOf([.integer, .string], isOpen: false) }
  public func write(to writer: inout JSONWriter) { writer.value(json) }
}

extension TodoID: WrittenValue {
  public static var schema: Schema { .string }
  public func write(to writer: inout JSONWriter) { writer.string(text) }
}

extension Timestamp: WrittenValue {
  public static var schema: Schema { .time }
  public func write(to writer: inout JSONWriter) {
    writer.plainText(bytesMax: Timestamp.bytesMax) { write(into: $0) }
  }
}

/// A value that is written as one of a set of words.
public protocol WrittenEnumValue: WrittenValue, CaseIterable, RawRepresentable<String> {
  /// Whether later versions may add words that front-ends must tolerate.
  static var isOpen: Bool { get }
  /// The name and the description of the definition of the words, to which the schema refers at
  /// each use of the words. `nil` for no definition: each use then lists the words.
  static var definition: SchemaDefinition? { get }
}

extension WrittenEnumValue {
  public static var isOpen: Bool { false }
  public static var definition: SchemaDefinition? { nil }
  public static var schema: Schema {
    Schema.words(allCases.map(\.rawValue), isOpen: isOpen).named(definition)
  }
  public func write(to writer: inout JSONWriter) { writer.string(rawValue) }
}

/// An optional value. `nil` is written as null.
extension Optional: SchemaValue, WrittenValue where Wrapped: WrittenValue {
  public static var schema: Schema { Wrapped.schema.orNull }
  public func write(to writer: inout JSONWriter) {
    if let value = self { value.write(to: &writer) } else { writer.null() }
  }
}

extension Array: SchemaValue, WrittenValue where Element: WrittenValue {
  public static var schema: Schema { .array(Element.schema) }
  public func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for element in self { element.write(to: &writer) }
    writer.endArray()
  }
}

/// An array whose elements are created while it is written.
public struct WrittenElements<Base: Sequence, Element: WrittenValue>: WrittenValue {
  public let base: Base
  public let make: (Base.Element) -> Element

  public init(_ base: Base, _ make: @escaping (Base.Element) -> Element) {
    self.base = base
    self.make = make
  }

  public static var schema: Schema { .array(Element.schema) }

  @inline(__always)
  public func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for element in base { make(element).write(to: &writer) }
    writer.endArray()
  }
}

/// The result of a method that returns nothing. It is null.
public struct NoResult: WrittenValue {
  public init() {}

  public static var schema: Schema { .null }
  public func write(to writer: inout JSONWriter) { writer.null() }
}
