import JSONRPC
import TodoModel
import TodoWire
import TodoWorkflows

/// The result of `listDrafts`: the unsaved texts of a list, newest first.
struct DraftsResult: WrittenObject {
  var drafts: [StoredDraft]

  static let sample = DraftsResult(drafts: [])

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("drafts", drafts)
  }
}

extension DraftsResult: MethodResult {
  init?(_ outcome: TodoOutcome, at context: ResponseContext) {
    guard case .answered(.drafts(let drafts)) = outcome else { return nil }
    self.init(drafts: drafts)
  }
}

extension StoredDraft: WrittenObject {
  package static let definition: SchemaDefinition? = SchemaDefinition(
    "draft", "An unsaved text of a todo, which an ended session has left.")
  package static let sample = StoredDraft(
    number: 0,
    draft: Draft(
      base: EditBase(
        list: TodoListKey(profile: "", source: ""), id: TodoID(""), version: 0),
      edit: .merged("")),
    typedAt: Timestamp(milliseconds: 0), title: "")

  package func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("number", number)
    members.required("id", draft.base.id)
    members.required("version", draft.base.version)
    members.required("title", title)
    members.required("typedAt", typedAt)
    members.optional("fields", ChangedFields(draft.edit))
    members.optional("merged", mergedText)
  }

  private var mergedText: String? {
    if case .merged(let text, _) = draft.edit { text } else { nil }
  }
}

/// The fields that the user has changed in a form, with their texts. If the draft is the merged
/// text of a conflict, these are the fields of the edit that could not be stored because of the
/// conflict.
private struct ChangedFields: WrittenObject {
  var changes: FieldChanges

  static let sample = ChangedFields(changes: FieldChanges())

  init(changes: FieldChanges) { self.changes = changes }

  init?(_ edit: Draft.Edit) {
    switch edit {
    case .fields(let changes): self.init(changes: changes)
    case .merged(_, let mine):
      guard let mine else { return nil }
      self.init(changes: mine.changes)
    }
  }

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    for field in ContentField.allCases {
      let isTyped = changes.fields.contains(field)
      members.optional(
        field.name, isTyped ? changes.text(of: field, in: changes.values) : nil)
    }
  }
}
