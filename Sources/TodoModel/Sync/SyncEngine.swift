/// The engine that syncs a list with its source: it decides which request is sent next.
///
/// The engine is synchronous and does no I/O. The caller sends the requests, and passes the
/// responses to `handle`. All state that must outlive the engine is in the journal. An engine can
/// therefore be dropped at any time, such as when the process ends, and a new one continues the
/// sync.
///
/// ```swift
/// var engine = SyncEngine(
///   list, at: remote.address, remote.capabilities, goal: .both, journal: store, owner: owner)
/// loop: while true {
///   switch try engine.next(at: now()) {
///   case .send(let request): try engine.handle(await remote.perform(request), at: now())
///   case .wait(let instant): await sleep(until: instant)
///   case .done: break loop
///   }
/// }
/// show(engine.report)
/// ```
///
/// The engine guarantees the following, even if requests fail, or other processes change the list
/// or the source:
/// - One request is in flight at a time, and none is sent before the time that a host has set.
/// - Changes made during a sync are sent by the same sync, in a second round at its end.
/// - An item is read before it is changed. Only fields that differ are sent, and a change by
///   another user is never overwritten.
/// - A request that may have reached the source is not repeated until the engine has searched the
///   source for its effect.
/// - A todo that the source refuses becomes `failed` with the reason, and the sync continues. If
///   the source refuses everything, the changes stay queued.
package struct SyncEngine {
  package let list: TodoListKey
  package let address: RemoteAddress
  package internal(set) var report = SyncReport()

  let capabilities: RemoteCapabilities
  let journal: any SyncJournal
  let owner: String
  let isAlive: (String) -> Bool
  let jitter: (ClosedRange<Int64>) -> Int64
  var push: Push
  var pull: Pull
  var labelRead: LabelRead
  /// The number of todos changed so far by a series of pages on which all changes have the same
  /// time; `nil` if no such series is being read. The cursor does not advance within the series, so
  /// the engine follows the links from page to page.
  var changedInSameSecond: Int?
  /// The number of pages of changes that this sync has read.
  var changePageCount = 0
  /// The cursors for which this sync has requested changes.
  var visitedCursors: Set<String> = []
  /// The detector for repeated pages of the list that is being read.
  var pages = RepeatedPageDetector()
  /// Whether the whole list must be loaded again, but this load is not allowed yet, because the
  /// last load was recent.
  var isReloadDelayed = false
  private var inFlightRequest: Question?
  /// Whether the source has answered a request for the list in this sync.
  private(set) var isListReadable = false
  var hasLease = false
  private var isStopped = false
  /// The time at which this engine acquired the lease for sending changes to the host; `nil` if the
  /// engine does not have the lease.
  var leasedAt: Timestamp?

  /// Creates an engine for one sync.
  ///
  /// - Parameters:
  ///   - owner: The name of this server process, which owns the lease. It is unique among all
  ///     servers that use the same store file.
  ///   - isAlive: Returns whether the server process with the given name may still be running. If
  ///     not, its lease has ended.
  ///   - jitter: Returns a random number in a range. It spreads the requests of many clients over
  ///     time, and makes markers unique.
  package init(
    _ list: TodoListKey, at address: RemoteAddress, _ capabilities: RemoteCapabilities,
    goal: SyncGoal, journal: any SyncJournal, owner: String,
    isAlive: @escaping (String) -> Bool = { _ in true },
    jitter: @escaping (ClosedRange<Int64>) -> Int64 = { Int64.random(in: $0) }
  ) {
    self.list = list
    self.address = address
    self.capabilities = capabilities
    self.journal = journal
    self.owner = owner
    self.isAlive = isAlive
    self.jitter = jitter
    push = Push(isWanted: goal.pushes, retriesFailed: goal.retriesFailed)
    let isWhole = goal.isWhole || goal.retriesFailed && !capabilities.reportsLeaving
    pull = goal.pulls ? .wanted(whole: isWhole) : .done
    labelRead = goal.readsLabels && capabilities.listsLabels ? .wanted : .done
  }

  /// Returns the next step.
  ///
  /// - Throws: `storage` if the journal fails.
  package mutating func next(at now: Timestamp) throws(TodoError) -> SyncStep {
    precondition(
      inFlightRequest == nil, "take() the answer to the last request before asking for the next")
    guard !isStopped else { return .done }
    let host = try journal.host(address.baseURL)
    if let instant = host.nextRequestAt, instant > now {
      let end = Self.limitEnd(instant, at: now)
      // An older version of the server stored a later time, or the clock was set back meanwhile.
      if end < instant {
        try journal.backOff(
          address.baseURL, until: end, consecutiveLimitCount: host.consecutiveLimitCount, at: now)
      }
      return .wait(until: end)
    }
    if let step = try nextPush(host, now) { return step }
    if let step = try nextPull(now) { return step }
    if let step = try nextLabels(now) { return step }
    if let first = push.postponed.map(\.until).min() { return .wait(until: first) }
    if try beginLastRound() { return try next(at: now) }
    try settleDenied()
    try stop()
    return .done
  }

  /// Handles the result of the last request.
  ///
  /// - Throws: `storage` if the journal fails.
  package mutating func handle(
    _ result: Result<RemoteAnswer, TodoError>, at now: Timestamp
  ) throws(TodoError) {
    guard let inFlightRequest = inFlightRequest.take() else { return }
    if case .push(.write) = inFlightRequest {
      // The pause starts at the response, because it is unknown when the request arrived.
      let next = later(now, capabilities.writePauseMilliseconds)
      try journal.delayNextWrite(to: address.baseURL, until: next)
    }
    switch result {
    case .success(let answer):
      try respect(answer, now)
      switch answer.body {
      case .items, .notModified: isListReadable = true
      case .item, .labels, .deleted, .user, .labelPage: break
      }
      switch inFlightRequest {
      case .push(let question): try handle(answer.body, to: question, now)
      case .pull(let question): try handle(answer.body, to: question, now)
      case .labels(let labels): try handle(answer.body, after: labels, now)
      }
    case .failure(let error):
      switch inFlightRequest {
      case .push(let question): try handle(error, to: question, now)
      case .pull(let question): try handle(error, to: question, now)
      case .labels: try handleLabels(error, now)
      }
    }
  }

  /// Whether the next request is a change of an item that was just read.
  package var hasReadItem: Bool {
    if case .ready = push.stage { !isStopped } else { false }
  }

  /// Ends the sync, even before it is complete, and ends the lease. Stored items stay stored.
  package mutating func stop() throws(TodoError) {
    guard !isStopped else { return }
    isStopped = true
    if hasLease { try journal.endLease(address.baseURL, of: owner) }
    hasLease = false
    leasedAt = nil
  }

  // MARK: Limits

  /// The time that a source may need to carry out a request after its connection was closed.
  package static let outcomeMilliseconds: Int64 = 10_000
  /// The longest pause between two changes. It is the pause that GitHub recommends.
  package static let writePauseMilliseconds: Int64 = 1_000
  /// The longest pause within a sync. If a longer pause is necessary, the sync ends.
  package static let pauseMillisecondsMax = outcomeMilliseconds + writePauseMilliseconds
  /// The duration of a lease. It is long enough for a request and the pause after it, because the
  /// lease is renewed before each request.
  package static let leaseMilliseconds = RequestTimeouts.ceilingMilliseconds + pauseMillisecondsMax
  /// The pause after a rate limit if the host has not named a time. It doubles with each further
  /// rate limit in a row.
  package static let limitMillisecondsMin: Int64 = 60_000
  /// The longest pause after a rate limit, even if the host has named a later time. The host's
  /// clock may be wrong.
  package static let limitMillisecondsMax: Int64 = 3_600_000
  /// The maximum number of pages of changes in a sync. More pages mean that the source has a
  /// defect, such as ignoring the time in the request. Without a defect, a sync does not reach this
  /// number, because the whole list is loaded once a day.
  package static let changePagesMax = 1_000
  /// The maximum size of all titles and notes of one load, in bytes.
  package static let loadBytesMax = 1 << 30

  /// Returns the time at which a rate limit ends: the time that the host has named, but at most an
  /// hour after `now`.
  package static func limitEnd(_ named: Timestamp, at now: Timestamp) -> Timestamp {
    min(named, Timestamp(milliseconds: now.milliseconds + limitMillisecondsMax))
  }

  // MARK: Shared by push and pull

  private enum Question {
    case push(Push.Question)
    case pull(Pull.Question)
    /// A request for a page of labels. The value contains the labels on the pages before it.
    case labels([String])
  }

  mutating func send(
    _ kind: RemoteRequest.Kind, for question: Push.Question
  ) throws(TodoError) -> SyncStep {
    let path = try record.path
    inFlightRequest = .push(question)
    return .send(RemoteRequest(kind, path: path))
  }

  mutating func send(
    _ kind: RemoteRequest.Kind, for question: Pull.Question
  ) throws(TodoError) -> SyncStep {
    let path = try record.path
    inFlightRequest = .pull(question)
    return .send(RemoteRequest(kind, path: path))
  }

  mutating func send(
    _ kind: RemoteRequest.Kind, after labels: [String]
  ) throws(TodoError) -> SyncStep {
    let path = try record.path
    inFlightRequest = .labels(labels)
    return .send(RemoteRequest(kind, path: path))
  }

  /// The recorded state of the source; an empty record if the list was loaded from another host.
  var record: RemoteRecord {
    get throws(TodoError) {
      let known = try journal.remote(of: list)
      return known.baseURL == address.baseURL ? known : RemoteRecord()
    }
  }

  func later(_ now: Timestamp, _ milliseconds: Int64) -> Timestamp {
    Timestamp(milliseconds: now.milliseconds + milliseconds)
  }

  private func respect(_ answer: RemoteAnswer, _ now: Timestamp) throws(TodoError) {
    if let path = answer.movedTo { try journal.record(path: path, of: list) }
    if let isReadOnly = answer.isReadOnly, try record.isReadOnly != isReadOnly {
      try journal.record(isReadOnly: isReadOnly, of: list)
    }
    if let instant = answer.nextRequestAt {
      try journal.backOff(address.baseURL, until: instant, consecutiveLimitCount: 0, at: now)
    } else {
      // A successful response that was in flight when the limit was reached does not end the limit.
      let host = try journal.host(address.baseURL)
      if host.consecutiveLimitCount > 0, host.nextRequestAt ?? now <= now {
        try journal.backOff(address.baseURL, until: now, consecutiveLimitCount: 0, at: now)
      }
    }
  }

  /// Ends the sync with an error that concerns more than a single todo.
  mutating func end(with error: TodoError, _ now: Timestamp) throws(TodoError) {
    report.error = error
    if error.kind == .rateLimited {
      report.retryAt = try backOff(until: error.retryAt, now)
    } else if let named = error.retryAt {
      let instant = Self.limitEnd(named, at: now)
      let count = try journal.host(address.baseURL).consecutiveLimitCount
      try journal.backOff(address.baseURL, until: instant, consecutiveLimitCount: count, at: now)
      report.retryAt = instant
    }
    try stop()
  }

  /// Stops requests to the host because of a rate limit, and returns the end of the pause. If the
  /// host names no time (`nil`), the pause doubles with each rate limit in a row.
  private func backOff(until instant: Timestamp?, _ now: Timestamp) throws(TodoError) -> Timestamp {
    let count = try journal.host(address.baseURL).consecutiveLimitCount
    let doubled = Self.limitMillisecondsMin << Int64(min(max(count, 0), 10))
    // The pause without jitter stays below the maximum. Otherwise, the maximum would cut off the
    // jitter, and all clients would return at the same time.
    let pause = min(doubled, Self.limitMillisecondsMax / 11 * 10)
    let until = Self.limitEnd(
      instant ?? later(now, pause + jitter(0...(pause / 10))), at: now)
    try journal.backOff(address.baseURL, until: until, consecutiveLimitCount: count + 1, at: now)
    return until
  }
}
