import SQLiteDatabase
import TodoModel

/// The state of syncs.
extension SQLiteStore: SyncJournal {
  // MARK: Hosts

  package func host(_ baseURL: String) throws(TodoError) -> HostRecord {
    try database.read { connection throws(TodoError) in
      try connection.tables.hosts.record(of: baseURL)
    }
  }

  package func backOff(
    _ baseURL: String, until: Timestamp, limitCount: Int, at now: Timestamp
  ) throws(TodoError) {
    try database.change { connection throws(TodoError) in
      try connection.tables.hosts.backOff(
        baseURL, until: SyncEngine.limitEnd(until, at: now), limitCount: limitCount,
        notAfter: SyncEngine.limitEnd(Timestamp(milliseconds: .max), at: now))
    }
  }

  package func slow(_ baseURL: String, nextWriteAt: Timestamp) throws(TodoError) {
    try database.change { connection throws(TodoError) in
      try connection.tables.hosts.slow(baseURL, nextWriteAt: nextWriteAt)
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
      return try tables.remotes.record(of: number) ?? RemoteRecord()
    }
    record.validator = validators.withLock { $0[list] }
    return record
  }

  package func beginLoad(
    of list: TodoListKey, from address: RemoteAddress
  ) throws(TodoError) -> Int64 {
    try database.change { connection throws(TodoError) in
      let tables = connection.tables
      return try tables.remotes.begin(tables.lists.number(of: list), from: address)
    }
  }

  package func deliver(
    _ items: [RemoteItem], of load: SourceLoad?, to list: TodoListKey
  ) throws(TodoError) -> DeliveryReport {
    let now = environment.now()
    return try database.change { connection throws(TodoError) in
      let tables = connection.tables
      let number = try tables.lists.number(of: list)
      var report = DeliveryReport()
      for item in items {
        try mergeItem(item, load?.generation ?? 0, now, number, tables, &report)
      }
      if let load {
        try tables.remotes.see(items, load.generation, in: number)
        try tables.remotes.advance(load, of: number)
      }
      return report
    }
  }

  package func deliver(
    deleted keys: [String], to list: TodoListKey
  ) throws(TodoError) -> DeliveryReport {
    var report = DeliveryReport()
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
    from generation: Int64, of list: TodoListKey
  ) throws(TodoError) -> [String] {
    try database.read { connection throws(TodoError) in
      let tables = connection.tables
      guard let number = try tables.lists.knownNumber(of: list) else { return [] }
      return try tables.remotes.openUnseen(by: generation, in: number)
    }
  }

  package func finishLoad(
    _ generation: Int64, of list: TodoListKey, at now: Timestamp
  ) throws(TodoError) {
    try change(numberOf: list) { (number, tables) throws(TodoError) in
      let ended = try tables.remotes.finish(generation, of: number, at: now)
      let origin = ChangeOrigin.source(number, at: now)
      for row in ended.gone {
        try tables.todos.leave(row: row, origin) { stored in stored.close(at: origin.at) }
      }
      for before in ended.removed {
        var after = before
        _ = after.delete(at: now)
        try tables.todos.save(after, replacing: before, origin)
      }
    }
  }

  package func keep(
    cursor: String?, _ validator: RemoteValidator?, loadEndedAt: Timestamp?, at now: Timestamp,
    of list: TodoListKey
  ) throws(TodoError) {
    try change(numberOf: list) { (number, tables) throws(TodoError) in
      try tables.remotes.keep(cursor: cursor, loadEndedAt: loadEndedAt, at: now, of: number)
    }
    validators.withLock { validators in
      // Without a validator the response is complete, so a small cache is sufficient.
      if validators.count >= Self.validatorsMax { validators.removeAll() }
      validators[list] = validator
    }
  }

  package func keep(path: String, of list: TodoListKey) throws(TodoError) {
    try change(numberOf: list) { (number, tables) throws(TodoError) in
      try tables.remotes.keep(path: path, of: number)
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

  /// Merges an item of a source into the list with a number.
  func mergeItem(
    _ item: RemoteItem, _ generation: Int64, _ now: Timestamp, _ list: Int64,
    _ tables: TodoTables, _ report: inout DeliveryReport
  ) throws(TodoError) {
    if try tables.todos.has(item, in: list) { return }
    var found = try tables.todos.stored(key: item.key, in: list)
    // The item was created by another server's request, whose response was lost or not received
    // yet.
    if found == nil, let marker = item.marker, let id = try tables.outbox.todo(marker, in: list) {
      found = try tables.todos.stored(id, in: list)
    }
    guard let before = found else {
      guard !item.hasLeft else { return }
      let todo = Todo(
        id: environment.newID(), content: item.content, version: 1,
        createdAt: item.createdAt ?? now, updatedAt: item.updatedAt ?? now, origin: nil,
        sync: .synced)
      try tables.todos.insert(
        todo, from: item, generation: generation, at: item.order, .source(list, at: now))
      report.changed += 1
      return
    }
    var after = before
    if before.key == nil { after.adopt(item, now: now) } else { after.receive(item, now: now) }
    try tables.todos.save(
      after, replacing: before, .source(list, at: now), generation: generation)
    if after.todo != before.todo || after.isRemoved != before.isRemoved { report.changed += 1 }
    if before.todo.sync == .pending, after.todo.version != before.todo.version {
      report.merged += 1
    }
    if after.todo.sync == .conflict, before.todo.sync != .conflict { report.conflicts += 1 }
  }

  // MARK: Changes to send

  package func outgoing(in list: TodoListKey, failed: Bool) throws(TodoError) -> [OutgoingTodo] {
    try database.read { connection throws(TodoError) in
      let tables = connection.tables
      guard let number = try tables.lists.knownNumber(of: list) else { return [] }
      return try tables.outbox.outgoing(in: number, failed: failed)
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
        what: write, content: content, openUntil: openUntil, marker: marker)
      try tables.hosts.slow(host, nextWriteAt: nextWriteAt)
      // A closed item leaves the pages of an unfinished load, and shifts the others.
      if content.isDone, let number = try tables.lists.knownNumber(of: list) {
        try tables.remotes.beginAnew(number)
      }
    }
  }

  package func markUnconfirmed(
    _ id: TodoID, at now: Timestamp, in list: TodoListKey
  ) throws(TodoError) {
    _ = try change(id, in: list) { (stored, _) throws(TodoError) in stored.sent?.openUntil = now }
  }

  package func received(
    _ item: RemoteItem, for id: TodoID, isAnswer: Bool, in list: TodoListKey
  ) throws(TodoError) -> OutgoingTodo? {
    let now = environment.now()
    let stored = try change(id, in: list, at: now) { (stored, tables) throws(TodoError) in
      if isAnswer {
        stored.accept(item, now: now)
      } else if stored.key == nil {
        guard try tables.makeRoom(for: item, of: stored.todo.id, in: list, at: now) else { return }
        stored.adopt(item, now: now)
      } else {
        stored.receiveOutcome(item, now: now)
      }
    }
    guard let stored, stored.isOutgoing else { return nil }
    return OutgoingTodo(stored)
  }

  package func received(
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

  package func failed(
    _ failure: SyncFailure, _ id: TodoID, keepsSent: Bool, in list: TodoListKey
  ) throws(TodoError) {
    _ = try change(id, in: list) { (stored, _) throws(TodoError) in
      let sent = stored.sent
      stored.fail(failure)
      if keepsSent { stored.sent = sent }
    }
  }

  /// Changes one todo, which may have left the list; returns `nil` if it does not exist.
  private func change(
    _ id: TodoID, in list: TodoListKey, at now: Timestamp? = nil,
    _ body: (inout StoredTodo, TodoTables) throws(TodoError) -> Void
  ) throws(TodoError) -> StoredTodo? {
    try database.change { connection throws(TodoError) in
      let tables = connection.tables
      guard let number = try tables.lists.knownNumber(of: list),
        let before = try tables.todos.stored(id, in: number)
      else { return nil }
      var after = before
      try body(&after, tables)
      try tables.todos.save(
        after, replacing: before, .source(number, at: now ?? after.todo.updatedAt))
      return after
    }
  }

  // MARK: Conflicts

  package func conflicts(
    offset: Int, limit: Int, in list: TodoListKey
  ) throws(TodoError) -> (conflicts: [SourceConflict], total: Int) {
    try database.read { connection throws(TodoError) in
      try connection.snapshot { () throws(TodoError) in
        let tables = connection.tables
        guard let number = try tables.lists.knownNumber(of: list) else { return ([], 0) }
        return (
          try tables.outbox.conflicts(offset: offset, limit: limit, in: number),
          try tables.outbox.counts(of: number).conflicts
        )
      }
    }
  }

  package func conflict(
    of id: TodoID, in list: TodoListKey
  ) throws(TodoError) -> SourceConflict? {
    try database.read { connection throws(TodoError) in
      let tables = connection.tables
      guard let number = try tables.lists.knownNumber(of: list) else { return nil }
      return try tables.todos.stored(id, in: number)?.conflict
    }
  }

  package func resolve(
    _ id: TodoID, version: Int64, to resolution: Resolution, in list: TodoListKey
  ) throws(TodoError) -> Todo {
    try changeByPerson(id, in: list) { (before, tables) throws(TodoError) in
      guard let conflict = before.conflict, conflict.version == version else {
        // The conflict was resolved or the todo changed meanwhile: the resolution conflicts with
        // that.
        let there = before.todo.content
        let merge =
          before.conflict?.merge ?? Merge(base: before.base, mine: there, theirs: there)
        throw .conflict(
          TodoConflict(
            base: before.base, mine: merge.content(after: resolution), theirs: there,
            theirVersion: before.todo.version))
      }
      var after = before
      after.resolve(to: conflict.merge.content(after: resolution), at: environment.now())
      return after
    }
  }

  package func counts(of list: TodoListKey) throws(TodoError) -> SyncCounts {
    try database.read { connection throws(TodoError) in
      let tables = connection.tables
      guard let number = try tables.lists.knownNumber(of: list) else { return SyncCounts() }
      return try tables.outbox.counts(of: number)
    }
  }
}

extension TodoTables {
  /// Deletes the todo that a load created for an item which belongs to another todo.
  ///
  /// - Returns: `false` if the user has changed that todo. Nothing was changed then.
  fileprivate func makeRoom(
    for item: RemoteItem, of id: TodoID, in list: TodoListKey, at now: Timestamp
  ) throws(TodoError) -> Bool {
    guard let number = try lists.knownNumber(of: list),
      let other = try todos.stored(key: item.key, in: number), other.todo.id != id
    else { return true }
    return try todos.delete(other, .source(number, at: now))
  }
}

extension StoredTodo {
  /// Whether there is a change to send, or the outcome of a write to find out.
  var isOutgoing: Bool {
    if sent != nil { return true }
    guard todo.sync == .pending || todo.sync == .failed else { return false }
    return !(isRemoved && key == nil)
  }
}
