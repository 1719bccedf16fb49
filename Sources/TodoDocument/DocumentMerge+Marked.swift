import TodoModel

/// Lines with the mark of a todo that the list does not have.
extension DocumentMerge {
  func isPutBack(_ line: DocumentLine, _ mark: LineAnchor) -> Bool {
    todos[mark.id] == nil && removed.todos.contains(mark.id) && !line.isConflict
  }

  /// Whether a mark may have been assigned before a save (rule 16): as far as the document shows,
  /// the list never had its todo.
  func isReserved(_ line: DocumentLine, _ mark: LineAnchor) -> Bool {
    mark.version == LineAnchor.firstVersion && mark.looksMade && !line.isConflict
      && todos[mark.id] == nil && generation?.lines[mark.id] == nil
      && !removed.todos.contains(mark.id)
  }
}
