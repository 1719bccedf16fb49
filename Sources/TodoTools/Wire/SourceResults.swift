import JSONRPC
import TodoModel
import TodoWire
import TodoWorkflows

/// The result of `settle_conflict`: the todo, if the user chose a side.
struct SettledConflict: ToolResult {
  var todo: BriefTodo?

  static let sample = SettledConflict(todo: .sample)

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("settled", todo != nil)
    members.optional("todo", todo)
  }

  var text: String {
    todo.map { "Settled by the user: \($0.text)" }
      ?? "Not settled: the user chose no side. The conflict is unchanged."
  }
}

/// The result of `sync`: the effect of the sync, or the planned writes of a dry run.
struct SyncedList: ToolResult {
  private let report: SyncReport
  private let plan: [PlannedWrite]?
  /// The number of failures or planned writes that are left out to keep the response small.
  private let omittedCount: Int

  static let sample = SyncedList(report: SyncReport())

  init(report: SyncReport, plan: [PlannedWrite]? = nil) {
    var (budget, shown) = (ResponseBudget(), report)
    shown.failed = budget.prefix(of: report.failed, text: Self.text)
    self.plan = plan.map { budget.prefix(of: $0, text: Self.text) }
    self.report = shown
    omittedCount =
      report.failed.count - shown.failed.count + (plan?.count ?? 0) - (self.plan?.count ?? 0)
  }

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    report.writeMembers(to: &members, plan: plan)
    members.optional("omitted", omittedCount == 0 ? nil : omittedCount)
  }

  private static func text(_ failed: SyncReport.Failed) -> String {
    "Refused: \(quoted(failed.title)): \(quoted(failed.failure.message))"
  }

  private static func text(_ write: PlannedWrite) -> String {
    "\(write.kind.rawValue) \(shown(write.id))"
  }

  var text: String {
    let omitted = omittedCount == 0 ? "" : " \(omittedCount) more are not shown."
    if let plan {
      let writes = plan.map(Self.text)
      return plan.isEmpty
        ? "Nothing would be sent." : "Would be sent: \(writes.joined(separator: ", "))" + omitted
    }
    var lines = [
      "Sent \(report.pushed), fetched \(report.pulled), merged \(report.merged), "
        + "new conflicts \(report.conflicts).\(omitted)"
    ]
    lines += report.failed.map(Self.text)
    if let retryAt = report.retryAt { lines.append("The source allows the next at \(retryAt).") }
    return lines.joined(separator: "\n")
  }
}

/// The result of `list_conflicts`: a page of the todos that were changed both locally and at the
/// source.
struct ListedConflicts: ToolResult {
  private let conflicts: [ShownConflict]
  private let total: Int
  private let offset: Int

  static let sample = ListedConflicts(page: ConflictPage(conflicts: [], total: 0))

  init(page: ConflictPage, offset: Int = 0) {
    var budget = ResponseBudget()
    conflicts = budget.prefix(of: page.conflicts.map { ShownConflict($0) }) { $0.text }
    (total, self.offset) = (page.total, offset)
  }

  /// The offset of the next page; `nil` on the last page.
  private var nextOffset: Int? {
    let next = offset + conflicts.count
    return !conflicts.isEmpty && next < total ? next : nil
  }

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("conflicts", conflicts)
    members.required("total", total)
    members.optional("nextOffset", nextOffset)
  }

  var text: String {
    let next = nextOffset.map { "; continue with offset \($0)" } ?? ""
    return (["\(conflicts.count) of \(total) conflicts\(next)."] + conflicts.map(\.text))
      .joined(separator: "\n")
  }
}

/// A conflict, with the beginnings of its notes.
private struct ShownConflict: WrittenObject {
  private let conflict: SourceConflict
  private let sides: ShownSides
  private let merged: TodoContent

  static let sample = ShownConflict(.sample)

  init(_ conflict: SourceConflict) {
    self.conflict = conflict
    let merge = conflict.merge
    sides = ShownSides(base: merge.base, mine: merge.mine, theirs: merge.theirs)
    var merged = merge.proposal
    _ = merged.truncateNote()
    self.merged = merged
  }

  var isTruncated: Bool { sides.isTruncated }

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("id", conflict.id)
    members.required("version", conflict.version)
    members.required("base", sides.base)
    members.required("mine", sides.mine)
    members.required("theirs", sides.theirs)
    members.required("merged", merged)
    members.required("fields", conflict.merge.conflicts)
    members.flag("notesCut", isTruncated)
  }

  var text: String {
    "- id \(shown(conflict.id)), version \(conflict.version)\n" + sides.text(indent: "    ")
  }
}

/// The sides of a conflict, with the beginnings of their notes.
struct ShownSides {
  private(set) var base: TodoContent?
  private(set) var mine: TodoContent
  private(set) var theirs: TodoContent
  private(set) var isTheirsTruncated: Bool
  private(set) var isTruncated: Bool

  init(base: TodoContent?, mine: TodoContent, theirs: TodoContent) {
    var (base, mine, theirs) = (base, mine, theirs)
    isTheirsTruncated = theirs.truncateNote()
    isTruncated = [base?.truncateNote() ?? false, mine.truncateNote(), isTheirsTruncated]
      .contains(true)
    (self.base, self.mine, self.theirs) = (base, mine, theirs)
  }

  func text(indent: String) -> String {
    [
      "base: \(base?.text ?? "not known any more")", "mine: \(mine.text)", "theirs: \(theirs.text)",
    ].map { indent + $0 }.joined(separator: "\n")
  }
}
