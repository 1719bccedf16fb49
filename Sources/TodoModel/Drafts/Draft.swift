/// A user's unsaved text of a todo: an unvalidated edit with the version on which it is based.
package struct Draft: Sendable, Equatable {
  package var base: EditBase
  package var edit: Edit

  /// The user's input, by the screen on which it was entered.
  package enum Edit: Sendable, Equatable {
    /// The changed fields, in the form of the todo.
    case fields(FieldChanges)
    /// The merged text, in the comparison of a conflict.
    case merged(String)
  }

  package init(base: EditBase, edit: Edit) {
    (self.base, self.edit) = (base, edit)
  }
}
