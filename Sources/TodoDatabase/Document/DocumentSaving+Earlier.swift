import TodoModel

/// Determines where the content of a saved line comes from: the user typed it, or an earlier
/// generation (recorded version) of the document showed it.
extension DocumentSaving {
  enum EditOrigin {
    /// The user typed the content. Content that an earlier generation (recorded version) of the
    /// document showed counts as typed in two cases, because the user has then put it back:
    /// - Only saved documents have changed the todo since the content was shown.
    /// - A saved document had removed the todo.
    case typed
    /// The content was shown by a generation (recorded version) of the document that is older than
    /// the base of the edit. At least one change of the todo since then did not come from a
    /// document. The line may be from an outdated buffer.
    case earlier
    /// The document has already shown the same line, either for the base version (the version of
    /// the todo on which the line is based) or for a later version. Therefore, the line is not an
    /// edit, and is ignored. If the base version is not known, or the todo is removed, a line that
    /// the document showed for any version is ignored.
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
