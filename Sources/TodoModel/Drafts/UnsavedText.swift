/// The unsaved text of an open form. It is passed on with each keypress, so it is a reference.
package final class UnsavedText: Sendable {
  package let draft: Draft
  /// The title of the todo.
  package let title: String
  /// The stored drafts that the form shows, and that are deleted when it is saved or discarded.
  package let restored: [StoredDraft]

  package init(_ draft: Draft, title: String, restored: [StoredDraft] = []) {
    (self.draft, self.title, self.restored) = (draft, title, restored)
  }
}
