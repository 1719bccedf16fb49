import TodoModel

extension TodoForm {
  /// The form's texts as a front-end has sent them.
  struct Sent: Sendable, Equatable {
    var base: FormBase
    var changes: FieldChanges
  }

  /// A save after which the form stays open.
  struct LastSave: Sendable, Equatable {
    /// The versions on which the saved text was based; `nil` if it was saved as a new todo.
    private let versions: ClosedRange<Int64>?
    /// The new base for text that the user typed during the save.
    let base: FormBase

    /// Creates a record of a save that has stored the text of `form` in `todo`. `todo` is the todo
    /// of the form, or a new todo.
    init(_ form: TodoForm, _ todo: Todo, _ edit: TodoEdit?) {
      base = form.base(afterSaving: edit, as: todo)
      versions = form.todo.id == todo.id ? form.baseVersions : nil
    }

    /// Returns the base for text that a front-end has sent with the base `sent`. If the front-end
    /// has not read the response to the save yet, `sent` is the base from before the save. The
    /// result is then the new base; otherwise it is `sent`.
    func base(of sent: FormBase) -> FormBase {
      versions?.contains(sent.newestVersion) == true ? base : sent
    }
  }

  /// Returns the new base for text that the user typed during a save.
  ///
  /// For a field whose stored value the user has seen, the base is the version that the save has
  /// stored. The user has not seen the stored values of fields that another client has changed
  /// before the save. For these fields, the base that the front-end has sent remains. If the text
  /// was saved as a new todo, the base of these fields is unknown.
  private func base(afterSaving edit: TodoEdit?, as stored: Todo) -> FormBase {
    let newest = FormBase(EditBase(list: list, id: stored.id, version: stored.version))
    let sent = sent ?? Sent(base: formBase, changes: edits)
    let seen = ContentField.inForm.filter { hasSeen($0, of: stored, after: edit, sent) }
    if seen.count == ContentField.inForm.count { return newest }
    var base = newest
    base.newer = seen.isEmpty ? nil : .init(ContentFieldSet(seen), version: stored.version)
    let older = min(sent.base.edit.version, editBase.version)
    base.edit.version = stored.id == todo.id ? older : 0
    if edit?.changes.fields.contains(.labels) == true, !seen.contains(.labels) {
      // No version has only the labels that the user has saved. Without a base, labels that the
      // user typed during the save are added.
      base.edit.version = 0
      let others = ContentField.inForm.filter { $0 != .labels }
      base.newer = base.newer ?? .init(ContentFieldSet(others), version: older)
    }
    return base
  }

  /// Returns whether the user has seen the stored value of a field. This is the case if the
  /// front-end has sent this value, or has shown a version with this value.
  private func hasSeen(
    _ field: ContentField, of stored: Todo, after edit: TodoEdit?, _ sent: Sent
  ) -> Bool {
    if let edit, edit.changes.fields.contains(field) {
      let content = edit.changes.applied(to: baseContent ?? TodoContent())
      return content[field] == stored.content[field]
    }
    if sent.changes.fields.contains(field) {
      return sent.changes.isSame(field, as: stored.content)
    }
    if edits.fields.contains(field) { return edits.isSame(field, as: stored.content) }
    // After the response to an earlier save, the front-end showed the newest version of each field
    // that the user had not edited. But it may not have shown an optional field.
    let shown = field.isOptional ? sent.base.version(of: [field]) : sent.base.newestVersion
    let content =
      baseVersions.contains(shown) ? baseContent : shown == todo.version ? todo.content : nil
    return content.map { $0[field] == stored.content[field] } ?? false
  }
}
