import JSONRPC
import TodoWire

/// A limit for the size of the elements in a response, in bytes. The text and the structured
/// content of an element both count.
struct ResponseBudget {
  /// The default limit of a response, in bytes.
  static let standard = 64 << 10
  /// The number of bytes that are reserved for the rest of the response.
  private static let reserve = 1 << 10

  private var rest: Int

  init(_ bytesMax: Int = ResponseBudget.standard) { rest = bytesMax - Self.reserve }

  /// Returns the first elements that fit, but at least one, and subtracts their size.
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
