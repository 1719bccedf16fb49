import TodoModel

/// The changes that a client watches, and the position up to which they were reported.
///
/// The changes are not queued in memory: they are read from the store's log, at the position, when
/// the client can receive them.
struct WatchedLog {
  /// The watched lists and the first position; `nil` until the client has the response to its
  /// request to watch, or if it watches none.
  private(set) var watched: WatchedChanges?
  private var position: Int64 = 0
  /// Whether the log may have more changes than were read.
  private(set) var hasMore = false

  private static let changesMax = 256

  /// Whether the client has requested to watch other lists, or none.
  func isBehind(_ wanted: WatchedChanges?) -> Bool { wanted != watched }

  mutating func follow(_ wanted: WatchedChanges?) {
    watched = wanted
    position = wanted?.position ?? 0
    hasMore = wanted != nil
  }

  /// Returns the next changes of the watched lists, in order.
  mutating func next(from feed: any ChangeFeed) throws(TodoError) -> [LoggedChange] {
    guard let watched else { return [] }
    // If the newest changes were deleted, later changes get the same positions again.
    position = min(position, try feed.endPosition())
    while true {
      let changes = try feed.changes(after: position, limit: Self.changesMax)
      position = changes.last?.position ?? position
      hasMore = changes.count == Self.changesMax
      let own = changes.filter { watched.lists.contains($0.list) }
      if !own.isEmpty || !hasMore { return own }
    }
  }
}
