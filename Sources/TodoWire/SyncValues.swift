import JSONRPC
import TodoModel

extension SyncReport {
  /// Writes the members for the result of a sync, in the form that all adapters use. `plan` is the
  /// result of a dry run; otherwise `nil`.
  package func writeMembers(to members: inout some MemberOutput & ~Copyable, plan: [PlannedWrite]?)
  {
    members.required("pushed", pushed)
    members.required("pulled", pulled)
    members.required("merged", merged)
    members.required("conflicts", conflicts)
    members.required("failed", failed)
    members.optional("retryAt", retryAt)
    members.optional("plan", plan)
  }
}

extension SyncReport.Failed: WrittenObject {
  package static let sample = SyncReport.Failed(id: TodoID(""), title: "", failure: .sample)

  package func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("id", id)
    members.required("title", title)
    members.required("kind", failure.kind)
    members.required("message", failure.message)
  }
}

extension PlannedWrite: WrittenObject {
  package static let sample = PlannedWrite(id: TodoID(""), kind: .change, fields: [])

  package func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("id", id)
    members.optional("number", key.flatMap { Int64($0) })
    members.required("what", kind)
    members.required("fields", fields)
  }
}

extension RemoteWrite: WrittenEnumValue {}
extension ContentField: WrittenEnumValue {}

extension SourceConflict: WrittenObject {
  package static let sample = SourceConflict(
    id: TodoID(""), version: 0, merge: Merge(base: nil, mine: .sample, theirs: .sample))

  package func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("id", id)
    members.required("version", version)
    members.required("base", merge.base)
    members.required("mine", merge.mine)
    members.required("theirs", merge.theirs)
    members.required("merged", merge.proposal)
    members.required("fields", merge.conflicts)
  }
}

extension RestoredTodo.Change: WrittenEnumValue {
  package static var isOpen: Bool { true }
  package static var definition: SchemaDefinition? {
    SchemaDefinition("changeKind", "The kind of a change.")
  }
}
