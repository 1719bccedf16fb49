import JSONRPC
import TodoWire

/// The bytes of elements that a response may have, in its text and its structured content together.
struct ResponseBudget {
  /// Unless the client requests more.
  static let standard = 64 << 10
  /// For what is around the elements.
  private static let reserve = 1 << 10

  private var rest: Int

  init(_ bytesMax: Int = ResponseBudget.standard) { rest = bytesMax - Self.reserve }

  /// The first elements that fit, at least one.
  ///
  /// - Parameter text: The line of an element.
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
