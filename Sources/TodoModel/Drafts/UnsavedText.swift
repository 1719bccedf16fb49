/// The unsaved text of an open form. It is a class, because it is passed on with each keypress.
package final class UnsavedText: Sendable {
  package let draft: Draft
  /// The title of the todo.
  package let title: String
  /// The stored drafts that the form continues. They are discarded once its text is durable.
  package let restored: [StoredDraft]

  package init(_ draft: Draft, title: String, restored: [StoredDraft] = []) {
    (self.draft, self.title, self.restored) = (draft, title, restored)
  }
}
