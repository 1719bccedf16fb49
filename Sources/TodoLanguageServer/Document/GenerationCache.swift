import TodoDocument
import TodoModel

/// The texts that the buffer has been made from lately.
struct GenerationCache: Sendable {
  private var texts: [Int64: KnownText] = [:]
  /// What was used last comes last.
  private var order: [Int64] = []
  /// What was removed from the buffer, whichever text it was made from.
  private var removed = RemovedLines()

  private static let textsMax = 16

  subscript(number: Int64) -> KnownText? {
    get { texts[number] }
    set {
      texts[number] = newValue ?? KnownText(nil)
      noteUse(of: number)
      if order.count > Self.textsMax { texts[order.removeFirst()] = nil }
    }
  }

  /// What a buffer shows is looked up again and again, and stays: what was taken of it is known
  /// nowhere else.
  mutating func use(_ number: Int64) -> KnownText? {
    guard var text = texts[number] else { return nil }
    noteUse(of: number)
    text.removed = removed
    return text
  }

  private mutating func noteUse(of number: Int64) {
    order.removeAll { $0 == number }
    order.append(number)
  }

  /// Notes that a text was taken, also where the buffer has become a later one meanwhile: what was
  /// missing stayed away in that, and what was typed stands in that.
  mutating func note(_ save: TakenSave, _ contents: DocumentContents) {
    let number = save.read.document.heading?.generation ?? 0
    if let wanted = save.wanted { forgetTyping(of: removed.record(wanted, contents)) }
    guard let history = texts[number]?.note(save, contents) else { return }
    for later in texts.keys where later > number { texts[later]?.merge(history) }
  }

  /// Lines that were typed and removed are new when they are typed again.
  private mutating func forgetTyping(of entries: Set<EntryID>) {
    guard !entries.isEmpty else { return }
    for number in texts.keys { texts[number]?.forgetTyping(of: entries) }
  }
}

extension DocumentGeneration {
  func hasSameLines(as other: DocumentGeneration) -> Bool {
    lines == other.lines && texts == other.texts
  }
}
