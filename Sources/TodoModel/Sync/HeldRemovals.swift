/// The rules for removals that a saved document has made. They are held: recorded, but not sent to
/// the source immediately. The reason is that a cut line is often pasted again, and that many
/// missing lines may be a mistake.
package enum HeldRemovals {
  /// The time for which a removal is held.
  package static let milliseconds: Int64 = 60_000
  /// The maximum number of removals in one save that are sent once `milliseconds` have passed. If a
  /// save has more, none of them is sent before the user's action `sync`.
  package static let countMax = 10
}

extension DocumentReport {
  /// The message about removals that are held until a sync; `nil` if there are none.
  package func heldRemovals(in list: TodoListKey) -> String? {
    guard !list.isLocal, removedCount > HeldRemovals.countMax else { return nil }
    return "\(removedCount) todos were removed in one save, so they stay at their source until you "
      + "sync: todo sync."
  }
}
