import JSONRPC
import TodoModel

extension String: WrittenValue {
  package static var schema: Schema { .string }
  package func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Bool: WrittenValue {
  package static var schema: Schema { .boolean }
  package func write(to writer: inout JSONWriter) { writer.bool(self) }
}

extension Int: WrittenValue {
  package static var schema: Schema { .integer }
  package func write(to writer: inout JSONWriter) { writer.integer(self) }
}

extension Int64: WrittenValue {
  package static var schema: Schema { .integer }
  package func write(to writer: inout JSONWriter) { writer.integer(self) }
}

extension RequestID: WrittenValue {
  package static var schema: Schema { .anyOf([.integer, .string], isOpen: false) }
  package func write(to writer: inout JSONWriter) { writer.value(json) }
}

extension TodoID: WrittenValue {
  package static var schema: Schema { .string }
  package func write(to writer: inout JSONWriter) { writer.string(text) }
}

extension Timestamp: WrittenValue {
  package static var schema: Schema { .time }
  package func write(to writer: inout JSONWriter) { writer.plainText { append(to: &$0) } }
}

/// A word out of a set.
package protocol WrittenWord: WrittenValue, CaseIterable, RawRepresentable<String> {
  /// Whether front-ends have to live with words that they do not know.
  static var isOpen: Bool { get }
}

extension WrittenWord {
  package static var isOpen: Bool { false }
  package static var schema: Schema { .words(allCases.map(\.rawValue), isOpen: isOpen) }
  package func write(to writer: inout JSONWriter) { writer.string(rawValue) }
}

/// A value that may be null.
extension Optional: SchemaValue, WrittenValue where Wrapped: WrittenValue {
  package static var schema: Schema { Wrapped.schema.orNull }
  package func write(to writer: inout JSONWriter) {
    if let value = self { value.write(to: &writer) } else { writer.null() }
  }
}

extension Array: SchemaValue, WrittenValue where Element: WrittenValue {
  package static var schema: Schema { .array(Element.schema) }
  package func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for element in self { element.write(to: &writer) }
    writer.endArray()
  }
}

/// An array whose elements are made while it is written.
package struct WrittenElements<Base: Sequence, Element: WrittenValue>: WrittenValue {
  package let base: Base
  package let make: (Base.Element) -> Element

  package init(_ base: Base, _ make: @escaping (Base.Element) -> Element) {
    self.base = base
    self.make = make
  }

  package static var schema: Schema { .array(Element.schema) }

  @inline(__always)
  package func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for element in base { make(element).write(to: &writer) }
    writer.endArray()
  }
}

/// Nothing to say: null.
package struct NoResult: WrittenValue {
  package init() {}

  package static var schema: Schema { .null }
  package func write(to writer: inout JSONWriter) { writer.null() }
}
