/// The text of a todo in the form of a commit message: the title, a blank line, and the note.
package enum TodoText {
  package static func text(of content: TodoContent) -> String {
    content.note.isEmpty ? content.title : "\(content.title)\n\n\(content.note)"
  }

  /// Returns descriptions of all fields except the title and the note, such as `open` and
  /// `priority high`. Fields without a value are left out.
  package static func facts(of content: TodoContent) -> [String] {
    let details = ContentField.details.filter { !content.text(of: $0).isEmpty }
    return [content.isDone ? "done" : "open"]
      + details.map { "\($0.rawValue) \(content.text(of: $0))" }
  }

  /// Splits a text into the title, which is the first line, and the note. A blank line after the
  /// title is not part of the note.
  package static func split(_ text: String) -> (title: String, note: String) {
    // The text is split at a scalar. As a character, LF would not be found in CR LF, and splitting
    // must not change the bytes of the note.
    let scalars = text.unicodeScalars
    guard let lineEnd = scalars.firstIndex(of: "\n") else { return (text, "") }
    var note = scalars[scalars.index(after: lineEnd)...]
    if note.first == "\r", note.dropFirst().first == "\n" { note = note.dropFirst() }
    if note.first == "\n" { note = note.dropFirst() }
    var title = scalars[..<lineEnd]
    if title.last == "\r" { title = title.dropLast() }
    return (String(title), String(note))
  }
}
