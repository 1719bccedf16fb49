import TodoModel
import TodoWorkflows

/// The sync details that the document of a list does not show: why the source has refused todos,
/// and the bases of conflicts. The details are read again after each change of the store.
struct ListDetails: Sendable {
  private(set) var conflicts: [TodoID: SourceConflict] = [:]
  private(set) var failures: [TodoID: SyncFailure] = [:]
  /// A number that increases with each change of the details.
  private(set) var changeCount = 0
  /// Whether the list has a source. Other lists have no details.
  var hasSource = false

  private var areConflictsDue = true
  private var arePagesDue = true

  mutating func storeDidChange() { (areConflictsDue, arePagesDue) = (true, true) }

  /// Returns the next operation that reads details; `nil` if none is due.
  mutating func next() -> TodoOperation? {
    guard hasSource else { return nil }
    if areConflictsDue {
      areConflictsDue = false
      return .list(.ask(.conflicts(offset: 0, limit: nil)))
    }
    guard arePagesDue else { return nil }
    arePagesDue = false
    return .list(.page(TodoQuery(limit: .max, fields: [.id, .sync])))
  }

  mutating func record(_ outcome: TodoOutcome, of operation: TodoOperation) {
    let before = (conflicts, failures)
    switch outcome {
    case .answered(.conflicts(let page)):
      conflicts = Dictionary(page.conflicts.map { ($0.id, $0) }) { first, _ in first }
    case .page(let page, _):
      let failed = page.elements.compactMap { todo in todo.failure.map { (todo.id, $0) } }
      failures = Dictionary(failed) { first, _ in first }
    case _: break
    }
    if before.0 != conflicts || before.1 != failures { changeCount += 1 }
  }
}
