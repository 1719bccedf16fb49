/// A user's unsaved text of a todo: an unvalidated edit with the version on which it is based.
package struct Draft: Sendable, Equatable {
  package var base: EditBase
  package var edit: Edit

  /// The form of the text, which names the screen that edits it.
  package enum Edit: Sendable, Equatable {
    /// The fields that the user changed.
    case fields(FieldChanges)
    /// The merged text of a comparison.
    case merged(String)
  }

  package init(base: EditBase, edit: Edit) {
    (self.base, self.edit) = (base, edit)
  }
}
