import TodoModel

/// Determines whether the user typed the content of a saved line, or an earlier generation (recorded
/// version) of the document showed it.
extension DocumentSaving {
  enum EditOrigin {
    /// The user typed the content.
    case typed
    /// An earlier generation showed the content, and others have changed the todo since. The line
    /// may be from an old buffer.
    case earlier
    /// The document showed the content later than the base of the edit, or the base is not known.
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
