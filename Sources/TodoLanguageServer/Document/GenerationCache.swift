import TodoDocument
import TodoModel

/// The texts that the buffer has been made from lately.
struct GenerationCache: Sendable {
  private var texts: [Int64: KnownText] = [:]
  /// The oldest first.
  private var order: [Int64] = []

  private static let textsMax = 16

  subscript(number: Int64) -> KnownText? {
    get { texts[number] }
    set {
      if texts.updateValue(newValue ?? KnownText(nil), forKey: number) == nil {
        order.append(number)
      }
      if order.count > Self.textsMax { texts[order.removeFirst()] = nil }
    }
  }
}

extension DocumentGeneration {
  func hasSameLines(as other: DocumentGeneration) -> Bool {
    lines == other.lines && texts == other.texts
  }
}
