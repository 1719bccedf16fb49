import TodoModel

/// Determines where the content of a saved line comes from: the user typed it, or an earlier
/// generation (recorded version) of the document showed it.
extension DocumentSaving {
  enum EditOrigin {
    /// The user typed the content. This case also applies if the user put back earlier content and
    /// only saved documents have changed the todo since then. It also applies if the user put back
    /// a line whose todo a saved document had removed.
    case typed
    /// A generation (recorded version) of the document before the base of the edit showed the
    /// content, and not all changes of the todo since then came from documents. The line may be
    /// from an old buffer.
    case earlier
    /// The line is not an edit, and is ignored: the document has shown the same line for the
    /// version of the todo on which the edit is based, or for a later version. If this version is
    /// not known, or the todo is removed, it is enough that the line was shown for any version.
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
