import TodoModel

/// The changes that a client watches, and the position of the last reported change.
///
/// Changes are not queued in memory. When the client can receive them, they are read from the
/// store's log of changes.
struct WatchedLog {
  /// The watched lists, and the position in the log at which watching began. `nil` if the client
  /// watches nothing, or if the response to its request has not been encoded yet.
  private(set) var watched: WatchedChanges?
  private var position: Int64 = 0
  /// Whether the log can contain more changes than were read.
  private(set) var hasMore = false

  private static let changesMax = 256

  /// Returns whether `wanted`, the latest request of the client, differs from `watched`.
  func isBehind(_ wanted: WatchedChanges?) -> Bool { wanted != watched }

  mutating func follow(_ wanted: WatchedChanges?) {
    watched = wanted
    position = wanted?.position ?? 0
    hasMore = wanted != nil
  }

  /// Returns the next changes of the watched lists, oldest first.
  mutating func next(from feed: any ChangeFeed) throws(TodoError) -> [LoggedChange] {
    guard let watched else { return [] }
    // After the newest changes were deleted, later changes reuse their positions.
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
