import JSONRPC
import TodoModel
import TodoWire
import TodoWorkflows

/// The result of `syncTodos`: a report on the sync or, for a dry run, the changes that a sync would
/// send.
struct SyncResult: WrittenObject {
  var report: SyncReport
  var plan: [PlannedWrite]?
  var revision: Int64

  static let sample = SyncResult(report: SyncReport(), revision: 0)

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    report.writeMembers(to: &members, plan: plan)
    members.required("revision", revision)
  }
}

extension SyncResult: MethodResult {
  init?(_ outcome: TodoOutcome, at context: ResponseContext) {
    switch outcome {
    case .synced(let report): self.init(report: report, revision: context.revision)
    case .answered(.planned(let plan)):
      self.init(report: SyncReport(), plan: plan, revision: context.revision)
    case _: return nil
    }
  }

  static func estimatedByteCount(of outcome: TodoOutcome) -> Int {
    switch outcome {
    case .synced(let report): 256 + 512 * report.failed.count
    case .answered(.planned(let plan)): 256 + 128 * plan.count
    case _: 256
    }
  }
}

/// The result of `listConflicts`: a page of the todos that are in conflict with the source.
struct ConflictsResult: WrittenObject {
  var page: ConflictPage

  static let sample = ConflictsResult(page: ConflictPage(conflicts: [], total: 0))

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("conflicts", page.conflicts)
    members.required("total", page.total)
  }
}

extension ConflictsResult: MethodResult {
  init?(_ outcome: TodoOutcome, at context: ResponseContext) {
    guard case .answered(.conflicts(let page)) = outcome else { return nil }
    self.init(page: page)
  }

  static func estimatedByteCount(of outcome: TodoOutcome) -> Int {
    guard case .answered(.conflicts(let page)) = outcome else { return 256 }
    return page.conflicts.reduce(256) { $0 + $1.merge.estimatedByteCount }
  }
}

/// The result of `listLists`.
struct ListsResult: WrittenObject {
  var lists: [ListSummary]

  static let sample = ListsResult(lists: [])

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("lists", lists)
  }
}

extension ListsResult: MethodResult {
  init?(_ outcome: TodoOutcome, at context: ResponseContext) {
    guard case .lists(let lists) = outcome else { return nil }
    self.init(lists: lists)
  }
}

extension ListSummary: WrittenObject {
  package static let definition: SchemaDefinition? = SchemaDefinition(
    "listSummary", "A list of the user, with the number of its todos.")
  package static let sample = ListSummary(source: "", total: 0, counts: SyncCounts(), isOpen: true)

  package func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("source", source)
    members.optional("title", title)
    members.optional("filter", filter)
    members.flag("readOnly", isReadOnly)
    members.required("fields", fields)
    members.required("total", total)
    members.required("pending", counts.pending)
    members.required("conflicts", counts.conflicts)
    members.optional("failed", failure)
    members.required("open", isOpen)
  }
}

/// The result of `openList`: the list that is now open.
struct OpenedList: WrittenObject {
  var source: String
  var revision: Int64

  static let sample = OpenedList(source: "", revision: 0)

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("source", source)
    members.required("revision", revision)
  }
}

extension OpenedList: MethodResult {
  init?(_ outcome: TodoOutcome, at context: ResponseContext) {
    guard case .listOpened(let source) = outcome else { return nil }
    self.init(source: source, revision: context.revision)
  }
}

extension Merge {
  /// An estimate of the encoded size, in bytes.
  fileprivate var estimatedByteCount: Int {
    // The proposal is about as long as both sides together.
    256 + (base?.estimatedByteCount ?? 0) + 2
      * (mine.estimatedByteCount + theirs.estimatedByteCount)
  }
}
