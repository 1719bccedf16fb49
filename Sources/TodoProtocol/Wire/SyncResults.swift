import JSONRPC
import TodoModel
import TodoWorkflows

/// What a sync has done, or would send.
struct SyncResult: WrittenObject {
  var report: SyncReport
  var plan: [PlannedWrite]?
  var revision: Int64

  static let sample = SyncResult(report: SyncReport(), revision: 0)

  func writeMembers(to members: inout some MemberOutput) {
    members.required("pushed", report.pushed)
    members.required("pulled", report.pulled)
    members.required("merged", report.merged)
    members.required("conflicts", report.conflicts)
    members.required("failed", report.failed)
    members.optional("retryAt", report.retryAt)
    members.optional("plan", plan)
    members.required("revision", revision)
  }
}

extension SyncReport.Failed: WrittenObject {
  static let sample = SyncReport.Failed(id: TodoID(""), title: "", failure: .sample)

  func writeMembers(to members: inout some MemberOutput) {
    members.required("id", id)
    members.required("title", title)
    members.required("kind", failure.kind)
    members.required("message", failure.message)
  }
}

extension PlannedWrite: WrittenObject {
  static let sample = PlannedWrite(id: TodoID(""), what: .change, fields: [])

  func writeMembers(to members: inout some MemberOutput) {
    members.required("id", id)
    members.optional("number", key.flatMap { Int64($0) })
    members.required("what", what)
    members.required("fields", fields)
  }
}

extension RemoteWrite: WrittenWord {}
extension ContentField: WrittenWord {}

/// Some of what was changed both here and at the source.
struct ConflictsResult: WrittenObject {
  var page: ConflictPage

  static let sample = ConflictsResult(page: ConflictPage(conflicts: [], total: 0))

  func writeMembers(to members: inout some MemberOutput) {
    members.required("conflicts", page.conflicts)
    members.required("total", page.total)
  }
}

extension SourceConflict: WrittenObject {
  static let sample = SourceConflict(
    id: TodoID(""), version: 0, merge: Merge(base: nil, mine: .sample, theirs: .sample))

  func writeMembers(to members: inout some MemberOutput) {
    members.required("id", id)
    members.required("version", version)
    members.required("base", merge.base)
    members.required("mine", merge.mine)
    members.required("theirs", merge.theirs)
    members.required("merged", merge.proposal)
    members.required("fields", merge.conflicts)
  }
}

/// Which lists there are.
struct ListsResult: WrittenObject {
  var lists: [ListSummary]

  static let sample = ListsResult(lists: [])

  func writeMembers(to members: inout some MemberOutput) {
    members.required("lists", lists)
  }
}

extension ListSummary: WrittenObject {
  static let sample = ListSummary(source: "", total: 0, counts: SyncCounts(), isOpen: true)

  func writeMembers(to members: inout some MemberOutput) {
    members.required("source", source)
    members.required("total", total)
    members.required("pending", counts.pending)
    members.required("conflicts", counts.conflicts)
    members.required("open", isOpen)
  }
}

/// The list that is open now.
struct OpenedList: WrittenObject {
  var source: String
  var revision: Int64

  static let sample = OpenedList(source: "", revision: 0)

  func writeMembers(to members: inout some MemberOutput) {
    members.required("source", source)
    members.required("revision", revision)
  }
}
