import TodoModel

/// Relative dates of lines that were saved before, in a text that still has them.
extension DocumentMerge {
  /// The line with the date that the list has, if its relative date was saved before: a client that
  /// applies no edits shows `due:fri` for weeks, which is the Friday of the first save.
  func withSavedDate(_ line: DocumentLine, _ mark: LineMark) -> DocumentLine {
    guard let word = line.relativeDue, savedDates[mark.id] == word, let todo = todos[mark.id] else {
      return line
    }
    var line = line
    (line.content.due, line.relativeDue) = (todo.content.due, nil)
    return line
  }
}

extension DocumentLine {
  /// The digest of the line with its note and its sides.
  package var digest: Int64 { LineDigest.line(content, relativeDue: relativeDue, sides: sides) }

  /// The content, as a text of the user's.
  var written: DocumentSide { DocumentSide(.mine, content, relativeDue: relativeDue) }
}
