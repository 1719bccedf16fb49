import SQLiteDatabase
import TodoModel

/// The state of synchronization.
extension SQLiteStore: SyncJournal {
  // MARK: Hosts

  package func host(_ baseURL: String) throws(TodoError) -> HostRateLimit {
    try database.read { connection throws(TodoError) in
      try connection.tables.hosts.rateLimit(of: baseURL)
    }
  }

  package func backOff(
    _ baseURL: String, until: Timestamp, consecutiveLimitCount: Int, at now: Timestamp
  ) throws(TodoError) {
    try database.change { connection throws(TodoError) in
      try connection.tables.hosts.backOff(
        baseURL, until: SyncEngine.limitEnd(until, at: now),
        consecutiveLimitCount: consecutiveLimitCount,
        notAfter: SyncEngine.limitEnd(Timestamp(milliseconds: .max), at: now))
    }
  }

  package func delayNextWrite(to baseURL: String, until instant: Timestamp) throws(TodoError) {
    try database.change { connection throws(TodoError) in
      try connection.tables.hosts.delayNextWrite(to: baseURL, until: instant)
    }
  }

  package func acquireLease(
    _ baseURL: String, for owner: String, until: Timestamp, now: Timestamp,
    isAlive: (String) -> Bool
  ) throws(TodoError) -> Bool {
    try database.change { connection throws(TodoError) in
      try connection.tables.hosts.acquireLease(
        baseURL, for: owner, until: until, now: now, isAlive: isAlive)
    }
  }

  package func endLease(_ baseURL: String, of owner: String) throws(TodoError) {
    try database.change { connection throws(TodoError) in
      try connection.tables.hosts.endLease(baseURL, of: owner)
    }
  }

  // MARK: Items of a source

  private static let validatorsMax = 64

  package func remote(of list: TodoListKey) throws(TodoError) -> RemoteRecord {
    var record = try database.read { connection throws(TodoError) in
      let tables = connection.tables
      guard let number = try tables.lists.knownNumber(of: list) else { return RemoteRecord() }
      return try tables.remotes.record(of: viewKey(of: list, number)) ?? RemoteRecord()
    }
    record.validator = validators.withLock { $0[list] }
    return record
  }

  package func beginLoad(
    of list: TodoListKey, from address: RemoteAddress, storing fields: ContentFieldSet
  ) throws(TodoError) -> Int64 {
    try database.change { connection throws(TodoError) in
      let tables = connection.tables
      return try tables.remotes.begin(
        viewKey(of: list, tables.lists.number(of: list)), from: address, storing: fields)
    }
  }

  package func mergeRemote(
    _ items: [RemoteItem], of load: SourceLoad?, to list: TodoListKey
  ) throws(TodoError) -> MergeReport {
    let now = environment.now()
    return try database.change { connection throws(TodoError) in
      let tables = connection.tables
      let view = viewKey(of: list, try tables.lists.number(of: list))
      var report = MergeReport()
      for item in items {
        try merge(item, load?.id ?? 0, now, view, tables, &report)
      }
      if let load {
        try tables.remotes.markListed(items, load.id, in: view)
        try tables.remotes.advance(load, of: view)
      }
      return report
    }
  }

  package func mergeRemote(
    deleted keys: [String], to list: TodoListKey
  ) throws(TodoError) -> MergeReport {
    var report = MergeReport()
    try change(numberOf: list) { (number, tables) throws(TodoError) in
      let origin = ChangeOrigin.source(number, at: environment.now())
      for key in keys {
        guard let before = try tables.todos.stored(key: key, in: number) else { continue }
        var after = before
        if !after.delete(at: origin.at) { after.fail(.deletedItem) }
        try tables.todos.save(after, replacing: before, origin)
        if after.isRemoved != before.isRemoved { report.changed += 1 }
      }
    }
    return report
  }

  package func missing(
    from loadID: Int64, of list: TodoListKey
  ) throws(TodoError) -> [String] {
    try database.read { connection throws(TodoError) in
      let tables = connection.tables
      guard let number = try tables.lists.knownNumber(of: list) else { return [] }
      return try tables.remotes.openUnlisted(by: loadID, in: viewKey(of: list, number))
    }
  }

  package func finishLoad(
    _ loadID: Int64, of list: TodoListKey, at now: Timestamp
  ) throws(TodoError) {
    try change(numberOf: list) { (number, tables) throws(TodoError) in
      let view = viewKey(of: list, number)
      let missing = try tables.remotes.finish(loadID, of: view, at: now)
      let origin = ChangeOrigin.source(number, at: now)
      for row in missing.closed {
        try tables.todos.leave(row: row, origin) { stored in stored.close(at: origin.at) }
      }
      for row in missing.outside { try tables.views.leave(row: row, view, at: now) }
      if !missing.outside.isEmpty { try tables.lists.recordEdit(in: number) }
      for before in missing.removed {
        var after = before
        _ = after.delete(at: now)
        try tables.todos.save(after, replacing: before, origin)
      }
    }
  }

  package func record(
    cursor: String?, _ validator: RemoteValidator?, loadEndedAt: Timestamp?, at now: Timestamp,
    of list: TodoListKey
  ) throws(TodoError) {
    try change(numberOf: list) { (number, tables) throws(TodoError) in
      try tables.remotes.record(
        cursor: cursor, loadEndedAt: loadEndedAt, at: now, of: viewKey(of: list, number))
    }
    validators.withLock { validators in
      // A small cache is sufficient: without a validator, the source sends a complete response
      // once.
      if validators.count >= Self.validatorsMax { validators.removeAll() }
      validators[list] = validator
    }
  }

  package func record(path: String, of list: TodoListKey) throws(TodoError) {
    try change(numberOf: list) { (number, tables) throws(TodoError) in
      try tables.remotes.record(path: path, of: viewKey(of: list, number))
    }
  }

  package func labelsReadAt(of list: TodoListKey) throws(TodoError) -> Timestamp? {
    try database.read { connection throws(TodoError) in
      let tables = connection.tables
      guard let number = try tables.lists.knownNumber(of: list) else { return nil }
      return try tables.sourceLabels.readAt(of: number)
    }
  }

  package func record(
    labels: LabelSet, at now: Timestamp, of list: TodoListKey
  ) throws(TodoError) {
    try change(numberOf: list) { (number, tables) throws(TodoError) in
      try tables.sourceLabels.replace(labels, of: number, at: now)
    }
  }

  private func change(
    numberOf list: TodoListKey, _ body: (Int64, TodoTables) throws(TodoError) -> Void
  ) throws(TodoError) {
    try database.change { connection throws(TodoError) in
      guard let number = try connection.tables.lists.knownNumber(of: list) else { return }
      try body(number, connection.tables)
    }
  }

  /// Merges an item from a source into a list, and records whether the item is in the view `view`.
  private func merge(
    _ item: RemoteItem, _ loadID: Int64, _ now: Timestamp, _ view: ViewKey,
    _ tables: TodoTables, _ report: inout MergeReport
  ) throws(TodoError) {
    let changed = report.changed
    try merge(item, loadID, now, view.list, tables, &report)
    guard try tables.views.record(item, in: view, at: now) else { return }
    try tables.lists.recordEdit(in: view.list)
    if report.changed == changed { report.changed += 1 }
  }

  private func merge(
    _ item: RemoteItem, _ loadID: Int64, _ now: Timestamp, _ list: Int64,
    _ tables: TodoTables, _ report: inout MergeReport
  ) throws(TodoError) {
    if item.formerKey == nil, try tables.todos.has(item, in: list) { return }
    var found = try tables.todos.stored(key: item.key, in: list)
    if let key = item.formerKey, let former = try tables.todos.stored(key: key, in: list) {
      // A load has already added the item under its new key, as another todo.
      guard
        try found.map({ other throws(TodoError) in
          try tables.todos.delete(other, .source(list, at: now))
        }) ?? true
      else { return }
      found = former
    }
    // A request of another server created the item, and its response was lost or is still to come.
    if found == nil, let marker = item.marker, let id = try tables.outbox.todo(marker, in: list) {
      found = try tables.todos.stored(id, in: list)
    }
    guard let before = found else {
      guard !item.hasLeft, item.isInView else { return }
      let todo = Todo(
        id: environment.newID(), content: item.content, version: 1,
        createdAt: item.createdAt ?? now, updatedAt: item.updatedAt ?? now, origin: nil,
        sync: .synced)
      // The first load fills an empty list, in which the items keep the order of the source.
      let place =
        loadID == RemoteTable.firstLoadID
        ? item.order : try tables.order.place(.aboveOlder(sourceOrder: item.order), in: list)
      try tables.todos.insert(
        todo, from: item, loadID: loadID, at: place, .source(list, at: now))
      report.changed += 1
      return
    }
    // The item was requested before another server's write, and the response came after the write.
    if item.isOlder(thanRevision: before.revision) { return }
    var after = before
    if before.key == nil { after.adopt(item, now: now) } else { after.receive(item, now: now) }
    try tables.todos.save(
      after, replacing: before, .source(list, at: now), loadID: loadID)
    if after.todo != before.todo || after.isRemoved != before.isRemoved { report.changed += 1 }
    if before.todo.sync == .pending, after.todo.version != before.todo.version {
      report.merged += 1
    }
    if after.todo.sync == .conflict, before.todo.sync != .conflict { report.conflicts += 1 }
  }

  // MARK: Changes to send

  package func outgoing(in list: TodoListKey, failed: Bool) throws(TodoError) -> [OutgoingTodo] {
    let now = environment.now()
    return try database.read { connection throws(TodoError) in
      let tables = connection.tables
      guard let number = try tables.lists.knownNumber(of: list) else { return [] }
      return try tables.outbox.outgoing(in: number, failed: failed, at: now)
    }
  }

  package func outgoing(_ id: TodoID, in list: TodoListKey) throws(TodoError) -> OutgoingTodo? {
    try database.read { connection throws(TodoError) in
      let tables = connection.tables
      guard let number = try tables.lists.knownNumber(of: list),
        let stored = try tables.todos.stored(id, in: number)
      else { return nil }
      return stored.isOutgoing ? OutgoingTodo(stored) : nil
    }
  }

  package func recordAttempt(
    _ write: RemoteWrite, _ content: TodoContent, marker: ItemMarker?, of id: TodoID,
    in list: TodoListKey, to host: String, openUntil: Timestamp, nextWriteAt: Timestamp
  ) throws(TodoError) {
    _ = try change(id, in: list) { (stored, tables) throws(TodoError) in
      stored.sent = UnconfirmedWrite(
        kind: write, content: content, openUntil: openUntil, marker: marker)
      try tables.hosts.delayNextWrite(to: host, until: nextWriteAt)
      // Closing an item shifts the other items on the pages of an unfinished load, which must
      // therefore start again.
      if content.isDone, let number = try tables.lists.knownNumber(of: list) {
        try tables.remotes.restartLoad(of: number)
      }
    }
  }

  package func markUnconfirmed(
    _ id: TodoID, at now: Timestamp, in list: TodoListKey
  ) throws(TodoError) {
    _ = try change(id, in: list) { (stored, _) throws(TodoError) in stored.sent?.openUntil = now }
  }

  package func recordReceived(
    _ item: RemoteItem, for id: TodoID, isAnswer: Bool, in list: TodoListKey
  ) throws(TodoError) -> OutgoingTodo? {
    let now = environment.now()
    let stored = try change(id, in: list, at: now, after: item) {
      (stored, tables) throws(TodoError) in
      if let key = stored.key, !key.hasSameBytes(as: item.key) {
        guard try tables.deleteDuplicate(of: item, keeping: stored.todo.id, in: list, at: now)
        else { return }
      }
      if isAnswer {
        stored.accept(item, now: now)
        if item.isIncomplete { stored.failIncomplete(SyncFailure(.requirementsRefused)) }
      } else if stored.key == nil {
        guard try tables.deleteDuplicate(of: item, keeping: stored.todo.id, in: list, at: now)
        else { return }
        stored.adopt(item, now: now)
      } else {
        stored.receiveOutcome(item, now: now)
      }
    }
    guard let stored, stored.isOutgoing else { return nil }
    return OutgoingTodo(stored)
  }

  package func recordReceived(
    labels: LabelSet, for id: TodoID, in list: TodoListKey
  ) throws(TodoError) -> OutgoingTodo? {
    let now = environment.now()
    let stored = try change(id, in: list, at: now) { (stored, _) throws(TodoError) in
      stored.accept(labels: labels, now: now)
    }
    guard let stored, stored.isOutgoing else { return nil }
    return OutgoingTodo(stored)
  }

  package func requeue(_ id: TodoID, in list: TodoListKey) throws(TodoError) {
    _ = try change(id, in: list) { (stored, _) throws(TodoError) in stored.sent = nil }
  }

  package func confirmDeletion(_ id: TodoID, in list: TodoListKey) throws(TodoError) -> Bool {
    let now = environment.now()
    var isSettled = true
    _ = try change(id, in: list, at: now) { (stored, _) throws(TodoError) in
      isSettled = stored.delete(at: now)
    }
    return isSettled
  }

  package func recordFailure(
    _ failure: SyncFailure, _ id: TodoID, keepsSent: Bool, in list: TodoListKey
  ) throws(TodoError) {
    _ = try change(id, in: list) { (stored, _) throws(TodoError) in
      let sent = stored.sent
      stored.fail(failure)
      if keepsSent { stored.sent = sent }
    }
  }

  /// Changes one todo, even if it was removed from the list.
  ///
  /// - Parameter item: The todo's item, if the source has returned it. The item shows whether the
  ///   todo is in the view.
  /// - Returns: The changed todo; `nil` if the todo does not exist.
  private func change(
    _ id: TodoID, in list: TodoListKey, at now: Timestamp? = nil, after item: RemoteItem? = nil,
    _ body: (inout StoredTodo, TodoTables) throws(TodoError) -> Void
  ) throws(TodoError) -> StoredTodo? {
    try database.change { connection throws(TodoError) in
      let tables = connection.tables
      guard let number = try tables.lists.knownNumber(of: list),
        let before = try tables.todos.stored(id, in: number)
      else { return nil }
      var after = before
      try body(&after, tables)
      let time = now ?? after.todo.updatedAt
      try tables.todos.save(after, replacing: before, .source(number, at: time))
      if let item, after.key != nil {
        let view = viewKey(of: list, number)
        if try tables.views.record(item, isNew: before.key == nil, in: view, at: time) {
          try tables.lists.recordEdit(in: number)
        }
      }
      return after
    }
  }
}

extension TodoTables {
  /// Deletes the duplicate of the todo `id`: another todo that a load has created for `item`, which
  /// belongs to the todo `id`. Does nothing if there is no duplicate.
  ///
  /// - Returns: `false`, without a change, if the user has changed the duplicate or can restore it.
  fileprivate func deleteDuplicate(
    of item: RemoteItem, keeping id: TodoID, in list: TodoListKey, at now: Timestamp
  ) throws(TodoError) -> Bool {
    guard let number = try lists.knownNumber(of: list),
      let other = try todos.stored(key: item.key, in: number), other.todo.id != id
    else { return true }
    return try todos.delete(other, .source(number, at: now))
  }
}

extension StoredTodo {
  /// Whether the todo has a change to send, or a write with an unknown outcome.
  var isOutgoing: Bool {
    if sent != nil { return true }
    guard todo.sync == .pending || todo.sync == .failed else { return false }
    return !(isRemoved && key == nil)
  }
}
