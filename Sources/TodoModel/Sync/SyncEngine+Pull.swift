/// The steps of a sync that load items and changes from the source.
extension SyncEngine {
  enum Pull {
    case wanted(whole: Bool)
    case loading(SourceLoad)
    /// Reading the items with these keys one by one, because a load of the whole list did not
    /// contain them.
    case verifying([String], SourceLoad, endedAt: Timestamp?)
    case changes(since: String, RemoteValidator?)
    /// Reading the next page of changes by its link. The cursor does not lead to this page, because
    /// it did not advance: all changes on the page before have the same time.
    case morePages(PageLink, since: String)
    case done

    /// A request in flight.
    enum Question {
      case load(SourceLoad)
      case verify([String], SourceLoad, endedAt: Timestamp?)
      /// A request for changes. The time range is the value that `RemoteRecord.loadTime` had when
      /// the request was sent.
      case changes(since: String, ClosedRange<Timestamp>?)
    }
  }

  /// The maximum number of missing items (stored items that a load did not contain) that are read
  /// one by one after the load. A missing item may be closed or deleted. It may also have moved to
  /// a page that was already read, because another item was closed.
  ///
  /// If more items are missing, the effect depends on the list:
  /// - Without a view, no missing item is read, and all of them count as closed.
  /// - With a view, this number of items is read, and the todos of the other missing items leave
  ///   the view.
  private static let verifiedCountMax = 50

  /// Returns the next request; `nil` when everything is loaded.
  mutating func nextPull(_ now: Timestamp) throws(TodoError) -> SyncStep? {
    if case .wanted(let whole) = pull { pull = try beginPull(whole: whole, now) }
    switch pull {
    case .wanted, .done: return nil
    case .loading(let load):
      return try send(load.next.map { .page($0) } ?? .list, for: .load(load))
    case .verifying(let keys, let load, let date):
      guard let key = keys.first else {
        try finish(load, at: date, now)
        return nil
      }
      return try send(.read(key: key), for: .verify(keys, load, endedAt: date))
    case .changes(let cursor, let validator):
      return try send(
        .changes(since: cursor, validator), for: .changes(since: cursor, record.loadTime))
    case .morePages(let link, let cursor):
      return try send(.page(link), for: .changes(since: cursor, record.loadTime))
    }
  }

  /// The interval between two loads of the whole list. Loads are necessary because the changes that
  /// some sources report do not include deleted items.
  private static let wholeLoadMilliseconds: Int64 = 86_400_000
  /// The interval between two loads of the whole list if requests for changes do not report items
  /// that have left the view. With polls every 5 minutes, such an item disappears within 15
  /// minutes.
  private static let viewLoadMilliseconds: Int64 = 600_000

  private mutating func beginPull(whole: Bool, _ now: Timestamp) throws(TodoError) -> Pull {
    let record = try record
    pages = RepeatedPageDetector()
    if let unfinished = record.unfinished { return .loading(unfinished) }
    let age = record.loadedAt.map { now.milliseconds - $0.milliseconds }
    let ageMax =
      capabilities.reportsLeaving ? Self.wholeLoadMilliseconds : Self.viewLoadMilliseconds
    let isFresh = age.map { abs($0) < ageMax } ?? false
    if !whole, isFresh, record.isComplete, !record.isLoadDue, capabilities.changes != .none,
      let cursor = record.cursor
    {
      return .changes(since: cursor, record.validator)
    }
    return .loading(SourceLoad(id: try beginLoad()))
  }

  /// Begins a load of the whole list, and returns the ID of the load.
  private func beginLoad() throws(TodoError) -> Int64 {
    try journal.beginLoad(of: list, from: address, storing: capabilities.fields)
  }

  // MARK: Responses

  mutating func handle(
    _ body: RemoteAnswer.Body, to question: Pull.Question, _ now: Timestamp
  ) throws(TodoError) {
    switch (question, body) {
    case (.load(let load), .items(let page)): try handle(page, of: load, now)
    case (.verify(let keys, let load, let date), .item(let item)):
      // A closed item leaves the list when the load ends.
      record(try journal.mergeRemote([item], of: item.hasLeft ? nil : load, to: list))
      pull = .verifying(Array(keys.dropFirst()), load, endedAt: date)
    case (.changes(let since, let time), .items(let page)):
      try handle(page, since: since, time, now)
    case (.changes, .notModified):
      // Nothing is stored, so that other processes are not notified.
      pull = .done
      record(completeAt: now)
    case (.verify(let keys, let load, let date), .deleted):
      try confirmDeletion(keys, load, endedAt: date)
    case (.load, _), (.verify, _), (.changes, _):
      try end(with: TodoError(.invalidResponse, Self.wrongAnswer), now)
    }
  }

  private mutating func handle(
    _ page: RemotePage, of load: SourceLoad, _ now: Timestamp
  ) throws(TodoError) {
    do throws(TodoError) {
      try pages.check(page)
    } catch {
      // The next sync starts again with the first page.
      _ = try beginLoad()
      return try end(with: error, now)
    }
    var load = load
    load.next = page.next
    load.pageCount += 1
    load.startedAt = load.startedAt ?? page.date
    // Items that changed during the load may be on none of its pages. The next request for changes
    // returns them.
    switch capabilities.changes {
    case .time:
      if let start = load.startedAt, let instant = page.cursorAt, instant > start {
        load.cursor = load.cursor ?? page.cursor
      } else {
        load.cursor = [load.cursor, page.cursor].compactMap { $0 }.max()
      }
    case .token: load.cursor = load.cursor ?? page.cursor
    case .none: break
    }
    report.loadedBytes += page.items.reduce(0) { $0 + $1.content.byteCount }
    guard report.loadedBytes <= Self.loadBytesMax else {
      return try end(
        with: TodoError(
          .invalidResponse, "The source has more than \(Self.loadBytesMax) bytes of todos."), now)
    }
    record(try journal.mergeRemote(page.items, of: load, to: list))
    report.loadedPages = SyncReport.Pages(
      count: load.pageCount, total: page.pageCount.map { max($0, load.pageCount) })
    if page.next != nil {
      pull = .loading(load)
      return
    }
    var missing = try journal.missing(from: load.id, of: list)
    // With a view, items beyond this number leave the list without being read.
    if address.view != nil { missing = Array(missing.prefix(Self.verifiedCountMax)) }
    if !missing.isEmpty, missing.count <= Self.verifiedCountMax {
      pull = .verifying(missing, load, endedAt: page.date)
    } else {
      try finish(load, at: page.date, now)
    }
  }

  private mutating func finish(
    _ load: SourceLoad, at date: Timestamp?, _ now: Timestamp
  ) throws(TodoError) {
    try journal.finishLoad(load.id, of: list, at: now)
    let isShifting = load.pageCount > 1 && capabilities.changes == .time
    try journal.record(
      cursor: load.cursor, nil, loadEndedAt: isShifting ? date : nil, at: now, of: list)
    pull = .done
    record(completeAt: now)
  }

  private mutating func handle(
    _ page: RemotePage, since cursor: String, _ asked: ClosedRange<Timestamp>?, _ now: Timestamp
  ) throws(TodoError) {
    if let problem = changesProblem(page, since: cursor) {
      return try end(with: problem, now)
    }
    var delivery = try journal.mergeRemote(page.items, of: nil, to: list)
    if !page.deleted.isEmpty {
      delivery.changed += try journal.mergeRemote(deleted: page.deleted, to: list).changed
    }
    record(delivery)
    // If an entry left the list during the load, the items after it moved up by one place. One of
    // them may then have moved to a page that was already read.
    let known = try record
    let time = known.loadTime
    guard time == asked else {
      // Another server has finished a load meanwhile, so its cursor is newer.
      visitedCursors = []
      pull = .changes(since: known.cursor ?? cursor, nil)
      return
    }
    if let time,
      page.items.contains(where: { $0.mayHaveLeft(during: time) })
        || page.otherEntries.contains(where: { $0.mayHaveLeft(during: time) })
    {
      guard !isReloadDue(known, now) else {
        pull = .wanted(whole: true)
        return
      }
      // The cursor is not advanced, so the same changes are requested again until the load is
      // allowed.
      isReloadDelayed = true
    }
    let next = page.cursor ?? cursor
    if next != cursor || page.next == nil, let changed = changedInSameSecond.take(),
      changed + delivery.changed > 0
    {
      // These pages also shift when items change. They are read again until they contain nothing
      // new.
      pull = .changes(since: cursor, nil)
      return
    }
    guard page.isFull else {
      // The validator is valid only for the requested URL, which contains the cursor.
      if !isReloadDelayed {
        try journal.record(
          cursor: next, next == cursor ? page.validator : nil, loadEndedAt: nil, at: now, of: list)
      }
      pull = .done
      return record(completeAt: now)
    }
    // The next request starts at the cursor of the page. Following the links of pages would miss
    // items, because pages shift when items change.
    if next != cursor {
      if !isReloadDelayed {
        try journal.record(
          cursor: next, nil, loadEndedAt: time?.upperBound, at: now, of: list)
      }
      pull = .changes(since: next, nil)
    } else if let link = page.next {
      if changedInSameSecond == nil { pages = RepeatedPageDetector() }
      changedInSameSecond = (changedInSameSecond ?? 0) + delivery.changed
      do throws(TodoError) {
        try pages.check(page)
      } catch {
        return try end(with: error, now)
      }
      pull = .morePages(link, since: cursor)
    } else {
      pull = .done
      record(completeAt: now)
    }
  }

  /// Returns an error if the source keeps sending pages of changes forever, which is a defect of
  /// the source; otherwise `nil`.
  private mutating func changesProblem(_ page: RemotePage, since cursor: String) -> TodoError? {
    changePageCount += 1
    visitedCursors.insert(cursor)
    let isEmpty = page.items.isEmpty && page.deleted.isEmpty && page.digest == 0
    let next = page.cursor ?? cursor
    let isRepeated = next != cursor && visitedCursors.contains(next)
    guard page.isFull, isEmpty || isRepeated || changePageCount > Self.changePagesMax else {
      return nil
    }
    return TodoError(
      .invalidResponse, "The source sends endless changes. This is a fault of the source.")
  }

  /// The minimum time between a load of the whole list and a reload. A reload is a repetition of
  /// the load because pages shifted during it. The first reload is exempt (see `isReloadDue`).
  private static let reloadMilliseconds: Int64 = 900_000

  /// Returns whether a reload of the whole list is allowed now. A reload is wanted if the last load
  /// may have missed items, because pages shifted while items left the list. The first reload is
  /// always allowed. Later ones are allowed only after a minimum time. Without this time, a list
  /// that changes constantly would be loaded again and again.
  private func isReloadDue(_ record: RemoteRecord, _ now: Timestamp) -> Bool {
    guard record.loadCount > 1, let end = record.loadedAt else { return true }
    return abs(now.milliseconds - end.milliseconds) >= Self.reloadMilliseconds
  }

  mutating func handle(
    _ error: TodoError, to question: Pull.Question, _ now: Timestamp
  ) throws(TodoError) {
    if case .verify(let keys, let load, let date) = question,
      error.kind == .notFound || error.kind == .issuesDisabled
    {
      return try confirmDeletion(keys, load, endedAt: date)
    }
    if case .changes = question, error.kind == .validation {
      // The source has rejected the cursor.
      pull = .wanted(whole: true)
      return
    }
    if case .load(let load) = question, load.next != nil, report.loadedPages.count == 0,
      error.kind == .invalidResponse
    {
      // The page at which the last sync stopped cannot be loaded. The next sync starts a new load.
      _ = try beginLoad()
    }
    try end(with: error, now)
  }

  /// Removes the todo whose item has the first of the given keys, because the source has deleted
  /// this item. The items with the other keys are read next.
  private mutating func confirmDeletion(
    _ keys: [String], _ load: SourceLoad, endedAt date: Timestamp?
  ) throws(TodoError) {
    record(try journal.mergeRemote(deleted: Array(keys.prefix(1)), to: list))
    pull = .verifying(Array(keys.dropFirst()), load, endedAt: date)
  }

  private mutating func record(_ delivery: MergeReport) {
    report.pulled += delivery.changed
    report.merged += delivery.merged
    report.conflicts += delivery.conflicts
  }

  private mutating func record(completeAt now: Timestamp) {
    report.syncedAt = now
    report.isComplete = true
  }
}

extension RemoteItem {
  /// Returns whether the item may have been absent from the list for some time during a load.
  fileprivate func mayHaveLeft(during time: ClosedRange<Timestamp>) -> Bool {
    if let left = leftAt ?? (hasLeft || !isInView ? updatedAt : nil) { return time.contains(left) }
    return hasReturned && updatedAt.map { $0 >= time.lowerBound } ?? true
  }
}

extension TodoContent {
  fileprivate var byteCount: Int { title.utf8.count + note.utf8.count }
}
