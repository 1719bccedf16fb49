/// The unsaved text of an open form. It is a class, so that passing it on with each keypress is
/// cheap.
package final class UnsavedText: Sendable {
  package let draft: Draft
  /// The title of the todo.
  package let title: String
  /// The stored drafts from which the form was filled. They are discarded when the form's own draft
  /// is on disk.
  package let restored: [StoredDraft]

  package init(_ draft: Draft, title: String, restored: [StoredDraft] = []) {
    (self.draft, self.title, self.restored) = (draft, title, restored)
  }
}
