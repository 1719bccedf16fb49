/// Brings a list and its source to the same state: decides, one request at a time, what to ask of
/// the source next.
///
/// It is synchronous and knows no network: whoever runs it sends what it says and hands back what
/// came. Everything that has to outlive it is in the journal, so it may be dropped at any moment,
/// as by the end of the process; the next one goes on.
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
/// What it promises, whatever fails and whoever else is at the list or at the source:
/// - Not one request before the instant that a host has named, and one at a time.
/// - Changes made during a run are sent by the same run, in one more round at its end.
/// - Before a change is sent, the item is read; only what differs is sent; a field that somebody
///   else has changed is never overwritten.
/// - What may have been sent is looked for before it is sent again.
/// - A todo that its source refuses is `failed` with the reason, and the others continue. If the source
///   refuses everything, edits wait.
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
  /// While there are several pages of changes of one second: how many of them were new here.
  var changedInSameSecond: Int?
  /// The number of pages of changes so far.
  var changePageCount = 0
  /// The cursors of this run.
  var visitedCursors: Set<String> = []
  /// The pages of the list that is being read.
  var pages = PageCircle()
  /// Whether everything has to be loaded again, and the last load was too short a time ago.
  var isReloadDelayed = false
  private var asked: Question?
  /// Whether the source has answered a request for the list in this run.
  private(set) var isListReadable = false
  var hasLease = false
  private var isStopped = false
  /// The time since when this engine has the lease without interruption.
  var leasedAt: Timestamp?

  /// - Parameters:
  ///   - owner: Names this server among all on the file, for the lease.
  ///   - isAlive: Whether an owner may still be there; one that is not leaves its lease.
  ///   - jitter: Returns any number of a range, to spread the requests of many clients, and for
  ///     markers.
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
  }

  /// What to do now. Throws `storage` of the journal.
  package mutating func next(at now: Timestamp) throws(TodoError) -> SyncStep {
    precondition(asked == nil, "take() the answer to the last request before asking for the next")
    guard !isStopped else { return .done }
    let host = try journal.host(address.baseURL)
    if let instant = host.nextRequestAt, instant > now {
      let end = Self.limitEnd(instant, at: now)
      // It was stored by an older version, or before the clock was set back.
      if end < instant {
        try journal.backOff(address.baseURL, until: end, limitCount: host.limitCount, at: now)
      }
      return .wait(until: end)
    }
    if let step = try nextPush(host, now) { return step }
    if let step = try nextPull(now) { return step }
    if let first = push.postponed.map(\.until).min() { return .wait(until: first) }
    if try beginLastRound() { return try next(at: now) }
    try settleDenied()
    try stop()
    return .done
  }

  /// What came of the request. Throws `storage` of the journal.
  package mutating func handle(
    _ result: Result<RemoteAnswer, TodoError>, at now: Timestamp
  ) throws(TodoError) {
    guard let asked = asked.take() else { return }
    if case .push(.write) = asked {
      // Counted from the answer: how long the request took to get there nobody knows.
      let next = later(now, capabilities.writePauseMilliseconds)
      try journal.slow(address.baseURL, nextWriteAt: next)
    }
    switch result {
    case .success(let answer):
      try respect(answer, now)
      switch answer.body {
      case .items, .notModified: isListReadable = true
      case .item, .labels, .deleted, .user: break
      }
      switch asked {
      case .push(let question): try handle(answer.body, to: question, now)
      case .pull(let question): try handle(answer.body, to: question, now)
      }
    case .failure(let error):
      switch asked {
      case .push(let question): try handle(error, to: question, now)
      case .pull(let question): try handle(error, to: question, now)
      }
    }
  }

  /// Whether the next request is a change that is based on an item which was just read.
  package var hasReadItem: Bool {
    if case .ready = push.stage { !isStopped } else { false }
  }

  /// Ends it early: whatever was taken stays.
  package mutating func stop() throws(TodoError) {
    guard !isStopped else { return }
    isStopped = true
    if hasLease { try journal.endLease(address.baseURL, of: owner) }
    hasLease = false
    leasedAt = nil
  }

  // MARK: Its limits

  /// How long a server may take to do what it was asked after the connection is gone.
  package static let outcomeMilliseconds: Int64 = 10_000
  /// The longest pause between two changes: the one that GitHub asks for.
  package static let writePauseMilliseconds: Int64 = 1_000
  /// The longest pause in a run; a run that has to wait longer ends.
  package static let pauseMillisecondsMax = outcomeMilliseconds + writePauseMilliseconds
  /// The lease outlasts a request and the pause after it, because it is renewed before each request.
  package static let leaseMilliseconds = RequestTimeouts.ceilingMilliseconds + pauseMillisecondsMax
  /// After a limit without a word on when; doubled each time.
  package static let limitMillisecondsMin: Int64 = 60_000
  /// The longest that a limit is respected: a source whose clock is wrong may name any instant.
  package static let limitMillisecondsMax: Int64 = 3_600_000
  /// The most pages of changes of one run. Everything is loaded again once a day, so more are a fault
  /// of the source, such as one that does not respect the instant that changes are asked since.
  package static let changePagesMax = 1_000
  /// The most bytes of titles and notes of one load.
  package static let loadBytesMax = 1 << 30

  /// When a limit ends for which a source has named an instant: an hour after `now` at the latest.
  package static func limitEnd(_ named: Timestamp, at now: Timestamp) -> Timestamp {
    min(named, Timestamp(milliseconds: now.milliseconds + limitMillisecondsMax))
  }

  // MARK: What both halves need

  private enum Question {
    case push(Push.Question)
    case pull(Pull.Question)
  }

  mutating func send(
    _ what: RemoteRequest.Kind, for question: Push.Question
  ) throws(TodoError) -> SyncStep {
    let path = try record.path
    asked = .push(question)
    return .send(RemoteRequest(what, path: path))
  }

  mutating func send(
    _ what: RemoteRequest.Kind, for question: Pull.Question
  ) throws(TodoError) -> SyncStep {
    let path = try record.path
    asked = .pull(question)
    return .send(RemoteRequest(what, path: path))
  }

  /// What is known of the source; nothing of another that had its name before.
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
    if let path = answer.movedTo { try journal.keep(path: path, of: list) }
    if let instant = answer.nextRequestAt {
      try journal.backOff(address.baseURL, until: instant, limitCount: 0, at: now)
    } else {
      // An answer that was under way when a limit was met says nothing about it.
      let host = try journal.host(address.baseURL)
      if host.limitCount > 0, host.nextRequestAt ?? now <= now {
        try journal.backOff(address.baseURL, until: now, limitCount: 0, at: now)
      }
    }
  }

  /// Ends the run with an error that is not about one todo.
  mutating func end(with error: TodoError, _ now: Timestamp) throws(TodoError) {
    report.error = error
    if error.kind == .rateLimited {
      report.retryAt = try backOff(until: error.retryAt, now)
    } else if let named = error.retryAt {
      let instant = Self.limitEnd(named, at: now)
      let count = try journal.host(address.baseURL).limitCount
      try journal.backOff(address.baseURL, until: instant, limitCount: count, at: now)
      report.retryAt = instant
    }
    try stop()
  }

  /// Where the host does not say when, it is waited longer each time.
  private func backOff(until instant: Timestamp?, _ now: Timestamp) throws(TodoError) -> Timestamp {
    let count = try journal.host(address.baseURL).limitCount
    let doubled = Self.limitMillisecondsMin << Int64(min(max(count, 0), 10))
    // Less than the longest, so that not all come back at the same time.
    let pause = min(doubled, Self.limitMillisecondsMax / 11 * 10)
    let until = Self.limitEnd(
      instant ?? later(now, pause + jitter(0...(pause / 10))), at: now)
    try journal.backOff(address.baseURL, until: until, limitCount: count + 1, at: now)
    return until
  }
}
