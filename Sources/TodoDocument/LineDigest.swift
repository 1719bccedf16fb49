import TodoModel

/// A number that identifies a text, the same in every process: FNV-1a with 64 bits.
///
/// Only texts of one todo, and typed lines of one generation (a recorded version of a document),
/// are compared by their digests. `Hasher` is not suitable, because its values differ from process
/// to process.
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
    // A separator: a byte that UTF-8 does not contain.
    add(0xFF)
  }

  /// Adds the fields of a todo's content.
  ///
  /// - Parameter relativeDue: The due date as it was typed, if it is relative. It replaces the
  ///   date, so that a line with `due:fri` has the same digest on each day.
  mutating func add(_ content: TodoContent, _ relativeDue: String?) {
    add(content.isDone ? 1 : 0)
    add(content.title)
    add(content.note)
    // The digest must differ from that of the same line as a store before version 14 printed it:
    // without an escape.
    if AttributeWords.isNeeded(in: content.title) { add(7) }
    for field in ContentField.details {
      let text = field == .due ? relativeDue ?? content.text(of: field) : content.text(of: field)
      guard !text.isEmpty else { continue }
      add(8)
      add(field.rawValue)
      add(text)
    }
  }

  /// Returns the digest of a line in the older format, in which fields at the end belonged to the
  /// title; `nil` if the line has no fields.
  static func lineWithoutFields(_ line: DocumentLine) -> Int64? {
    guard let title = line.wholeTitle, line.sides.isEmpty else { return nil }
    var digest = LineDigest()
    digest.add(line.content.isDone ? 1 : 0)
    digest.add(title)
    digest.add(line.content.note)
    return digest.value
  }

  // MARK: Digests of parts

  /// Returns the digest of the line of a todo, with its note and its sides.
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

  /// Returns the digest of a side of a conflict. The same content has the same digest on either
  /// side.
  package static func side(_ content: TodoContent) -> Int64 {
    var digest = LineDigest()
    digest.add(4)
    digest.add(content, nil)
    return digest.value
  }

  /// Returns the digest of a plain line. Blank lines around it make no difference.
  package static func text(_ text: String) -> Int64 {
    var digest = LineDigest()
    digest.add(5)
    digest.add(text.trimmed)
    return digest.value
  }

  /// Returns the digest that identifies an edit of a line. The digest is used if the line's todo is
  /// gone and the edit becomes a new todo. It includes the version of the line, so that the same
  /// edit of a later version has another digest.
  static func edit(of mark: LineAnchor, _ content: TodoContent, relativeDue: String?) -> Int64 {
    var digest = LineDigest()
    digest.add(6)
    digest.add(mark.id.text)
    digest.add(String(mark.version ?? 0))
    digest.add(content, relativeDue)
    return digest.value
  }
}
