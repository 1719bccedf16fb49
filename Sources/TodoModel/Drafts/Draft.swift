/// The unsaved text of a form: an edit that is not validated, with the version on which it is
/// based.
package struct Draft: Sendable, Equatable {
  package var base: EditBase
  package var edit: Edit

  /// The user's input. Each case is for one screen on which the user enters text.
  package enum Edit: Sendable, Equatable {
    /// The changed fields of the form for a todo.
    case fields(FieldChanges)
    /// The merged text, from the screen that compares the texts of a conflict. `mine` is the user's
    /// edit that could not be stored because of the conflict; `nil` if there is none, such as in a
    /// conflict with the source.
    case merged(String, mine: ConflictingEdit? = nil)
  }

  /// A user's edit that could not be stored because of a conflict.
  package struct ConflictingEdit: Sendable, Equatable {
    package var changes: FieldChanges
    /// The version of the todo that the user has edited; 0 if it is not known.
    package var version: Int64

    package init(changes: FieldChanges, version: Int64) {
      (self.changes, self.version) = (changes, version)
    }
  }

  package init(base: EditBase, edit: Edit) {
    (self.base, self.edit) = (base, edit)
  }
}
