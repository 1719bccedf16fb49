import TodoModel

extension Document {
  /// Replaces relative dates with the due dates of their todos, if an earlier save has resolved
  /// these relative dates. A client that does not apply the server's edits shows `due:fri` for
  /// weeks, but the date stays the Friday after the first save.
  mutating func replace(_ savedDates: [TodoID: String], from todos: [TodoID: DocumentTodo]) {
    guard !savedDates.isEmpty else { return }
    for index in entries.indices {
      guard case .todo(var line) = entries[index], let word = line.relativeDue,
        let id = line.mark?.id, savedDates[id] == word, let todo = todos[id]
      else { continue }
      (line.content.due, line.relativeDue) = (todo.content.due, nil)
      entries[index] = .todo(line)
    }
  }
}

extension Document {
  /// Reads titles by the escape rule of earlier versions of this program, if the result equals the
  /// todo's title in the list.
  mutating func readOldEscapes(of todos: [TodoID: DocumentTodo]) {
    for index in entries.indices {
      guard case .todo(var line) = entries[index], let title = line.markdownTitle,
        let mark = line.mark, let todo = todos[mark.id],
        title.utf8.elementsEqual(todo.content.title.utf8)
      else { continue }
      line.content.title = title
      entries[index] = .todo(line)
    }
  }
}

extension DocumentLine {
  /// The digest of the line with its note and, in a conflict, its sides.
  package var digest: Int64 { LineDigest.line(content, relativeDue: relativeDue, sides: sides) }

  /// The content of the line, as the user's side of a conflict.
  var written: DocumentSide { DocumentSide(.mine, content, relativeDue: relativeDue) }
}
