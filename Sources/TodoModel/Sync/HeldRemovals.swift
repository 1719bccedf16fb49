/// The rules for removals by a save of a document (a list in the form of a Markdown file). If the
/// lines of some todos are missing from the saved document, these todos are removed. Such removals
/// are held: they are recorded, but not sent to the source immediately. The reason is that a cut
/// line is often pasted again, and that many missing lines may be a mistake.
package enum HeldRemovals {
  /// The time for which a removal is held.
  package static let milliseconds: Int64 = 60_000
  /// The maximum number of removals in one save that are held only for `milliseconds`. If a save
  /// has more removals, all of them are held until the user's action `sync`.
  package static let countMax = 10
}

extension DocumentReport {
  /// Returns the message about removals that are held until the user syncs; `nil` if there are
  /// none.
  package func heldRemovals(in list: TodoListKey) -> String? {
    guard !list.isLocal, removedCount > HeldRemovals.countMax else { return nil }
    return "\(removedCount) todos were removed in one save, so they stay at their source until you "
      + "sync: todo sync."
  }
}
