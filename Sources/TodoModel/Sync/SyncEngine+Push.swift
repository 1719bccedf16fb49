/// Sends local changes to the source.
extension SyncEngine {
  struct Push {
    /// The todos to send; the first one is being sent.
    var queue: [TodoID] = []
    var stage = Stage.begin
    /// The todos with a write whose response was lost. At the time `until`, the write has either
    /// arrived or never will, and the source is searched for its effect.
    var postponed: [(id: TodoID, until: Timestamp)] = []
    var isWanted: Bool
    var retriesFailed: Bool
    /// Whether one more round will send the changes made during the run.
    var hasLastRound: Bool
    /// The todos that were sent.
    var sent: Set<TodoID> = []
    /// The items that a request without a response may have created, as found by the search.
    var candidates: [RemoteItem] = []
    /// The number of writes of each todo that the source refused because another user had changed
    /// the item.
    var collisionCounts: [TodoID: Int] = [:]
    /// The changes that the source has refused for a reason that may concern the whole source.
    var denied: [Denial] = []

    init(isWanted: Bool, retriesFailed: Bool) {
      (self.isWanted, hasLastRound) = (isWanted, isWanted)
      self.retriesFailed = retriesFailed
    }

    /// The progress of the first todo of the queue.
    enum Stage {
      case begin
      /// Searches for an item that a request without a response may have created. The search runs
      /// twice, because the item may have moved to a page that was already read when another item
      /// was deleted.
      case finding(PageLink?, isSecond: Bool)
      /// Candidates were found. The next request asks for the name of the user, who must be their
      /// creator.
      case identifying
      /// The source does not have the item.
      case absent
      /// The item was just read, so a change can be sent.
      case ready(RemoteItem)
      /// The other fields have been sent, and label changes follow. The value is the labels of the
      /// item.
      case labelling(LabelSet)
      /// The source has refused a request; the next request checks whether the list can be read at
      /// all.
      case checking(Denial)

      /// Whether the source may already have the item of an addition.
      fileprivate var mayExist: Bool { if case .absent = self { false } else { true } }
    }

    /// A request in flight.
    enum Question {
      case find(OutgoingTodo, isSecond: Bool)
      case identify(OutgoingTodo)
      /// Reads an item whose creation had no response, by its marker as the key.
      case lookUp(OutgoingTodo)
      case read(TodoID)
      case write(OutgoingTodo, LabelChange? = nil)
      case check(Denial)
    }

    /// A refusal of a request about one todo that may concern the whole source, such as `notFound`
    /// or `forbidden`.
    struct Denial {
      var id: TodoID
      var error: TodoError
      var request: Request

      enum Request {
        case read, create
        case change(isLocked: Bool)
      }
    }

    var isChecking: Bool {
      switch stage {
      case .checking: true
      case .begin, .finding, .identifying, .absent, .ready, .labelling: false
      }
    }

    mutating func dropFirst() {
      stage = .begin
      if !queue.isEmpty { queue.removeFirst() }
    }

    /// Stops sending changes in this run.
    mutating func halt() {
      (queue, postponed, hasLastRound) = ([], [], false)
      stage = .begin
    }
  }

  /// Returns the next step; `nil` if there is nothing left to send.
  mutating func nextPush(_ host: HostRateLimit, _ now: Timestamp) throws(TodoError) -> SyncStep? {
    if push.isWanted {
      push.isWanted = false
      push.queue = try journal.outgoing(in: list, failed: push.retriesFailed).map(\.id)
    }
    while true {
      guard let id = push.queue.first else {
        let ready = push.postponed.filter { $0.until <= now }
        if ready.isEmpty { return nil }
        push.queue = ready.map(\.id)
        push.postponed.removeAll { $0.until <= now }
        continue
      }
      guard let todo = try journal.outgoing(id, in: list) else {
        push.dropFirst()
        continue
      }
      guard try acquireLease(now) else {
        // Another server that uses this file has the lease and sends all changes.
        push.stage = .begin
        push.queue = []
        push.postponed = []
        return nil
      }
      if let until = outcomeAt(todo), until > now {
        push.postponed.append((id, until))
        push.dropFirst()
        continue
      }
      // Wait first, so that the item is read immediately before it is changed.
      if let instant = host.nextWriteAt, instant > now, !isFarOff(instant, now), !push.isChecking {
        return .wait(until: instant)
      }
      if let step = try advance(todo, now) { return step }
      push.dropFirst()
    }
  }

  /// Queues the changes made since the first round. There is no third round, so that a user who
  /// keeps editing does not delay the end of the run.
  ///
  /// - Returns: Whether there are such changes.
  mutating func beginLastRound() throws(TodoError) -> Bool {
    guard push.hasLastRound else { return false }
    push.hasLastRound = false
    let denied = Set(push.denied.map(\.id))
    push.queue = try journal.outgoing(in: list, failed: false).map(\.id)
      .filter { !denied.contains($0) }
    return !push.queue.isEmpty
  }

  /// Whether an instant is later than any pause can end, because the clock was set back. Such an
  /// instant is ignored.
  private func isFarOff(_ instant: Timestamp, _ now: Timestamp) -> Bool {
    instant > later(now, Self.writePauseMilliseconds)
  }

  private mutating func acquireLease(_ now: Timestamp) throws(TodoError) -> Bool {
    hasLease = try journal.acquireLease(
      address.baseURL, for: owner, until: later(now, Self.leaseMilliseconds), now: now,
      isAlive: isAlive)
    leasedAt = hasLease ? leasedAt ?? now : nil
    return hasLease
  }

  /// Returns the time at which a write without a response has taken effect or never will; `nil` if
  /// no write is without a response. The connection of the write was closed at `openUntil` or, at
  /// the latest, when this engine acquired the lease.
  private func outcomeAt(_ todo: OutgoingTodo) -> Timestamp? {
    guard todo.sent != nil, let end = todo.openUntil else { return nil }
    return later(min(end, leasedAt ?? end), Self.outcomeMilliseconds)
  }

  /// Returns the next request for a todo; `nil` if none can be sent now.
  private mutating func advance(
    _ todo: OutgoingTodo, _ now: Timestamp
  ) throws(TodoError) -> SyncStep? {
    switch push.stage {
    case .finding(let link, let isSecond):
      return try send(
        link.map { .page($0) } ?? .newest, for: .find(todo, isSecond: isSecond))
    case .identifying: return try send(.user, for: .identify(todo))
    case .ready(let item): return try write(todo, over: item, now)
    case .labelling(let labels): return try writeLabel(of: todo, over: labels, now)
    case .checking(let denial): return try send(.access, for: .check(denial))
    case .absent, .begin: break
    }
    if let key = todo.key { return try send(.read(key: key), for: .read(todo.id)) }
    let isRecognized = capabilities.recognition != .none
    if push.stage.mayExist, todo.sent == .create || isRecognized && todo.exported != nil {
      return try search(for: todo)
    }
    guard !todo.isRemoved else { return nil }
    let marker =
      todo.exported?.marker
      ?? ItemMarker(of: todo.id, at: now, random: jitter(0...Int64.max))
    return try write(
      .create(todo.content, marker: isRecognized ? marker : nil), .create, todo, marker: marker, now
    )
  }

  /// Sends the fields that differ from the item that was just read; returns `nil` if none do.
  private mutating func write(
    _ todo: OutgoingTodo, over item: RemoteItem, _ now: Timestamp
  ) throws(TodoError) -> SyncStep? {
    let revision = capabilities.hasConditionalWrites ? item.revision : nil
    if todo.isRemoved {
      return try write(.remove(key: item.key, revision: revision), .close, todo, now)
    }
    var fields = todo.content.fields(differingFrom: item.content).filter(item.fields.contains)
    var content = todo.content
    if capabilities.changesLabelsSingly {
      fields.removeAll { $0 == .labels }
      content.labels = item.content.labels
    }
    guard !fields.isEmpty else {
      return item.fields.contains(.labels) && capabilities.changesLabelsSingly
        ? try writeLabel(of: todo, over: item.content.labels, now) : nil
    }
    return try write(
      .change(
        key: item.key, todo.content, fields: fields, marker: item.marker, revision: revision),
      .change, todo, content: content, now)
  }

  mutating func write(
    _ kind: RemoteRequest.Kind, _ write: RemoteWrite, _ todo: OutgoingTodo,
    content: TodoContent? = nil, label: LabelChange? = nil, marker: ItemMarker? = nil,
    _ now: Timestamp
  ) throws(TodoError) -> SyncStep {
    var content = content ?? todo.content
    if write == .close { content.isDone = true }
    try journal.recordAttempt(
      write, content, marker: marker, of: todo.id, in: list, to: address.baseURL,
      openUntil: later(now, RequestTimeouts.ceilingMilliseconds),
      nextWriteAt: later(now, capabilities.writePauseMilliseconds))
    return try send(kind, for: .write(todo, label))
  }

  // MARK: Responses

  mutating func handle(
    _ body: RemoteAnswer.Body, to question: Push.Question, _ now: Timestamp
  ) throws(TodoError) {
    switch (question, body) {
    case (.find(let todo, let isSecond), .items(let page)):
      try handle(page, toFind: todo, isSecond: isSecond, now)
    case (.identify(let todo), .user(let name)): try settle(todo, user: name)
    case (.lookUp(let todo), .item(let item)):
      // The todo stays in the queue, because it may have later edits.
      guard try adopt(item, for: todo) else { return try refuse(todo.id, .otherTodo(of: item)) }
      countSent(todo.id)
    case (.read(let id), .item(let item)):
      let before = try journal.outgoing(id, in: list)
      let after = try journal.recordReceived(item, for: id, isAnswer: false, in: list)
      if let before, let after, before.content != after.content { report.merged += 1 }
      if after != nil {
        push.stage = .ready(item)
      } else {
        if before?.sync != .conflict, try journal.conflict(of: id, in: list) != nil {
          report.conflicts += 1
        }
        push.dropFirst()
      }
    case (.write(let todo, nil), .item(let item)): try accept(item, for: todo)
    case (.write(let todo, let change?), .labels(let labels)):
      try accept(labels, after: change, of: todo)
    case (.write(let todo, nil), .deleted):
      _ = try journal.confirmDeletion(todo.id, in: list)
      countSent(todo.id)
      push.dropFirst()
    case (.check(let denial), .items): try apply(denial)
    case (.find, _), (.identify, _), (.lookUp, _), (.read, _), (.write, _), (.check, _):
      try end(with: TodoError(.invalidResponse, Self.wrongAnswer), now)
    }
  }

  /// Counts a sent todo once, even if several requests send it.
  mutating func countSent(_ id: TodoID) {
    if push.sent.insert(id).inserted { report.pushed += 1 }
  }

  static let wrongAnswer = "The source answered something else than was asked. Check its URL."

  mutating func handle(
    _ error: TodoError, to question: Push.Question, _ now: Timestamp
  ) throws(TodoError) {
    switch (question, error.scope) {
    case (.lookUp(let todo), _) where error.kind == .notFound:
      try confirmAbsence(of: todo)
    case (.identify(let todo), .unclear), (.identify(let todo), .todo):
      try settle(todo, user: nil)
    case (.write(let todo, _), .todo) where error.kind == .conflict: try readAgain(todo, error)
    case (.find, _), (.check, _), (.identify, .source), (.lookUp, _), (.read, .source):
      try end(with: error, now)
    case (.read(let id), .todo): try giveUp(id, error)
    case (.read(let id), .unclear): try check(Push.Denial(id: id, error: error, request: .read))
    case (.write(let todo, _), .todo): try refuse(todo.id, error)
    case (.write(let todo, let change), .unclear):
      try journal.requeue(todo.id, in: list)
      let request: Push.Denial.Request =
        if case .ready(let item) = push.stage {
          .change(isLocked: item.isLocked)
        } else {
          change == nil ? .create : .change(isLocked: false)
        }
      try check(Push.Denial(id: todo.id, error: error, request: request))
    case (.write(let todo, _), .source):
      if error.hadNoEffect {
        try journal.requeue(todo.id, in: list)
      } else {
        // The write may have had an effect.
        try journal.markUnconfirmed(todo.id, at: now, in: list)
      }
      guard error.kind == .unauthorized else { return try end(with: error, now) }
      // A token without write permission may still read the list.
      report.sendError = error
      push.halt()
    }
  }
}
