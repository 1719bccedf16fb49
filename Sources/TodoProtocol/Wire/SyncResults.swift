import JSONRPC
import TodoModel
import TodoWire
import TodoWorkflows

/// What a sync has done, or would send.
struct SyncResult: WrittenObject {
  var report: SyncReport
  var plan: [PlannedWrite]?
  var revision: Int64

  static let sample = SyncResult(report: SyncReport(), revision: 0)

  func writeMembers(to members: inout some MemberOutput) {
    report.writeMembers(to: &members, plan: plan)
    members.required("revision", revision)
  }
}

/// Some of what was changed both here and at the source.
struct ConflictsResult: WrittenObject {
  var page: ConflictPage

  static let sample = ConflictsResult(page: ConflictPage(conflicts: [], total: 0))

  func writeMembers(to members: inout some MemberOutput) {
    members.required("conflicts", page.conflicts)
    members.required("total", page.total)
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
  package static let sample = ListSummary(source: "", total: 0, counts: SyncCounts(), isOpen: true)

  package func writeMembers(to members: inout some MemberOutput) {
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
