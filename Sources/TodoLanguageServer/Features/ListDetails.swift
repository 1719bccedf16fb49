import TodoModel
import TodoWorkflows

/// What is known of a list with a source that its document does not show: why a todo was refused,
/// and what a conflict began from. It is read anew when something has changed.
struct ListDetails: Sendable {
  private(set) var conflicts: [TodoID: SourceConflict] = [:]
  private(set) var failures: [TodoID: SyncFailure] = [:]
  /// Grows with each change of it.
  private(set) var changeCount = 0
  /// False for a list without a source, of which there is nothing to know.
  var hasSource = false

  private var areConflictsDue = true
  private var arePagesDue = true

  mutating func storeDidChange() { (areConflictsDue, arePagesDue) = (true, true) }

  /// What is to be asked next.
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
