/// The steps of a sync that search for an item created by a request whose response was lost.
///
/// At a source that uses markers as keys, the item is read by its key. At other sources, the newest
/// items are searched for the marker of the request. If no item contains this marker, a user may
/// have deleted the marker from the item. Therefore, items without a marker are candidates if the
/// user of the access token may have created them while the request was in flight. If exactly one
/// candidate has the text of the request, it becomes the todo's item. If there are candidates, but
/// none or several of them have this text, the todo becomes `failed`, and no request creates its
/// item again.
extension SyncEngine {
  /// The largest difference that the search allows between this machine's clock and the source's
  /// clock.
  private static let clockErrorMilliseconds: Int64 = 86_400_000
  /// The largest rounding error of a difference between two times of the source, which are in whole
  /// seconds.
  private static let roundingMilliseconds: Int64 = 2_000

  mutating func search(for todo: OutgoingTodo) throws(TodoError) -> SyncStep {
    push.candidates = []
    if capabilities.recognition == .key, let marker = todo.marker ?? todo.exported?.marker {
      return try send(.read(key: marker.text), for: .lookUp(todo))
    }
    pages = RepeatedPageDetector()
    return try send(.newest, for: .find(todo, isSecond: false))
  }

  mutating func handle(
    _ page: RemotePage, toFind todo: OutgoingTodo, isSecond: Bool, _ now: Timestamp
  ) throws(TodoError) {
    let isFirstPage: Bool
    switch push.stage {
    case .begin, .finding(nil, _): isFirstPage = true
    case .finding, .identifying, .absent, .ready, .labelling, .checking: isFirstPage = false
    }
    push.stage = .begin
    let markers = [todo.marker, todo.exported?.marker].compactMap { $0 }
    if let own = page.items.first(where: { $0.marker.map(markers.contains) ?? false }) {
      guard try adopt(own, for: todo) else { return try refuse(todo.id, .otherTodo(of: own)) }
      // The todo stays in the queue, because it may have been edited later.
      countSent(todo.id)
      return
    }
    if isFirstPage { pages = RepeatedPageDetector() }
    do throws(TodoError) {
      try pages.check(page)
    } catch {
      return try end(with: error, now)
    }
    if todo.sent == .create { collectCandidates(page, for: todo, now) }
    let oldest = page.items.compactMap(\.createdAt).min()
    let start = [todo.openUntil, todo.exported?.since].compactMap { $0 }.min()
    let since = (start?.milliseconds ?? 0) - Self.clockErrorMilliseconds
    if let next = page.next, (oldest?.milliseconds ?? .max) >= since {
      push.stage = .finding(next, isSecond: isSecond)
    } else if !isFirstPage, !isSecond {
      push.stage = .finding(nil, isSecond: true)
    } else if push.candidates.contains(where: { $0.creator != nil }) {
      push.stage = .identifying
    } else {
      try settle(todo, user: nil)
    }
  }

  private mutating func collectCandidates(
    _ page: RemotePage, for todo: OutgoingTodo, _ now: Timestamp
  ) {
    let time = creationTime(of: todo, by: page.date, now)
    let known = Set(push.candidates.map(\.key))
    push.candidates += page.items.filter { item in
      item.marker == nil && !known.contains(item.key)
        && item.createdAt.map { time.contains($0) } ?? true
    }
  }

  /// Assigns an item to a todo.
  ///
  /// - Returns: `false` if the item already belongs to another todo of the list, and that other
  ///   todo has unsent edits.
  func adopt(_ item: RemoteItem, for todo: OutgoingTodo) throws(TodoError) -> Bool {
    let after = try journal.recordReceived(item, for: todo.id, isAnswer: false, in: list)
    return after.map { $0.key != nil } ?? true
  }

  /// Queues a new todo to be sent again, because the source has no item for it.
  mutating func confirmAbsence(of todo: OutgoingTodo) throws(TodoError) {
    try journal.requeue(todo.id, in: list)
    push.stage = .absent
  }

  /// Returns the time range in which a request can have created an item, by the source's clock.
  ///
  /// - Parameter date: The time at which the source sent the page of the search, by the source's
  ///   clock. Its difference from `now` is the difference between that clock and this machine's.
  private func creationTime(
    of todo: OutgoingTodo, by date: Timestamp?, _ now: Timestamp
  ) -> ClosedRange<Timestamp> {
    let end = todo.openUntil ?? now
    let start =
      todo.marker?.createdAt ?? later(end, -RequestTimeouts.ceilingMilliseconds)
    let ahead = date.map { $0.milliseconds - now.milliseconds } ?? 0
    let first = later(start, ahead - Self.roundingMilliseconds)
    return
      first...max(
        first, later(end, ahead + Self.outcomeMilliseconds + Self.roundingMilliseconds))
  }

  /// Decides whether the source has an item for a new todo. Used when the response to the creation
  /// was lost, and no item has the todo's marker.
  ///
  /// - Parameter user: The name of the user at the source; `nil` if it is not known.
  mutating func settle(_ todo: OutgoingTodo, user: String?) throws(TodoError) {
    push.stage = .begin
    let own = push.candidates.filter { $0.creator == nil || user == nil || $0.creator == user }
    push.candidates = []
    guard !own.isEmpty else { return try confirmAbsence(of: todo) }
    let sent = todo.sentContent ?? todo.content
    let same = own.filter { $0.hasText(of: sent) && ($0.creator == nil || user != nil) }
    guard same.count == 1, try adopt(same[0], for: todo) else {
      // A removed todo needs no item.
      if todo.isRemoved { return try confirmAbsence(of: todo) }
      let links = own.prefix(3).map(\.url).joined(separator: ", ")
      return try refuse(
        todo.id,
        TodoError(
          .conflict,
          "The response was lost, and \(own.count == 1 ? "this" : "one of these") may be the todo: "
            + "\(links). Remove it here or there; it is not sent again."), keepsSent: true)
    }
    // The todo stays in the queue, because it may have been edited later.
    countSent(todo.id)
  }

  /// The maximum number of attempts in one sync to send a conditional change.
  private static let collisionsMax = 3

  /// Reads an item again before its change is sent again, because another user has changed the item
  /// since it was last read.
  mutating func readAgain(_ todo: OutgoingTodo, _ error: TodoError) throws(TodoError) {
    guard capabilities.hasConditionalWrites, todo.key != nil else {
      return try refuse(todo.id, error)
    }
    try journal.requeue(todo.id, in: list)
    push.collisionCounts[todo.id, default: 0] += 1
    if push.collisionCounts[todo.id] ?? 0 < Self.collisionsMax {
      push.stage = .begin
    } else {
      push.dropFirst()
    }
  }
}

extension TodoError {
  /// Returns the error for a new todo whose item already belongs to another todo of the list, if
  /// that other todo has unsent edits.
  static func otherTodo(of item: RemoteItem) -> TodoError {
    TodoError(
      .conflict,
      "The source has this todo already: \(item.url). The list has that as another todo, which was "
        + "edited. Remove one of the two.")
  }
}

extension RemoteItem {
  /// Returns whether the title and note equal those that were sent. Surrounding whitespace and line
  /// ends are ignored, because sources change them.
  fileprivate func hasText(of sent: TodoContent) -> Bool {
    content.title.trimmed.hasSameBytes(as: sent.title.trimmed)
      && content.note.withLF.trimmed.hasSameBytes(as: sent.note.withLF.trimmed)
  }
}

/// A detector for pages that repeat, which would cause endless requests. It stores the digest of
/// one earlier page (Brent's algorithm).
package struct RepeatedPageDetector {
  private var landmark: UInt64?
  private var count = 0

  package init() {}

  /// Checks that the next page of a list is not a repetition of an earlier page.
  ///
  /// - Throws: `invalidResponse` if the page has the stored digest of an earlier page. The last
  ///   page of the list is not checked.
  package mutating func check(_ page: RemotePage) throws(TodoError) {
    guard page.next != nil else { return }
    guard landmark != page.digest else {
      throw TodoError(
        .invalidResponse, "The source repeats its pages. This is a fault of the source.")
    }
    count += 1
    if count & (count - 1) == 0 { landmark = page.digest }
  }
}
