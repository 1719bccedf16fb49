import JSONRPC
import TodoModel

extension String: WrittenValue {
  static var schema: Schema { .string }
  func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Bool: WrittenValue {
  static var schema: Schema { .boolean }
  func write(to writer: inout JSONWriter) { writer.bool(self) }
}

extension Int: WrittenValue {
  static var schema: Schema { .integer }
  func write(to writer: inout JSONWriter) { writer.integer(self) }
}

extension Int64: WrittenValue {
  static var schema: Schema { .integer }
  func write(to writer: inout JSONWriter) { writer.integer(self) }
}

extension RequestID: WrittenValue {
  static var schema: Schema { .anyOf([.integer, .string], isOpen: false) }
  func write(to writer: inout JSONWriter) { writer.value(json) }
}

extension TodoID: WrittenValue {
  static var schema: Schema { .string }
  func write(to writer: inout JSONWriter) { writer.string(text) }
}

extension Timestamp: WrittenValue {
  static var schema: Schema { .time }
  func write(to writer: inout JSONWriter) { writer.plainText { append(to: &$0) } }
}

/// A word out of a set.
protocol WrittenWord: WrittenValue, CaseIterable, RawRepresentable<String> {
  /// Whether front-ends have to live with words that they do not know.
  static var isOpen: Bool { get }
}

extension WrittenWord {
  static var isOpen: Bool { false }
  static var schema: Schema { .words(allCases.map(\.rawValue), isOpen: isOpen) }
  func write(to writer: inout JSONWriter) { writer.string(rawValue) }
}

/// A value that may be null.
extension Optional: SchemaValue, WrittenValue where Wrapped: WrittenValue {
  static var schema: Schema { Wrapped.schema.orNull }
  func write(to writer: inout JSONWriter) {
    if let value = self { value.write(to: &writer) } else { writer.null() }
  }
}

extension Array: SchemaValue, WrittenValue where Element: WrittenValue {
  static var schema: Schema { .array(Element.schema) }
  func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for element in self { element.write(to: &writer) }
    writer.endArray()
  }
}

/// An array whose elements are made while it is written.
struct WrittenElements<Base: Sequence, Element: WrittenValue>: WrittenValue {
  let base: Base
  let make: (Base.Element) -> Element

  init(_ base: Base, _ make: @escaping (Base.Element) -> Element) {
    self.base = base
    self.make = make
  }

  static var schema: Schema { .array(Element.schema) }

  @inline(__always)
  func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for element in base { make(element).write(to: &writer) }
    writer.endArray()
  }
}

/// Nothing to say: null.
struct NoResult: WrittenValue {
  static var schema: Schema { .null }
  func write(to writer: inout JSONWriter) { writer.null() }
}
