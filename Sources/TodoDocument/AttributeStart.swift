import TodoModel

/// The unfinished word before a cursor, if it can become a due date, a label or a priority. Such
/// words follow the title of a todo.
///
///     AttributeStart(in: Array("- [ ] Buy milk #sh ^k3f9qd".utf8)[...], at: 18)?.kind  // .label
package struct AttributeStart: Sendable, Equatable {
  package enum Kind: Sendable {
    case due, label, priority
  }

  package let kind: Kind
  /// The range of the unfinished word in the bytes of the line.
  package let range: Range<Int>
  /// The labels on the line, except the unfinished word before the cursor.
  package let labels: LabelSet

  /// Finds the unfinished word before a cursor; `nil` if the completed word would be part of the
  /// title.
  ///
  /// - Parameters:
  ///   - line: A line of a document, without its line end.
  ///   - cursor: An index of the line, or its end.
  ///   - marks: The marks that the store has assigned.
  package init?(
    in line: ArraySlice<UInt8>, at cursor: Int, marks: AssignedMarks = AssignedMarks()
  ) {
    let rest = line[cursor...]
    guard rest.first.map(ASCII.isBlank) ?? true, let (kind, start) = Self.start(in: line[..<cursor])
    else { return nil }
    let before = line[..<start]
    // The parser decides: a sample in place of the word must not become part of the title.
    guard let without = HeadLine.read(before + rest, on: .first, marks),
      let with = HeadLine.read(before + kind.sample.utf8 + rest, on: .first, marks),
      with.content.title == without.content.title
    else { return nil }
    (self.kind, range, labels) = (kind, start..<cursor, without.content.labels)
  }

  /// Returns the kind of the word at the end of a text, and the index at which the word begins;
  /// `nil` if the word cannot become an attribute.
  private static func start(in text: ArraySlice<UInt8>) -> (Kind, Int)? {
    let start = text.lastIndex(where: ASCII.isBlank).map { $0 + 1 } ?? text.startIndex
    let word = text[start...]
    if word.starts(with: AttributeWords.dueStart.utf8) { return (.due, start) }
    if word.first == UInt8(ascii: "#") { return (.label, start) }
    if word.first == UInt8(ascii: "!") { return (.priority, start) }
    // A label with spaces that has no end yet.
    guard let quote = text.lastIndex(of: UInt8(ascii: "\"")), quote > text.startIndex,
      text[quote - 1] == UInt8(ascii: "#"),
      quote - 1 == text.startIndex || ASCII.isBlank(text[quote - 2])
    else { return nil }
    return (.label, quote - 1)
  }

  /// Returns the word for a field, as it is written in a line.
  package static func word(of due: DueDate) -> String { AttributeWords.word(of: due) }
  package static func word(of label: String) -> String { AttributeWords.word(of: label) }
  package static func word(of priority: Priority) -> String { AttributeWords.word(of: priority) }
}

extension AttributeStart.Kind {
  /// A complete word of this kind. The parser reads the line with this sample in place of the
  /// unfinished word. The result shows whether the completed word would be part of the title. The
  /// sample of a label is a label that probably no todo has.
  fileprivate var sample: String {
    switch self {
    case .due: "due:0001-01-01"
    case .label: "#todo-server/sample"
    case .priority: "!high"
    }
  }
}
