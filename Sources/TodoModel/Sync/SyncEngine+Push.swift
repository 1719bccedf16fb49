/// The steps of a sync that send local changes to the source.
extension SyncEngine {
  struct Push {
    /// The todos to send. The first one is in progress.
    var queue: [TodoID] = []
    var stage = Stage.begin
    /// The todos with a write whose response was lost. At the time `until`, the outcome of the
    /// write is final: it has taken effect, or never will. The engine then searches the source for
    /// the effect.
    var postponed: [(id: TodoID, until: Timestamp)] = []
    var isWanted: Bool
    var retriesFailed: Bool
    /// Whether the changes that users make during the sync will be sent in a second round.
    var hasLastRound: Bool
    /// The todos that this sync has sent.
    var sent: Set<TodoID> = []
    /// The items that were found by the search after a lost response. One of them may have been
    /// created by the request to which the response was lost.
    var candidates: [RemoteItem] = []
    /// For each todo, the number of times that the source has refused a change because another user
    /// had changed the item.
    var collisionCounts: [TodoID: Int] = [:]
    /// The refusals in this sync that may concern the whole source, such as for lack of permission.
    var denied: [Denial] = []

    init(isWanted: Bool, retriesFailed: Bool) {
      (self.isWanted, hasLastRound) = (isWanted, isWanted)
      self.retriesFailed = retriesFailed
    }

    /// The progress of the first todo in the queue.
    enum Stage {
      case begin
      /// Searching for an item that may have been created by a request whose response was lost. The
      /// search runs twice, because the deletion of another item can move the item to a page that
      /// was already read.
      case finding(PageLink?, isSecond: Bool)
      /// A request to create an item got no response, and a search has found items that the request
      /// may have created. The next request asks for the user's name, to exclude items that other
      /// users have created.
      case identifying
      /// The search has found no item that belongs to the todo.
      case absent
      /// The item was just read, so it can now be changed.
      case ready(RemoteItem)
      /// All other fields were sent, and now the labels are sent one by one. The value is the
      /// item's current labels.
      case labelling(LabelSet)
      /// The source has refused a request. The next request checks whether the list can be read at
      /// all.
      case checking(Denial)

      /// Whether the source may already contain the item of a new todo.
      fileprivate var mayExist: Bool { if case .absent = self { false } else { true } }
    }

    /// A request in flight.
    enum Question {
      case find(OutgoingTodo, isSecond: Bool)
      case identify(OutgoingTodo)
      /// Reads an item by its marker, because the response to its creation was lost.
      case lookUp(OutgoingTodo)
      case read(TodoID)
      case write(OutgoingTodo, LabelChange? = nil)
      case check(Denial)
    }

    /// A refusal such as `notFound` or `forbidden`. It may concern only one todo, or the whole
    /// source.
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

    /// Discards everything that is still to be sent in this sync.
    mutating func halt() {
      (queue, postponed, hasLastRound) = ([], [], false)
      stage = .begin
    }
  }

  /// Returns the next step of sending changes; `nil` if nothing can be sent now: all changes are
  /// sent or postponed, or another server process sends them.
  mutating func nextPush(_ host: HostRateLimit, _ now: Timestamp) throws(TodoError) -> SyncStep? {
    if push.isWanted {
      push.isWanted = false
      push.queue = try outgoing(failed: push.retriesFailed)
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
        // Another server process has the lease, and sends all changes of this store.
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
      // The pause comes before the read, so that the item is read immediately before it is changed.
      if let instant = host.nextWriteAt, instant > now, !isBeyondAnyPause(instant, now),
        !push.isChecking
      {
        return .wait(until: instant)
      }
      if let step = try advance(todo, now) { return step }
      push.dropFirst()
    }
  }

  /// Starts the second round, which sends the changes that users made during the first. There is no
  /// third round, so that a user who keeps editing does not prolong the sync.
  ///
  /// - Returns: Whether there are such changes.
  mutating func beginLastRound() throws(TodoError) -> Bool {
    guard push.hasLastRound else { return false }
    push.hasLastRound = false
    let denied = Set(push.denied.map(\.id))
    push.queue = try outgoing(failed: false).filter { !denied.contains($0) }
    return !push.queue.isEmpty
  }

  /// Returns the todos to send. Removals that are held (see `HeldRemovals`) are left out, unless
  /// the user has requested the sync.
  private mutating func outgoing(failed: Bool) throws(TodoError) -> [TodoID] {
    let todos = try journal.outgoing(in: list, failed: failed)
    guard !push.retriesFailed else { return todos.map(\.id) }
    report.held = todos.count(where: \.isHeld)
    return todos.filter { !$0.isHeld }.map(\.id)
  }

  /// Returns whether a time is too late to be the end of a pause. This happens if the clock was set
  /// back. Such a time is ignored.
  private func isBeyondAnyPause(_ instant: Timestamp, _ now: Timestamp) -> Bool {
    instant > later(now, Self.writePauseMilliseconds)
  }

  private mutating func acquireLease(_ now: Timestamp) throws(TodoError) -> Bool {
    hasLease = try journal.acquireLease(
      address.baseURL, for: owner, until: later(now, Self.leaseMilliseconds), now: now,
      isAlive: isAlive)
    leasedAt = hasLease ? leasedAt ?? now : nil
    return hasLease
  }

  /// Returns the time at which the outcome of a write with a lost response is final: the write has
  /// taken effect, or never will. Returns `nil` without such a write.
  ///
  /// The returned time is `outcomeMilliseconds` after the connection of the write was certainly
  /// closed. This was at the earlier of two times:
  /// - `openUntil`
  /// - `leasedAt`: If it is earlier, an earlier owner of the lease sent the write. That owner had
  ///   stopped when this engine acquired the lease.
  private func outcomeAt(_ todo: OutgoingTodo) -> Timestamp? {
    guard todo.sent != nil, let end = todo.openUntil else { return nil }
    return later(min(end, leasedAt ?? end), Self.outcomeMilliseconds)
  }

  /// Returns the next request for a todo; `nil` if there is none.
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

  /// Returns the request that sends the changed fields of a todo: those that differ from its item,
  /// which was just read. Returns `nil` if no field differs.
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
    if write == .close {
      // The request does not contain unsent edits. They stay unsent, in case the todo is restored.
      content = todo.base ?? content
      content.isDone = true
    }
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
      // The todo stays in the queue, because it may have been edited later.
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
    case (.check(let denial), .items):
      switch denial.request {
      // When the item was refused, the list may have been unreadable, too. So the item is read
      // again.
      case .read: push.stage = .begin
      case .create, .change: try apply(denial)
      }
    case (.find, _), (.identify, _), (.lookUp, _), (.read, _), (.write, _), (.check, _):
      try end(with: TodoError(.invalidResponse, Self.wrongAnswer), now)
    }
  }

  /// Counts a todo as sent. It counts once, even if several requests send it.
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
        // The write may have taken effect.
        try journal.markUnconfirmed(todo.id, at: now, in: list)
      }
      guard error.kind == .unauthorized else { return try end(with: error, now) }
      // The list may still be readable with a token that has no permission to write.
      report.sendError = error
      push.halt()
    }
  }
}
