import TodoModel

/// Lines whose mark names a todo that is not in the list, and edits of lines with a mark.
extension DocumentMerge {
  func isPutBack(_ line: DocumentLine, _ mark: LineAnchor) -> Bool {
    todos[mark.id] == nil && removed.todos.contains(mark.id) && !line.isConflict
  }

  /// Whether a line has a mark that the server may have reserved for a new todo before the save.
  /// This requires that the line shows no conflict, that the mark has the first version or none,
  /// and that the mark's todo is neither in the list, nor in the generation of the document, nor
  /// among the removed entries.
  func isReserved(_ line: DocumentLine, _ mark: LineAnchor) -> Bool {
    mark.version ?? LineAnchor.firstVersion == LineAnchor.firstVersion && mark.isAssigned
      && !line.isConflict
      && todos[mark.id] == nil && generation?.lines[mark.id] == nil
      && !removed.todos.contains(mark.id)
  }

  func edit(
    _ written: DocumentSide, _ mark: LineAnchor, _ fields: [ContentField], _ lineDigest: Int64?
  ) -> DocumentEdit {
    DocumentEdit(
      version: mark.version ?? DocumentEdit.unknownVersion, content: written.content,
      fields: fields, lineDigest: lineDigest,
      sideDigest: LineDigest.side(written.content), additionKey: additionKey(mark, written))
  }

  func additionKey(_ mark: LineAnchor, _ written: DocumentSide) -> AdditionKey {
    let digest = LineDigest.edit(of: mark, written.content, relativeDue: written.relativeDue)
    return AdditionKey(digest: digest, occurrence: 0)
  }
}
