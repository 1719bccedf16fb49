import TodoModel

/// A number that stands for a text, the same in every process: FNV-1a with 64 bits.
///
/// Only texts of one todo, and typed lines of one generation, are ever compared by it. It is written
/// here because `Hasher` differs from process to process, and no module of the project has a stable one.
package struct LineDigest {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  package var value: Int64 { Int64(bitPattern: state) }

  mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }

  mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var state = state
      for byte in bytes { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
      self.state = state
    }
    // A byte that no text has.
    add(0xFF)
  }

  /// - Parameter relativeDue: The word that the due date was typed as. A line with `due:fri` has the
  ///   same digest on each day.
  mutating func add(_ content: TodoContent, _ relativeDue: String?) {
    add(content.isDone ? 1 : 0)
    add(content.title)
    add(content.note)
    // Before version 14 of the store such a title was written without an escape.
    if AttributeWords.isNeeded(in: content.title) { add(7) }
    for field in ContentField.details {
      let text = field == .due ? relativeDue ?? content.text(of: field) : content.text(of: field)
      guard !text.isEmpty else { continue }
      add(8)
      add(field.rawValue)
      add(text)
    }
  }

  /// The digest of a line as it was shown before titles had fields at their ends; `nil` if it has none.
  static func lineWithoutFields(_ line: DocumentLine) -> Int64? {
    guard let title = line.wholeTitle, line.sides.isEmpty else { return nil }
    var digest = LineDigest()
    digest.add(line.content.isDone ? 1 : 0)
    digest.add(title)
    digest.add(line.content.note)
    return digest.value
  }

  // MARK: Of what

  /// The digest of a todo's whole line.
  static func line(
    _ content: TodoContent, relativeDue: String? = nil, sides: [DocumentSide] = []
  ) -> Int64 {
    var digest = LineDigest()
    digest.add(content, relativeDue)
    for side in sides {
      digest.add(side.whose == .mine ? 2 : 3)
      digest.add(side.content, side.relativeDue)
    }
    return digest.value
  }

  /// The digest of one text of a conflict, on either side.
  package static func side(_ content: TodoContent) -> Int64 {
    var digest = LineDigest()
    digest.add(4)
    digest.add(content, nil)
    return digest.value
  }

  /// The digest of lines without a todo, wherever there are blank lines around them.
  package static func text(_ text: String) -> Int64 {
    var digest = LineDigest()
    digest.add(5)
    digest.add(text.trimmed)
    return digest.value
  }

  /// The digest of an edit of a line, which becomes a todo of its own if its todo is gone. The version
  /// distinguishes it from the same edit after another one has reverted it.
  static func edit(of mark: LineAnchor, _ content: TodoContent, relativeDue: String?) -> Int64 {
    var digest = LineDigest()
    digest.add(6)
    digest.add(mark.id.text)
    digest.add(String(mark.version))
    digest.add(content, relativeDue)
    return digest.value
  }
}
