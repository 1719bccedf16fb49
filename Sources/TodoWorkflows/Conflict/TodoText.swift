import TodoModel

/// A todo as one text, in the shape of a commit message: the title, a blank line, the note.
enum TodoText {
  static func text(of content: TodoContent) -> String {
    content.note.isEmpty ? content.title : "\(content.title)\n\n\(content.note)"
  }

  /// Returns descriptions of the fields that the text does not contain, such as `open` and
  /// `priority high`.
  static func facts(of content: TodoContent) -> [String] {
    let details = ContentField.details.filter { !content.text(of: $0).isEmpty }
    return [content.isDone ? "done" : "open"]
      + details.map { "\($0.rawValue) \(content.text(of: $0))" }
  }

  /// Splits a text into the first line, which is the title, and the note after it. One blank line
  /// between them belongs to neither.
  static func split(_ text: String) -> (title: String, note: String) {
    // The text is split by scalar, not by character, because CR LF is one character and a note
    // keeps its bytes.
    let scalars = text.unicodeScalars
    guard let lineEnd = scalars.firstIndex(of: "\n") else { return (text, "") }
    var note = scalars[scalars.index(after: lineEnd)...]
    if note.first == "\r", note.dropFirst().first == "\n" { note = note.dropFirst() }
    if note.first == "\n" { note = note.dropFirst() }
    return (String(scalars[..<lineEnd]), String(note))
  }
}
