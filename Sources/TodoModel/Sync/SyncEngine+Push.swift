/// The half that sends what was changed here.
extension SyncEngine {
  struct Push {
    /// The first is under way.
    var queue: [TodoID] = []
    var stage = Stage.begin
    /// What may have been sent just now: it is looked for when it has had time to arrive.
    var postponed: [(id: TodoID, until: Timestamp)] = []
    var isWanted: Bool
    var retriesFailed: Bool
    /// Whether the changes made during the run have yet to be sent.
    var hasLastRound: Bool
    /// The todos that were sent.
    var sent: Set<TodoID> = []

    init(isWanted: Bool, retriesFailed: Bool) {
      (self.isWanted, hasLastRound) = (isWanted, isWanted)
      self.retriesFailed = retriesFailed
    }

    /// How far the first of the queue has come.
    enum Stage {
      case begin
      /// The second time: while something was deleted, one's own may have slipped to a page that
      /// had been read.
      case finding(PageLink?, isSecond: Bool)
      /// The source does not have it.
      case absent
      /// The item was read just now.
      case ready(RemoteItem)

      /// Whether the source may have the item of an addition.
      fileprivate var mayExist: Bool { if case .absent = self { false } else { true } }
    }

    /// A request whose answer is awaited.
    enum Question {
      case find(OutgoingTodo, isSecond: Bool)
      case read(TodoID)
      case write(OutgoingTodo)
    }

    mutating func dropFirst() {
      stage = .begin
      if !queue.isEmpty { queue.removeFirst() }
    }
  }

  /// How old an item may be, by its server's clock, to be the one that was sent.
  private static let clockErrorMilliseconds: Int64 = 86_400_000

  /// Nil when nothing is left to be sent.
  mutating func nextPush(_ host: HostRecord, _ now: Timestamp) throws(TodoError) -> SyncStep? {
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
      guard try takeLease(now) else {
        // Another server on this file sends it all.
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
      // Waited for before the item is read, so that it is read just before it is changed.
      if let instant = host.nextWriteAt, instant > now, !isFarOff(instant, now) {
        return .wait(until: instant)
      }
      if let step = try advance(todo, now) { return step }
      push.dropFirst()
    }
  }

  /// Queues the changes made since the first round. There is no third one, so that a user who keeps
  /// editing does not delay the end of the run.
  ///
  /// - Returns: Whether there are any.
  mutating func beginLastRound() throws(TodoError) -> Bool {
    guard push.hasLastRound else { return false }
    push.hasLastRound = false
    push.queue = try journal.outgoing(in: list, failed: false).map(\.id)
    return !push.queue.isEmpty
  }

  /// A clock that was set back must not stop everything.
  private func isFarOff(_ instant: Timestamp, _ now: Timestamp) -> Bool {
    instant > later(now, Self.writePauseMilliseconds)
  }

  private mutating func takeLease(_ now: Timestamp) throws(TodoError) -> Bool {
    hasLease = try journal.takeLease(
      address.baseURL, for: owner, until: later(now, Self.leaseMilliseconds), now: now,
      isAlive: isAlive)
    leasedAt = hasLease ? leasedAt ?? now : nil
    return hasLease
  }

  /// The time when a write without a response has taken effect, or never will. Its connection was
  /// closed before this engine acquired the lease.
  private func outcomeAt(_ todo: OutgoingTodo) -> Timestamp? {
    guard todo.sent != nil, let end = todo.openUntil else { return nil }
    return later(min(end, leasedAt ?? end), Self.outcomeMilliseconds)
  }

  /// The next request for a todo; nil when it needs none now.
  private mutating func advance(
    _ todo: OutgoingTodo, _ now: Timestamp
  ) throws(TodoError) -> SyncStep? {
    switch push.stage {
    case .finding(let link, let isSecond):
      return try send(
        link.map { .page($0) } ?? .newest, for: .find(todo, isSecond: isSecond))
    case .ready(let item): return try write(todo, over: item, now)
    case .absent, .begin: break
    }
    if let key = todo.key { return try send(.read(key: key), for: .read(todo.id)) }
    if push.stage.mayExist, todo.sent == .create || todo.exported != nil {
      return try send(.newest, for: .find(todo, isSecond: false))
    }
    guard !todo.isRemoved else { return nil }
    let marker =
      todo.exported?.marker
      ?? ItemMarker(of: todo.id, at: now, random: jitter(0...Int64.max))
    return try write(
      .create(todo.content, marker: marker), .create, todo, marker: marker, now)
  }

  /// Sends what differs from the item as it was just read; nil when nothing does.
  private mutating func write(
    _ todo: OutgoingTodo, over item: RemoteItem, _ now: Timestamp
  ) throws(TodoError) -> SyncStep? {
    if todo.isRemoved { return try write(.close(key: item.key), .close, todo, now) }
    let fields = todo.content.fields(differingFrom: item.content).filter(item.fields.contains)
    guard !fields.isEmpty else { return nil }
    return try write(
      .change(key: item.key, todo.content, fields: fields, marker: item.marker), .change, todo, now)
  }

  private mutating func write(
    _ what: RemoteRequest.What, _ write: RemoteWrite, _ todo: OutgoingTodo,
    marker: ItemMarker? = nil, _ now: Timestamp
  ) throws(TodoError) -> SyncStep {
    var content = todo.content
    if write == .close { content.isDone = true }
    try journal.willSend(
      write, content, marker: marker, of: todo.id, in: list, to: address.baseURL,
      openUntil: later(now, RequestTimeouts.ceilingMilliseconds),
      nextWriteAt: later(now, Self.writePauseMilliseconds))
    return try send(what, for: .write(todo))
  }

  // MARK: Answers

  mutating func take(
    _ body: RemoteAnswer.Body, to question: Push.Question, _ now: Timestamp
  ) throws(TodoError) {
    switch (question, body) {
    case (.find(let todo, let isSecond), .items(let page)):
      try take(page, toFind: todo, isSecond: isSecond)
    case (.read(let id), .item(let item)):
      let before = try journal.outgoing(id, in: list)
      let after = try journal.received(item, for: id, isAnswer: false, in: list)
      if let before, let after, before.content != after.content { report.merged += 1 }
      if after != nil {
        push.stage = .ready(item)
      } else {
        if try journal.conflict(of: id, in: list) != nil { report.conflicts += 1 }
        push.dropFirst()
      }
    case (.write(let todo), .item(let item)):
      // Changes made during the request differ from the response, and are sent in the next round.
      _ = try journal.received(item, for: todo.id, isAnswer: true, in: list)
      countSent(todo.id)
      push.dropFirst()
    case (.find, _), (.read, _), (.write, _):
      try end(with: TodoError(.invalidResponse, Self.wrongAnswer), now)
    }
  }

  /// A todo counts once, however often it is sent.
  private mutating func countSent(_ id: TodoID) {
    if push.sent.insert(id).inserted { report.pushed += 1 }
  }

  static let wrongAnswer = "The source answered something else than was asked. Check its URL."

  private mutating func take(
    _ page: RemotePage, toFind todo: OutgoingTodo, isSecond: Bool
  ) throws(TodoError) {
    let isFirstPage: Bool
    switch push.stage {
    case .begin, .finding(nil, _): isFirstPage = true
    case .finding, .ready, .absent: isFirstPage = false
    }
    push.stage = .begin
    let markers = [todo.marker, todo.exported?.marker].compactMap { $0 }
    if let own = page.items.first(where: { $0.marker.map(markers.contains) ?? false }) {
      // It stays in the queue, for what was changed since.
      let after = try journal.received(own, for: todo.id, isAnswer: false, in: list)
      if let after, after.key == nil { return try refuse(todo.id, .otherTodo(of: own)) }
      countSent(todo.id)
      return
    }
    let oldest = page.items.compactMap(\.createdAt).min()
    let start = [todo.openUntil, todo.exported?.since].compactMap { $0 }.min()
    let since = (start?.milliseconds ?? 0) - Self.clockErrorMilliseconds
    if let next = page.next, (oldest?.milliseconds ?? .max) >= since {
      push.stage = .finding(next, isSecond: isSecond)
    } else if !isFirstPage, !isSecond {
      push.stage = .finding(nil, isSecond: true)
    } else {
      try journal.wasNotSent(todo.id, in: list)
      push.stage = .absent
    }
  }

  mutating func take(
    _ error: TodoError, to question: Push.Question, _ now: Timestamp
  ) throws(TodoError) {
    switch question {
    case .find: try end(with: error, now)
    case .read(let id):
      guard error.isAboutOneTodo else { return try end(with: error, now) }
      if error.saysDeleted, try journal.outgoing(id, in: list)?.isRemoved == true {
        // Both sides agree.
        try journal.deletedThere(id, in: list)
        return push.dropFirst()
      }
      try refuse(id, error)
    case .write(let todo):
      if error.isAboutOneTodo { return try refuse(todo.id, error) }
      // Whether the others have had an effect nobody knows.
      if error.hadNoEffect {
        try journal.wasNotSent(todo.id, in: list)
      } else {
        try journal.lostAnswer(todo.id, at: now, in: list)
      }
      try end(with: error, now)
    }
  }

  private mutating func refuse(_ id: TodoID, _ error: TodoError) throws(TodoError) {
    let title = try journal.outgoing(id, in: list)?.content.title ?? ""
    let failure = SyncFailure(kind: error.kind, message: error.message)
    try journal.failed(failure, id, in: list)
    report.failed.append(SyncReport.Failed(id: id, title: title, failure: failure))
    push.dropFirst()
  }
}

extension TodoError {
  /// The list has a todo that was exported, and its item as another todo with edits of its own.
  fileprivate static func otherTodo(of item: RemoteItem) -> TodoError {
    TodoError(
      .conflict,
      "The source has this todo already: \(item.url). The list has that as another todo, which was "
        + "edited. Remove one of the two.")
  }

  /// Whether the source has refused this request, and would take others.
  fileprivate var isAboutOneTodo: Bool {
    switch kind {
    case .notFound, .forbidden, .validation, .issuesDisabled, .conflict: true
    case .invalidResponse: status.map { (400..<500).contains($0) } ?? false
    case .notLoggedIn, .alreadyLoggedIn, .invalidCredentials, .busy, .interrupted, .offline,
      .timeout, .unauthorized, .rateLimited, .server, .registrationFailed, .insecureURL, .storage,
      .nothingToUndo:
      false
    }
  }

  /// Whether the item was there and is not any more; `notFound` alone may be a lack of permission.
  fileprivate var saysDeleted: Bool { kind == .notFound && status == 410 }

  /// Whether it is sure that nothing was changed.
  fileprivate var hadNoEffect: Bool {
    kind == .rateLimited || kind == .unauthorized || kind == .insecureURL
  }
}
