import TodoModel

/// Determines where the content of a saved line comes from: the user typed it, or an earlier
/// generation (recorded version) of the document showed it.
extension DocumentSaving {
  enum EditOrigin {
    /// The user typed the content. This case also applies if the user put back earlier content and
    /// only saved documents have changed the todo since then, or if the user put back a line whose
    /// todo a saved document had removed.
    case typed
    /// A generation before the base of the edit showed the content, and not all changes of the todo
    /// since then came from documents. The line may be from an old buffer.
    case earlier
    /// The line is not an edit, and is ignored: the document has shown it at the base version of
    /// the edit or a later one. If the base is not known, or the todo is removed, each version at
    /// which the document has shown the line counts.
    case known
  }

  func origin(of edit: DocumentEdit, of id: TodoID) throws(TodoError) -> EditOrigin {
    guard let digest = edit.lineDigest, try !wasRemovedByDocument(id),
      let version = try tables.appliedLines.lastVersion(shownAs: digest, of: id, in: document)
    else { return .typed }
    guard version < edit.version else { return .known }
    guard let stored = try shown(id) else { return .known }
    return try tables.log.areFromDocuments(after: version, of: stored, in: list)
      ? .typed : .earlier
  }
}
