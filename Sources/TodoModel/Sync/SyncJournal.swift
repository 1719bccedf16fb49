/// What a store keeps of a source: what it delivered, what is to be sent to it, and what every
/// server on one file has to respect. Each call is one transaction.
package protocol SyncJournal: Sendable {
  // MARK: Hosts

  /// What is known of a host; a host that was never asked has nothing to respect.
  func host(_ baseURL: String) throws(TodoError) -> HostRecord

  /// Lets no request begin before an instant, nor before the one of an earlier call: an answer that was
  /// in flight when a limit was met does not end it. Both end when `SyncEngine.limitEnd` says, at the
  /// latest. `limitCount` is the number of limits in a row.
  func backOff(
    _ baseURL: String, until: Timestamp, limitCount: Int, at now: Timestamp
  ) throws(TodoError)

  /// Takes the right to send changes to a host, or prolongs it. False when another server has it:
  /// one whose time is not over at `now` and that `isAlive`.
  func acquireLease(
    _ baseURL: String, for owner: String, until: Timestamp, now: Timestamp,
    isAlive: (String) -> Bool
  ) throws(TodoError) -> Bool

  func endLease(_ baseURL: String, of owner: String) throws(TodoError)

  // MARK: What a source delivers

  /// Where the last load of a list stands.
  func remote(of list: TodoListKey) throws(TodoError) -> RemoteRecord

  /// Begins a load of the whole list, and answers its generation.
  func beginLoad(of list: TodoListKey, from address: RemoteAddress) throws(TodoError) -> Int64

  /// Takes items that a source delivered: new ones are added, unchanged ones stay, changed ones are
  /// merged with what was changed here, which is never overwritten.
  ///
  /// - Parameter load: The load that they belong to, and where it goes on; nil for changes.
  func deliver(
    _ items: [RemoteItem], of load: SourceLoad?, to list: TodoListKey
  ) throws(TodoError) -> DeliveryReport

  /// The source does not have the items with these keys any more. Their todos leave the list; those
  /// with unsent edits are `failed`.
  func deliver(
    deleted keys: [String], to list: TodoListKey
  ) throws(TodoError) -> DeliveryReport

  /// Returns the keys of items that a load has not brought so far: those of open todos without local
  /// changes. A done one is closed at the source.
  func missing(from generation: Int64, of list: TodoListKey) throws(TodoError) -> [String]

  /// Ends a load that was complete: what the source no longer delivers, and was not changed here,
  /// leaves the list, unless a newer load has brought it.
  func finishLoad(
    _ generation: Int64, of list: TodoListKey, at now: Timestamp
  ) throws(TodoError)

  /// Remembers what to ask for next: changes since the cursor. The validator is remembered until the
  /// end of the process only.
  ///
  /// - Parameter loadEndedAt: After a load of several pages: when it ended, by the source's clock.
  func keep(
    cursor: String?, _ validator: RemoteValidator?, loadEndedAt: Timestamp?, at now: Timestamp,
    of list: TodoListKey
  ) throws(TodoError)

  /// Remembers where a permanent redirect led.
  func keep(path: String, of list: TodoListKey) throws(TodoError)

  // MARK: What is to be sent

  /// What was changed here and is not at the source yet, the oldest change first.
  ///
  /// - Parameter failed: Also what the source has refused.
  func outgoing(in list: TodoListKey, failed: Bool) throws(TodoError) -> [OutgoingTodo]

  /// One of them as it is now; nil when nothing is left to be sent.
  func outgoing(_ id: TodoID, in list: TodoListKey) throws(TodoError) -> OutgoingTodo?

  /// Writes down that a change is about to be sent, before it is; and that no other change is sent
  /// to the host before an instant.
  ///
  /// - Parameters:
  ///   - marker: The marker of an item that is created; `nil` for other changes.
  ///   - openUntil: When its connection is gone at the latest.
  func recordAttempt(
    _ write: RemoteWrite, _ content: TodoContent, marker: ItemMarker?, of id: TodoID,
    in list: TodoListKey, to host: String, openUntil: Timestamp, nextWriteAt: Timestamp
  ) throws(TodoError)

  /// The connection is gone without an answer: what was sent may yet be carried out.
  func markUnconfirmed(_ id: TodoID, at now: Timestamp, in list: TodoListKey) throws(TodoError)

  /// The source answered with the item as it is now. If the item of a todo without one belongs to
  /// another todo of the list already, that one is deleted; nothing happens if it has unsent edits.
  ///
  /// - Parameter isAnswer: To what was sent; else it was only read.
  func received(
    _ item: RemoteItem, for id: TodoID, isAnswer: Bool, in list: TodoListKey
  ) throws(TodoError) -> OutgoingTodo?

  /// The source answered a change of one label with all labels of the item.
  func received(
    labels: LabelSet, for id: TodoID, in list: TodoListKey
  ) throws(TodoError) -> OutgoingTodo?

  /// A change has been answered: the next one to this host comes so much later.
  func slow(_ host: String, nextWriteAt: Timestamp) throws(TodoError)

  /// What was sent has had no effect: it is to be sent again.
  func requeue(_ id: TodoID, in list: TodoListKey) throws(TodoError)

  /// The source does not have the item of a todo any more: the todo leaves the list.
  ///
  /// - Returns: `false` for a todo with unsent edits, which stays unchanged.
  func confirmDeletion(_ id: TodoID, in list: TodoListKey) throws(TodoError) -> Bool

  /// The source refuses the todo.
  ///
  /// - Parameter keepsSent: Whether what was sent stays recorded.
  func failed(
    _ failure: SyncFailure, _ id: TodoID, keepsSent: Bool, in list: TodoListKey
  ) throws(TodoError)

  /// Edits a todo whose item the source does not have any more: the next sync creates another one.
  /// Throws as `TodoStore.edit`.
  func createAgain(
    _ id: TodoID, _ edit: TodoEdit, in list: TodoListKey
  ) throws(TodoError) -> Todo

  // MARK: Conflicts

  /// What was changed both here and at the source, a page of it, and how many there are.
  func conflicts(
    offset: Int, limit: Int, in list: TodoListKey
  ) throws(TodoError) -> (conflicts: [SourceConflict], total: Int)

  /// The three sides of a todo that is in conflict with its source; nil for any other.
  func conflict(of id: TodoID, in list: TodoListKey) throws(TodoError) -> SourceConflict?

  /// Decides a conflict. Throws `notFound`, or `conflict` where the todo has another version or is
  /// in no conflict with its source.
  func resolve(
    _ id: TodoID, version: Int64, to resolution: Resolution, in list: TodoListKey
  ) throws(TodoError) -> Todo

  /// How many todos of a list are in each state but `local` and `synced`.
  func counts(of list: TodoListKey) throws(TodoError) -> SyncCounts
}

/// What every server respects of a host.
package struct HostRecord: Sendable, Equatable {
  /// Not one request before.
  package var nextRequestAt: Timestamp?
  /// How many limits were met in a row.
  package var limitCount = 0
  /// Not one change before.
  package var nextWriteAt: Timestamp?

  package init() {}
}

/// What a store remembers of the source of a list.
package struct RemoteRecord: Sendable, Equatable {
  /// Where the list was loaded from; nil before it ever was.
  package var baseURL: String?
  package var path: String?
  package var cursor: String?
  package var validator: RemoteValidator?
  /// A load that has not come to its end.
  package var unfinished: SourceLoad?
  /// The number of loads so far.
  package var loadCount: Int64 = 0
  /// When the last load of the whole list ended.
  package var loadedAt: Timestamp?
  /// Whether a load was begun whose list is not complete: it goes on, or another one begins.
  package var isLoadDue = false
  /// When the last load of several pages began and ended, by the source's clock, until it is known
  /// whether somebody closed something meanwhile.
  package var loadTime: ClosedRange<Timestamp>?
  /// When the source was last asked with success for all that it has.
  package var syncedAt: Timestamp?

  package init() {}

  /// Whether the list was ever loaded as a whole.
  package var isComplete: Bool { syncedAt != nil }
}

/// Where a load of a whole list stands.
package struct SourceLoad: Sendable, Equatable {
  /// Grows with each load of a list.
  package var generation: Int64
  /// The page to ask for next; nil after the last.
  package var next: PageLink?
  package var pageCount: Int
  /// The cursor that is good once the load is complete.
  package var cursor: String?
  /// When its first page came, by the source's clock.
  package var startedAt: Timestamp?

  package init(
    generation: Int64, next: PageLink? = nil, pageCount: Int = 0, cursor: String? = nil,
    startedAt: Timestamp? = nil
  ) {
    self.startedAt = startedAt
    self.generation = generation
    self.next = next
    self.pageCount = pageCount
    self.cursor = cursor
  }
}

/// What became of items that were delivered.
package struct DeliveryReport: Sendable, Equatable {
  /// Added, changed, or gone from the list.
  package var changed = 0
  /// Changed on both sides, and joined.
  package var merged = 0
  /// Newly in conflict.
  package var conflicts = 0

  package init() {}
}

/// What is written to a source.
package enum RemoteWrite: String, Sendable, CaseIterable {
  case create, change, close
}

/// A todo that differs from its source, because of what was done here.
package struct OutgoingTodo: Sendable, Equatable {
  package var id: TodoID
  /// Nil where the source does not have it yet.
  package var key: String?
  package var content: TodoContent
  /// What the source has, as far as is known here; nil where it has nothing.
  package var base: TodoContent?
  package var isRemoved: Bool
  package var sync: SyncState
  /// What was sent without an answer, and when its connection is gone at the latest.
  package var sent: RemoteWrite?
  package var openUntil: Timestamp?
  /// The marker of the item that it creates.
  package var marker: ItemMarker?
  package var sentContent: TodoContent?
  /// The marker with which another store may have created it, because an export contains it.
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

/// The marker of an addition that an export contains: each store that has the todo creates its item
/// with this marker, and searches for it first.
package struct ExportedMarker: Sendable, Equatable {
  package var marker: ItemMarker
  /// The time of the first export. The item is not older.
  package var since: Timestamp

  package init(_ marker: ItemMarker, since: Timestamp) {
    self.marker = marker
    self.since = since
  }
}

/// A todo that was changed both here and at its source.
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

/// How a person decides a conflict.
package enum Resolution: Sendable, Equatable {
  case keep(Merge.Side)
  /// What is nil is as proposed. Its expected version does not count.
  case merged(TodoEdit)

  /// The resolution with values in place of the user's input on a day. Throws `validation`.
  package func resolved(on today: CivilDay) throws(TodoError) -> Resolution {
    switch self {
    case .keep: self
    case .merged(let edit): .merged(try edit.resolved(on: today))
    }
  }
}

/// How many todos of a list are not as their source has them.
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
