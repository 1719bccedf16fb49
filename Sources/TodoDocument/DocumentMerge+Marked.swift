import TodoModel

/// Lines with the mark of a todo that the list does not have.
extension DocumentMerge {
  func isPutBack(_ line: DocumentLine, _ mark: LineAnchor) -> Bool {
    todos[mark.id] == nil && removed.todos.contains(mark.id) && !line.isConflict
  }

  /// Whether a mark may have been reserved for a new todo before the save: the mark has the form of
  /// an assigned one with the first version, and its ID is neither in the list, nor in the
  /// generation of the document, nor among the removed entries.
  func isReserved(_ line: DocumentLine, _ mark: LineAnchor) -> Bool {
    mark.version ?? LineAnchor.firstVersion == LineAnchor.firstVersion && mark.isAssigned
      && !line.isConflict
      && todos[mark.id] == nil && generation?.lines[mark.id] == nil
      && !removed.todos.contains(mark.id)
  }
}
