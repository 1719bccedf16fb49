import JSONRPC
import TodoWire

/// The bytes of elements that a response may have, in its text and its structured content together.
struct ResponseBudget {
  /// The limit unless the client requests more, in bytes.
  static let standard = 64 << 10
  /// The size of everything but the elements.
  private static let reserve = 1 << 10

  private var rest: Int

  init(_ bytesMax: Int = ResponseBudget.standard) { rest = bytesMax - Self.reserve }

  /// Returns the first elements that fit, at least one.
  mutating func prefix<Element: WrittenValue>(
    of elements: [Element], text: (Element) -> String
  ) -> [Element] {
    for (index, element) in elements.enumerated() {
      var writer = JSONWriter()
      writer.array { writer in
        element.write(to: &writer)
        writer.string(text(element))
      }
      rest -= writer.finish().count
      if rest < 0, index > 0 { return Array(elements[..<index]) }
    }
    return elements
  }
}
