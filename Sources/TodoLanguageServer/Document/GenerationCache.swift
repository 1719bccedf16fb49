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

  /// Notes that a text was taken: what was missing in it was either removed, or is to be shown
  /// again, also where the buffer has become a later text meanwhile, in which it stayed away.
  mutating func note(_ save: TakenSave, _ contents: DocumentContents) {
    let number = save.read.document.heading?.generation ?? 0
    guard let missing = texts[number]?.note(save, contents) else { return }
    for (later, text) in texts {
      for (id, line) in missing where text.generation?.lines[id] == line {
        texts[later]?.generation?.lines[id] = nil
      }
    }
  }
}

extension DocumentGeneration {
  func hasSameLines(as other: DocumentGeneration) -> Bool {
    lines == other.lines && texts == other.texts
  }
}
