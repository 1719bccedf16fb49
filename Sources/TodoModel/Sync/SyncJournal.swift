/// The stored state of syncs: the items of sources, the changes to send, and the limits of hosts.
/// All servers that use the same store file share it. Each call is one transaction.
package protocol SyncJournal: Sendable {
  // MARK: Hosts

  /// Returns the stored rate limits of a host. For a host that was never contacted, the initial
  /// values of `HostRateLimit` are returned.
  func host(_ baseURL: String) throws(TodoError) -> HostRateLimit

  /// Prevents requests to a host until a time. A later time from an earlier call stays in effect,
  /// because a response that was already in flight when the limit was reached must not end the
  /// limit. No time can be later than `SyncEngine.limitEnd`.
  ///
  /// - Parameter consecutiveLimitCount: The number of rate limits in a row.
  func backOff(
    _ baseURL: String, until: Timestamp, consecutiveLimitCount: Int, at now: Timestamp
  ) throws(TodoError)

  /// Acquires or renews the lease for sending changes to a host.
  ///
  /// - Returns: `false` if another server has a lease that has not expired at `now`, and `isAlive`
  ///   returns `true` for that server.
  func acquireLease(
    _ baseURL: String, for owner: String, until: Timestamp, now: Timestamp,
    isAlive: (String) -> Bool
  ) throws(TodoError) -> Bool

  func endLease(_ baseURL: String, of owner: String) throws(TodoError)

  // MARK: Items of a source

  /// Returns the recorded state of a list's source, such as its last load.
  func remote(of list: TodoListKey) throws(TodoError) -> RemoteRecord

  /// Begins a load of the whole list, and returns the ID of the load.
  ///
  /// - Parameter fields: The fields of a todo that the source stores.
  func beginLoad(
    of list: TodoListKey, from address: RemoteAddress, storing fields: ContentFieldSet
  ) throws(TodoError) -> Int64

  /// Merges one page of remote items into the list. New items are added, unchanged items are
  /// skipped, and changed items are merged with the local todos by a three-way merge. Local changes
  /// are never overwritten.
  ///
  /// - Parameter load: The load to which the items belong. Its `next` is the link to the next page.
  ///   Without a load (`nil`), the items are changes since a cursor, or a single item that was read
  ///   separately and has left the source's list.
  func mergeRemote(
    _ items: [RemoteItem], of load: SourceLoad?, to list: TodoListKey
  ) throws(TodoError) -> MergeReport

  /// Removes the todos of items that the source has deleted. Todos with unsent edits stay and
  /// become `failed`.
  func mergeRemote(
    deleted keys: [String], to list: TodoListKey
  ) throws(TodoError) -> MergeReport

  /// Returns the keys of the stored items that a load has not contained so far, except the items of
  /// done todos and of todos with local changes. The item of a done todo is closed, so no load
  /// contains it.
  func missing(from loadID: Int64, of list: TodoListKey) throws(TodoError) -> [String]

  /// Ends a complete load. Removes from the list each todo whose item was not in the load, except
  /// todos with local changes and todos whose items a newer load has contained.
  func finishLoad(
    _ loadID: Int64, of list: TodoListKey, at now: Timestamp
  ) throws(TodoError)

  /// Records the cursor for the next request for changes; `nil` keeps the recorded cursor. The HTTP
  /// validator for this request, such as an ETag, is not written to disk.
  ///
  /// - Parameter loadEndedAt: The time at which a load of several pages ended, by the source's
  ///   clock. With `nil`, `RemoteRecord.loadTime` becomes `nil`.
  func record(
    cursor: String?, _ validator: RemoteValidator?, loadEndedAt: Timestamp?, at now: Timestamp,
    of list: TodoListKey
  ) throws(TodoError)

  /// Records the path to which a permanent redirect led.
  func record(path: String, of list: TodoListKey) throws(TodoError)

  /// Records whether the user has only read access to the list at its source.
  func record(isReadOnly: Bool, of list: TodoListKey) throws(TodoError)

  /// Returns the task lists of a user that the last discovery has found at a host.
  ///
  /// - Parameter host: The key that consists of the user's profile and the name of the host.
  func discoveredLists(at host: TodoListKey) throws(TodoError) -> [DiscoveredList]

  /// Records the lists that were found at a host. A list that no longer exists at the host stays
  /// recorded as long as it has unsent edits, conflicts or refused changes.
  func record(_ lists: [DiscoveredList], at host: TodoListKey) throws(TodoError)

  // MARK: Changes to send

  /// Returns the todos with local changes that were not sent yet, oldest change first.
  ///
  /// - Parameter failed: Whether to include todos that the source has refused.
  func outgoing(in list: TodoListKey, failed: Bool) throws(TodoError) -> [OutgoingTodo]

  /// Returns the current state of a todo with local changes; `nil` if there is nothing to send.
  func outgoing(_ id: TodoID, in list: TodoListKey) throws(TodoError) -> OutgoingTodo?

  /// Records a change before it is sent, and the time before which no other change may be sent to
  /// the host.
  ///
  /// - Parameters:
  ///   - marker: The marker of the item to create; `nil` for other changes.
  ///   - openUntil: The time by which the connection will be closed at the latest.
  func recordAttempt(
    _ write: RemoteWrite, _ content: TodoContent, marker: ItemMarker?, of id: TodoID,
    in list: TodoListKey, to host: String, openUntil: Timestamp, nextWriteAt: Timestamp
  ) throws(TodoError)

  /// Records that the response to a write was lost, so it is not known whether the write takes
  /// effect.
  func markUnconfirmed(_ id: TodoID, at now: Timestamp, in list: TodoListKey) throws(TodoError)

  /// Stores an item that the source returned for a todo. A todo without an item gets this item. If
  /// another todo of the list has this item and no unsent edits, the other todo is deleted first.
  /// If the other todo has unsent edits, it stays, and the item is not stored.
  ///
  /// - Parameter isAnswer: Whether the item is the response to a change. Otherwise, it was only
  ///   read.
  /// - Returns: The todo, if there is still something to send; otherwise `nil`.
  func recordReceived(
    _ item: RemoteItem, for id: TodoID, isAnswer: Bool, in list: TodoListKey
  ) throws(TodoError) -> OutgoingTodo?

  /// Stores all labels of a todo's item, which the source returned after a change of one label.
  ///
  /// - Returns: The todo, if there is still something to send; otherwise `nil`.
  func recordReceived(
    labels: LabelSet, for id: TodoID, in list: TodoListKey
  ) throws(TodoError) -> OutgoingTodo?

  /// Sets the time before which no other change may be sent to a host. Called after the response to
  /// a change.
  func delayNextWrite(to host: String, until instant: Timestamp) throws(TodoError)

  /// Records that a write had no effect at the source, so that it is sent again.
  func requeue(_ id: TodoID, in list: TodoListKey) throws(TodoError)

  /// Removes a todo, because the source no longer has its item.
  ///
  /// - Returns: `false` if the todo has unsent edits; it is then not removed.
  func confirmDeletion(_ id: TodoID, in list: TodoListKey) throws(TodoError) -> Bool

  /// Marks a todo as `failed`, because the source has refused it.
  ///
  /// - Parameter keepsSent: Whether the write stays recorded as sent; `true` if it may have reached
  ///   the source.
  func recordFailure(
    _ failure: SyncFailure, _ id: TodoID, keepsSent: Bool, in list: TodoListKey
  ) throws(TodoError)

  /// Edits a todo whose item no longer exists at the source. The next sync creates a new item for
  /// it.
  ///
  /// - Throws: The errors of `TodoStore.edit`.
  func createAgain(
    _ id: TodoID, _ edit: TodoEdit, in list: TodoListKey
  ) throws(TodoError) -> Todo

  // MARK: Labels

  /// Returns the time at which the source's list of labels was last read; `nil` if it never was.
  func labelsReadAt(of list: TodoListKey) throws(TodoError) -> Timestamp?

  /// Replaces the stored list of the labels that the source's items can have.
  func record(labels: LabelSet, at now: Timestamp, of list: TodoListKey) throws(TodoError)

  // MARK: Conflicts

  /// Returns a page of the todos that are in conflict with their source, and the total number of
  /// such todos.
  func conflicts(
    offset: Int, limit: Int, in list: TodoListKey
  ) throws(TodoError) -> (conflicts: [SourceConflict], total: Int)

  /// Returns the conflict of a todo with its source; `nil` without a conflict.
  func conflict(of id: TodoID, in list: TodoListKey) throws(TodoError) -> SourceConflict?

  /// Resolves the conflict of a todo with its source.
  ///
  /// - Throws: `notFound`; `conflict` if the todo has another version, or is not in conflict.
  func resolve(
    _ id: TodoID, version: Int64, to resolution: Resolution, in list: TodoListKey
  ) throws(TodoError) -> Todo

  /// Returns how many todos of a list are pending, in conflict or failed.
  func counts(of list: TodoListKey) throws(TodoError) -> SyncCounts
}

/// The rate limits of a host. All servers that use the same store file respect them.
package struct HostRateLimit: Sendable, Equatable {
  /// The time before which no request may be sent.
  package var nextRequestAt: Timestamp?
  /// The number of rate limits in a row.
  package var consecutiveLimitCount = 0
  /// The time before which no change may be sent; `nil` without a limit.
  package var nextWriteAt: Timestamp?

  package init() {}
}

/// The stored state of a list's source.
package struct RemoteRecord: Sendable, Equatable {
  /// The URL of the host from which the list was loaded; `nil` before the first load.
  package var baseURL: String?
  package var path: String?
  package var cursor: String?
  package var validator: RemoteValidator?
  /// The load that has not finished; `nil` if there is none.
  package var unfinished: SourceLoad?
  /// The number of loads so far, including one that has not finished.
  package var loadCount: Int64 = 0
  /// The time at which the whole list was last loaded.
  package var loadedAt: Timestamp?
  /// Whether the whole list must be loaded. If a load is unfinished, that load continues;
  /// otherwise, a new load starts.
  package var isLoadDue = false
  /// The time range of the last load of several pages, by the source's clock. Such a load can miss
  /// items, because pages may shift. The range becomes `nil` when it is certain that the load has
  /// missed no items.
  package var loadTime: ClosedRange<Timestamp>?
  /// The time at which all changes of the source were last loaded.
  package var syncedAt: Timestamp?
  /// Whether the user has only read access to the list.
  package var isReadOnly = false

  package init() {}

  /// Whether the whole list was loaded at least once.
  package var isComplete: Bool { syncedAt != nil }
}

/// The progress of a load of the whole list.
package struct SourceLoad: Sendable, Equatable {
  /// The number of the load. Later loads of a list have greater numbers.
  package var id: Int64
  /// The link to the next page; `nil` after the last page.
  package var next: PageLink?
  package var pageCount: Int
  /// The cursor for the first request for changes after the load.
  package var cursor: String?
  /// The time at which the source sent the first page, by the source's clock.
  package var startedAt: Timestamp?

  package init(
    id: Int64, next: PageLink? = nil, pageCount: Int = 0, cursor: String? = nil,
    startedAt: Timestamp? = nil
  ) {
    self.startedAt = startedAt
    self.id = id
    self.next = next
    self.pageCount = pageCount
    self.cursor = cursor
  }
}

/// The effect of merging remote items.
package struct MergeReport: Sendable, Equatable {
  /// The number of todos that were added, changed or removed.
  package var changed = 0
  /// The number of todos that had changed on both sides, and were merged.
  package var merged = 0
  /// The number of todos that are newly in conflict.
  package var conflicts = 0

  package init() {}
}

/// The kind of a change that is sent to a source.
package enum RemoteWrite: String, Sendable, CaseIterable {
  case create, change, close
}

/// A todo with local changes to send to its source.
package struct OutgoingTodo: Sendable, Equatable {
  package var id: TodoID
  /// The key of the todo's item; `nil` if the source has no item yet.
  package var key: String?
  package var content: TodoContent
  /// The content of the item as last received from the source; `nil` without an item.
  package var base: TodoContent?
  package var isRemoved: Bool
  package var sync: SyncState
  /// The last write, if its outcome is unknown; otherwise `nil`.
  package var sent: RemoteWrite?
  /// The time by which the connection of the last write is closed at the latest.
  package var openUntil: Timestamp?
  /// The marker in the last write, if this write creates an item; otherwise `nil`.
  package var marker: ItemMarker?
  package var sentContent: TodoContent?
  /// Whether the removal of the todo is held: recorded, but not sent yet (see `HeldRemovals`).
  package var isHeld = false
  /// The marker with which this todo was exported; `nil` if it was not exported. Another store may
  /// have created the todo's item with this marker.
  package var exported: ExportedMarker?

  package init(
    id: TodoID, key: String?, content: TodoContent, base: TodoContent?, isRemoved: Bool,
    sync: SyncState, sent: RemoteWrite? = nil, openUntil: Timestamp? = nil,
    marker: ItemMarker? = nil, sentContent: TodoContent? = nil, exported: ExportedMarker? = nil
  ) {
    self.sentContent = sentContent
    self.id = id
    self.key = key
    self.content = content
    self.base = base
    self.isRemoved = isRemoved
    self.sync = sync
    self.sent = sent
    self.openUntil = openUntil
    self.marker = marker
    self.exported = exported
  }
}

/// The marker of a todo that was exported before it was sent. Each store with such a todo first
/// searches the source for the marker, so that only one store creates the item.
package struct ExportedMarker: Sendable, Equatable {
  package var marker: ItemMarker
  /// The time of the first export. The item cannot have been created before.
  package var since: Timestamp

  package init(_ marker: ItemMarker, since: Timestamp) {
    self.marker = marker
    self.since = since
  }
}

/// A todo that has changed both locally and at its source, in ways that cannot be merged.
package struct SourceConflict: Sendable, Equatable {
  package var id: TodoID
  package var version: Int64
  package var merge: Merge

  package init(id: TodoID, version: Int64, merge: Merge) {
    self.id = id
    self.version = version
    self.merge = merge
  }
}

/// The user's resolution of a conflict.
package enum Resolution: Sendable, Equatable {
  case keep(Merge.Side)
  /// The proposal of the merge (`Merge.proposal`), with the user's edit applied. The expected
  /// version of the edit is ignored.
  case merged(TodoEdit)

  /// Returns the resolution with the user's input, such as `tomorrow`, converted to values.
  ///
  /// - Parameter today: The day to which relative dates refer.
  /// - Throws: `validation` if the input is invalid.
  package func resolved(on today: CivilDay) throws(TodoError) -> Resolution {
    switch self {
    case .keep: self
    case .merged(let edit): .merged(try edit.resolved(on: today))
    }
  }
}

/// The numbers of a list's todos that differ from their source, by state.
package struct SyncCounts: Sendable, Equatable {
  package var pending = 0
  package var conflicts = 0
  package var failed = 0

  package init(pending: Int = 0, conflicts: Int = 0, failed: Int = 0) {
    self.pending = pending
    self.conflicts = conflicts
    self.failed = failed
  }
}
