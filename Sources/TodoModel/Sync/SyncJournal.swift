/// The state of syncs in a store: the items of a source, the changes to send, and the limits that
/// all servers on one file must respect. Each call is one transaction.
package protocol SyncJournal: Sendable {
  // MARK: Hosts

  /// Returns the stored rate limits of a host; the initial ones for a host that was never
  /// contacted.
  func host(_ baseURL: String) throws(TodoError) -> HostRateLimit

  /// Prevents requests to a host until a time. A later time from an earlier call stays in effect,
  /// because a response that was in flight when the limit was reached does not end the limit. No
  /// time is later than `SyncEngine.limitEnd`.
  ///
  /// - Parameter limitCount: The number of rate limits in a row.
  func backOff(
    _ baseURL: String, until: Timestamp, limitCount: Int, at now: Timestamp
  ) throws(TodoError)

  /// Acquires or renews the lease for sending changes to a host.
  ///
  /// - Returns: `false` if another server has the lease: it has not expired at `now` and its owner
  ///   `isAlive`.
  func acquireLease(
    _ baseURL: String, for owner: String, until: Timestamp, now: Timestamp,
    isAlive: (String) -> Bool
  ) throws(TodoError) -> Bool

  func endLease(_ baseURL: String, of owner: String) throws(TodoError)

  // MARK: Items of a source

  /// Returns the state of the last load of a list.
  func remote(of list: TodoListKey) throws(TodoError) -> RemoteRecord

  /// Begins a load of the whole list, and returns the ID of the load.
  ///
  /// - Parameter fields: The fields of a todo that the source stores.
  func beginLoad(
    of list: TodoListKey, from address: RemoteAddress, storing fields: ContentFieldSet
  ) throws(TodoError) -> Int64

  /// Merges one page of remote items into the list. Adds new items, skips unchanged ones and
  /// three-way merges changed ones; local changes are never overwritten.
  ///
  /// - Parameter load: The load that the items belong to, with its next page; `nil` for changes.
  func mergeRemote(
    _ items: [RemoteItem], of load: SourceLoad?, to list: TodoListKey
  ) throws(TodoError) -> MergeReport

  /// Removes the todos of items that the source has deleted. Todos with unsent edits stay and
  /// become `failed`.
  func mergeRemote(
    deleted keys: [String], to list: TodoListKey
  ) throws(TodoError) -> MergeReport

  /// Returns the keys of the items that a load has not contained so far. Only the items of open
  /// todos without local changes count: the item of a done todo is closed, so no load contains it.
  func missing(from loadID: Int64, of list: TodoListKey) throws(TodoError) -> [String]

  /// Ends a complete load: todos that it did not contain leave the list, unless they have local
  /// changes or a newer load has contained them.
  func finishLoad(
    _ loadID: Int64, of list: TodoListKey, at now: Timestamp
  ) throws(TodoError)

  /// Records the cursor for the next request for changes. The validator is kept in memory only.
  ///
  /// - Parameter loadEndedAt: The end of a load of several pages, by the source's clock.
  func record(
    cursor: String?, _ validator: RemoteValidator?, loadEndedAt: Timestamp?, at now: Timestamp,
    of list: TodoListKey
  ) throws(TodoError)

  /// Records the path to which a permanent redirect led.
  func record(path: String, of list: TodoListKey) throws(TodoError)

  /// Records whether the user may only read the list at its source.
  func record(isReadOnly: Bool, of list: TodoListKey) throws(TodoError)

  /// Returns the lists of a user that were last found at a host.
  ///
  /// - Parameter host: The user, and the host as the name of a source.
  func discoveredLists(at host: TodoListKey) throws(TodoError) -> [DiscoveredList]

  /// Records the lists that were found at a host. Lists that the host no longer has stay recorded
  /// while they have unsent edits, conflicts or refused changes.
  func record(_ lists: [DiscoveredList], at host: TodoListKey) throws(TodoError)

  // MARK: Changes to send

  /// Returns the todos with local changes that the source does not have, oldest change first.
  ///
  /// - Parameter failed: Whether to return also the todos that the source has refused.
  func outgoing(in list: TodoListKey, failed: Bool) throws(TodoError) -> [OutgoingTodo]

  /// Returns a todo with local changes in its current state; `nil` if there is nothing left to
  /// send.
  func outgoing(_ id: TodoID, in list: TodoListKey) throws(TodoError) -> OutgoingTodo?

  /// Records a change before it is sent, and the time before which no other change may be sent to
  /// the host.
  ///
  /// - Parameters:
  ///   - marker: The marker of an item that is created; `nil` for other changes.
  ///   - openUntil: The time by which the connection is closed at the latest.
  func recordAttempt(
    _ write: RemoteWrite, _ content: TodoContent, marker: ItemMarker?, of id: TodoID,
    in list: TodoListKey, to host: String, openUntil: Timestamp, nextWriteAt: Timestamp
  ) throws(TodoError)

  /// Records that the connection ended without a response: the request may still be carried out.
  func markUnconfirmed(_ id: TodoID, at now: Timestamp, in list: TodoListKey) throws(TodoError)

  /// Stores an item that the source returned for a todo. If the todo has no item yet and the item
  /// belongs to another todo of the list, that other todo is deleted; if the other todo has unsent
  /// edits, nothing happens.
  ///
  /// - Parameter isAnswer: Whether the item is the response to a change; otherwise it was only
  ///   read.
  /// - Returns: The todo, if there is still something to send; otherwise `nil`.
  func recordReceived(
    _ item: RemoteItem, for id: TodoID, isAnswer: Bool, in list: TodoListKey
  ) throws(TodoError) -> OutgoingTodo?

  /// Stores all labels of an item, which the source returned after a change of one label.
  ///
  /// - Returns: The todo, if there is still something to send; otherwise `nil`.
  func recordReceived(
    labels: LabelSet, for id: TodoID, in list: TodoListKey
  ) throws(TodoError) -> OutgoingTodo?

  /// Delays the next change to a host, after the response to a change.
  func delayNextWrite(to host: String, until instant: Timestamp) throws(TodoError)

  /// Records that a request had no effect, so that the change is sent again.
  func requeue(_ id: TodoID, in list: TodoListKey) throws(TodoError)

  /// Removes a todo whose item the source no longer has.
  ///
  /// - Returns: `false` for a todo with unsent edits, which stays unchanged.
  func confirmDeletion(_ id: TodoID, in list: TodoListKey) throws(TodoError) -> Bool

  /// Marks a todo as `failed`, because the source has refused it.
  ///
  /// - Parameter keepsSent: Whether the write stays recorded as unconfirmed.
  func recordFailure(
    _ failure: SyncFailure, _ id: TodoID, keepsSent: Bool, in list: TodoListKey
  ) throws(TodoError)

  /// Edits a todo that the source no longer has. The next sync creates a new item for it.
  ///
  /// - Throws: As `TodoStore.edit`.
  func createAgain(
    _ id: TodoID, _ edit: TodoEdit, in list: TodoListKey
  ) throws(TodoError) -> Todo

  // MARK: Labels

  /// Returns the time at which the labels that items can have were read; `nil` if they never were.
  func labelsReadAt(of list: TodoListKey) throws(TodoError) -> Timestamp?

  /// Replaces the stored labels that items can have.
  func record(labels: LabelSet, at now: Timestamp, of list: TodoListKey) throws(TodoError)

  // MARK: Conflicts

  /// Returns a page of the todos that changed both locally and remotely, and their total number.
  func conflicts(
    offset: Int, limit: Int, in list: TodoListKey
  ) throws(TodoError) -> (conflicts: [SourceConflict], total: Int)

  /// Returns the conflict of a todo with its source; `nil` if there is none.
  func conflict(of id: TodoID, in list: TodoListKey) throws(TodoError) -> SourceConflict?

  /// Resolves a conflict.
  ///
  /// - Throws: `notFound`; `conflict` if the todo has another version or no conflict with its
  ///   source.
  func resolve(
    _ id: TodoID, version: Int64, to resolution: Resolution, in list: TodoListKey
  ) throws(TodoError) -> Todo

  /// Returns the numbers of todos of a list that are pending, in conflict or failed.
  func counts(of list: TodoListKey) throws(TodoError) -> SyncCounts
}

/// The limits of a host, which all servers respect.
package struct HostRateLimit: Sendable, Equatable {
  /// The time before which no request may be sent.
  package var nextRequestAt: Timestamp?
  /// The number of rate limits in a row.
  package var limitCount = 0
  /// The time before which no change may be sent.
  package var nextWriteAt: Timestamp?

  package init() {}
}

/// The state of the source of a list in a store.
package struct RemoteRecord: Sendable, Equatable {
  /// The address that the list was loaded from; `nil` before the first load.
  package var baseURL: String?
  package var path: String?
  package var cursor: String?
  package var validator: RemoteValidator?
  /// A load that has not finished.
  package var unfinished: SourceLoad?
  /// The number of loads so far, including the unfinished one.
  package var loadCount: Int64 = 0
  /// The end of the last load of the whole list.
  package var loadedAt: Timestamp?
  /// Whether the list has to be loaded completely: an unfinished load continues, or another one
  /// starts.
  package var isLoadDue = false
  /// The time range of the last load of several pages, by the source's clock; `nil` once it is
  /// certain that the load has missed no items because others were closed meanwhile.
  package var loadTime: ClosedRange<Timestamp>?
  /// The time at which everything that the source has was last loaded.
  package var syncedAt: Timestamp?
  /// Whether the user may only read the list.
  package var isReadOnly = false

  package init() {}

  /// Whether the whole list was ever loaded.
  package var isComplete: Bool { syncedAt != nil }
}

/// The progress of a load of a whole list.
package struct SourceLoad: Sendable, Equatable {
  /// The number of the load, which grows with each load of a list.
  package var id: Int64
  /// The next page; `nil` after the last one.
  package var next: PageLink?
  package var pageCount: Int
  /// The cursor for requests for changes once the load is complete.
  package var cursor: String?
  /// The time of the first page, by the source's clock.
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
  /// The number of todos that changed on both sides and were merged.
  package var merged = 0
  /// The number of new conflicts.
  package var conflicts = 0

  package init() {}
}

/// The kind of a write to a source.
package enum RemoteWrite: String, Sendable, CaseIterable {
  case create, change, close
}

/// A todo with local changes that its source does not have.
package struct OutgoingTodo: Sendable, Equatable {
  package var id: TodoID
  /// The key of the item; `nil` if the source does not have it yet.
  package var key: String?
  package var content: TodoContent
  /// The content of the item as last received; `nil` without an item.
  package var base: TodoContent?
  package var isRemoved: Bool
  package var sync: SyncState
  /// The write whose outcome is unknown; `nil` if there is none.
  package var sent: RemoteWrite?
  /// The time by which the connection of this write is closed at the latest.
  package var openUntil: Timestamp?
  /// The marker of the item that the write creates.
  package var marker: ItemMarker?
  package var sentContent: TodoContent?
  /// The marker in an export of this todo, with which another store may have created the item.
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

/// The marker of an addition in an export. Each store that has the todo searches for an item with
/// this marker before it creates one with it.
package struct ExportedMarker: Sendable, Equatable {
  package var marker: ItemMarker
  /// The time of the first export, before which the item cannot have been created.
  package var since: Timestamp

  package init(_ marker: ItemMarker, since: Timestamp) {
    self.marker = marker
    self.since = since
  }
}

/// A todo that changed both locally and at its source.
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
  /// The proposal with the user's edit. The expected version of the edit is ignored.
  case merged(TodoEdit)

  /// Returns the resolution with typed input, such as `tomorrow`, converted to values.
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

/// The numbers of todos of a list that differ from their source.
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
