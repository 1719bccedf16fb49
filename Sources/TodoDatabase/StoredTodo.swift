import TodoModel

/// A todo as it is kept: what a person sees, and how it stands towards its source.
///
/// What becomes of the three sides is decided here, by `Merge`, as plain functions of values. They
/// are:
/// - `content`: mine, what the list shows.
/// - `base`: what the source had when the edit here began; nil while nothing differs and no write is in
///   flight.
/// - `theirs`: what the source has said since, where that is not `base`.
struct StoredTodo {
  /// The database's own number of the todo, which never leaves it.
  var row: Int64
  var todo: Todo
  var place: Int64
  /// Its place among the items of its source; `nil` if it is not known.
  var sourceOrder: Int64?
  /// Not on the list: removed here and kept so that a load does not bring it back, or gone from its
  /// source's list (then it is `synced`) and kept for the history.
  var isRemoved: Bool
  /// The source's own name of the todo; nil for one that was never there.
  var key: String?
  var revision: String?
  var base: TodoContent?
  var theirs: TodoContent?
  /// What was sent to the source without an answer.
  var sent: UnconfirmedWrite?
  /// The addition that an export contains, while the source does not have the todo.
  var exported: ExportedAddition?
  /// The fields that its source does not store.
  var localFields = ContentField.localOnly

  var isGone: Bool { isRemoved && todo.sync == .synced }
}

/// What was sent to a source and has no known outcome.
struct UnconfirmedWrite: Equatable {
  var what: RemoteWrite
  var content: TodoContent
  /// When its connection is gone at the latest.
  var openUntil: Timestamp
  /// The marker of the item that it is to create.
  var marker: ItemMarker?
}

/// An addition to a source that an export contains: another store may have sent it. All stores send
/// it with one marker, and search the source for that first.
struct ExportedAddition: Equatable {
  var marker: ItemMarker
  /// The content that the other stores have.
  var content: TodoContent
  /// The time of the first export. The item is not older.
  var since: Timestamp
}

// MARK: What a person does

extension StoredTodo {
  /// A person changed the content.
  mutating func edit(to content: TodoContent, at now: Timestamp) {
    let isMissing = todo.failure?.kind == .notFound
    keepBase()
    replaceContent(content, at: now)
    settle()
    if isMissing { readAgain() }
  }

  /// A person removed the todo, which its source will deliver again.
  mutating func remove(at now: Timestamp) {
    keepBase()
    isRemoved = true
    exported = nil
    touch(at: now)
    settle()
  }

  /// Restores a removed todo to its old place. An item that its source does not have is new there.
  mutating func restore(to content: TodoContent, at now: Timestamp) {
    keepBase()
    isRemoved = false
    replaceContent(content, at: now)
    settle()
    if key == nil, todo.sync == .synced { todo.sync = .pending }
  }

  /// A person decided a conflict with the source: `content` stands against what the source has now.
  /// The source is read before the decision counts as settled, also one for `theirs`: what was shown
  /// of the source may be outdated.
  mutating func resolve(to content: TodoContent, at now: Timestamp) {
    if let theirs { base = theirs }
    theirs = nil
    // Also where nothing is to be changed here, the todo stands otherwise to its source.
    replaceContent(content, at: now)
    settle()
    readAgain()
  }

  /// Requires another read of the item before the todo counts as equal to it.
  private mutating func readAgain() {
    if todo.sync == .synced { (base, todo.sync) = (todo.content, .pending) }
  }
}

// MARK: What a source says

extension StoredTodo {
  /// The source delivered the todo. What was changed here stays; what only the source changed is
  /// taken from it. A new revision alone is no change: the source makes one for a mere comment.
  mutating func receive(_ item: RemoteItem, now: Timestamp) {
    let item = complete(item)
    let before = self
    let now = item.updatedAt ?? now
    place(as: item)
    if isIncomplete(item) { return }
    if let sent {
      let base = base ?? sent.content
      let changed = sent.content.fields(differingFrom: base)
      let applied = changed.filter { item.content.hasApplied($0, of: sent.content, to: base) }
      recognize(applied, of: sent.content, from: base, in: item.content, now: now)
      if sent.what == .change, applied == changed { self.sent = nil }
    }
    if isGone, !item.hasLeft {
      // Somebody opened again what was closed.
      (isRemoved, base, theirs) = (false, nil, nil)
      if item.content != todo.content { replaceContent(item.content, at: now) }
    } else if let base {
      theirs = item.content == base ? nil : item.content
      settle(at: now)
      leave(after: item, wasDone: base.isDone)
    } else if !isGone, item.content != todo.content {
      let wasDone = todo.content.isDone
      replaceContent(item.content, at: now)
      leave(after: item, wasDone: wasDone)
    }
    if before.todo.sync == .failed, todo.sync == .pending, todo.content == before.todo.content,
      item.content == before.theirs ?? before.base
    {
      // Nothing is different from when it was refused.
      (todo.sync, todo.failure) = (.failed, before.todo.failure)
    }
    // Who decides a conflict names the version, and has to have seen what the source has.
    if before.todo.sync == .conflict, theirs != before.theirs,
      todo.version == before.todo.version
    {
      touch(at: now)
    }
  }

  /// The source has created the item without something that the view of the list requires.
  mutating func failIncomplete(_ failure: SyncFailure) {
    if todo.sync == .synced { base = todo.content }
    (todo.sync, todo.failure) = (.failed, failure)
  }

  /// Whether the todo failed because its item is outside of the view, and nothing is different since.
  private func isIncomplete(_ item: RemoteItem) -> Bool {
    todo.sync == .failed && !isRemoved && sent == nil && theirs == nil && base == todo.content
      && item.content == todo.content && !item.isInView && !item.hasLeft
  }

  /// The item was read after the last write had taken effect or failed.
  mutating func receiveOutcome(_ item: RemoteItem, now: Timestamp) {
    receive(item, now: now)
    sent = nil
    if todo.sync == .pending, !isRemoved { settle(at: now) }
  }

  /// The source answered what was sent: what was sent, both sides have in common now, as the
  /// source has it.
  mutating func accept(_ item: RemoteItem, now: Timestamp) {
    let item = complete(item)
    guard let sent = sent?.content else {
      // A load of another server was faster, and has brought what was sent.
      return key == nil ? adopt(item, now: now) : receive(item, now: now)
    }
    // What is made is not done yet: that is sent next.
    let fields = base.map { sent.fields(differingFrom: $0) } ?? ContentField.setOnAdd
    let before = base ?? TodoContent()
    if base == nil {
      base = sent
      base?.isDone = item.content.isDone
    }
    key = item.key
    recognize(fields, of: sent, from: before, in: item.content, now: now)
    (self.sent, exported) = (nil, nil)
    receive(item, now: now)
  }

  /// What was sent to be made was found at the source. Others may have changed it since.
  mutating func adopt(_ item: RemoteItem, now: Timestamp) {
    base = createdContent(of: item)
    // What is made is open; that it is done is sent next. So are labels that it does not have.
    base?.isDone = false
    if let labels = base?.labels { base?.labels = labels.intersection(item.content.labels) }
    key = item.key
    (sent, exported) = (nil, nil)
    receive(item, now: now)
  }

  /// The source answered a change of one label with all labels of the item.
  mutating func accept(labels: LabelSet, now: Timestamp) {
    guard let sent else { return }
    self.sent = nil
    // A load of another server may have brought it already.
    guard let base else { return }
    var item = theirs ?? base
    item.labels = labels
    recognize([.labels], of: sent.content, from: base, in: item, now: now)
    theirs?.labels = labels
    settle(at: now)
  }

  /// The content that an item was created with, as far as it is known: this store's last request if
  /// the item has it, otherwise the export, so that no edit since then is mistaken for an older one.
  private func createdContent(of item: RemoteItem) -> TodoContent {
    let known = [sent?.content, exported?.content].compactMap { $0 }
    let same = known.first { content in
      ContentField.setOnAdd.allSatisfy { item.content.isSame($0, as: content) }
    }
    return same ?? known.last ?? todo.content
  }

  /// The source closed the todo, which leaves the list.
  mutating func close(at now: Timestamp) {
    isRemoved = true
    guard !todo.content.isDone else { return }
    var content = todo.content
    content.isDone = true
    replaceContent(content, at: now)
  }

  /// The source does not have the item any more. The todo leaves the list; but if the item was deleted
  /// because the user removed the todo, and the user has restored it since, it is created again.
  ///
  /// - Returns: `false` for a todo with unsent edits, which stays unchanged.
  mutating func delete(at now: Timestamp) -> Bool {
    let isRestored = sent?.what == .close && !isRemoved
    guard isRemoved || isRestored || todo.sync == .synced || todo.content == base else {
      return false
    }
    if !isRemoved, !isRestored {
      isRemoved = true
      touch(at: now)
    }
    detach()
    (todo.sync, todo.failure) = (isRestored ? .pending : .synced, nil)
    return true
  }

  /// The user lets the next sync create an item in place of the one that the source does not have any
  /// more.
  mutating func createAgain(with content: TodoContent, at now: Timestamp) {
    detach()
    (todo.sync, todo.failure) = (.pending, nil)
    replaceContent(content, at: now)
  }

  /// The source does not have the todo any more. If it comes back, it is new there.
  private mutating func detach() {
    (key, revision, todo.origin, sourceOrder) = (nil, nil, nil, nil)
    (base, theirs, sent) = (nil, nil, nil)
  }

  /// The source refused what was sent, and asking again will not help.
  mutating func fail(_ failure: SyncFailure) {
    sent = nil
    settle()
    // The change has arrived, as a load has shown, or was reverted: there is nothing to be refused.
    guard key == nil || base != nil else { return }
    todo.failure = failure
    todo.sync = .failed
  }

  /// Returns an item with this todo's values of the fields that its source does not have. All other
  /// sides get them too, so that such a field differs nowhere.
  private mutating func complete(_ item: RemoteItem) -> RemoteItem {
    guard item.fields != .all else { return item }
    let missing = ContentField.allCases.filter { !item.fields.contains($0) }
    completeSides(missing)
    var item = item
    item.content.copy(missing, from: todo.content)
    return item
  }

  private mutating func completeSides(_ missing: [ContentField]) {
    base?.copy(missing, from: todo.content)
    theirs?.copy(missing, from: todo.content)
  }

  /// Adopts the source's spelling of fields that were sent to it, which others did not change.
  ///
  /// - Parameter base: The content of the item before.
  private mutating func recognize(
    _ fields: [ContentField], of sent: TodoContent, from base: TodoContent,
    in theirs: TodoContent, now: Timestamp
  ) {
    var content = todo.content
    for field in fields {
      content.acknowledge(field, of: sent, from: base, as: theirs)
      self.base?.copy(field, from: theirs)
    }
    if content != todo.content { replaceContent(content, at: now) }
  }

  private mutating func place(as item: RemoteItem) {
    todo.origin = TodoOrigin(url: item.url, key: item.key, details: item.details)
    if key != nil { key = item.key }
    revision = item.revision
    // The place in the list is the user's.
    sourceOrder = item.order
  }

  /// What was closed there is no longer on the list, unless there is something left to push. What
  /// was closed from here stays until the list is loaded anew.
  private mutating func leave(after item: RemoteItem, wasDone: Bool) {
    guard item.hasLeft else { return }
    if isRemoved {
      // It was to be closed, and is. What others have changed besides stays theirs, for whoever
      // brings the todo back.
      var known = base ?? todo.content
      known.isDone = item.content.isDone
      (base, theirs) = (known, item.content == known ? nil : item.content)
      todo.sync = .synced
    } else if todo.sync == .synced, !wasDone {
      isRemoved = true
    }
  }
}

// MARK: The three sides

extension StoredTodo {
  private mutating func touch(at now: Timestamp) {
    todo.version = min(todo.version, TodoColumns.integerMax) + 1
    todo.updatedAt = now
  }

  private mutating func replaceContent(_ content: TodoContent, at now: Timestamp) {
    todo.content = content
    touch(at: now)
  }

  private mutating func keepBase() {
    if key != nil, base == nil { base = todo.content }
  }

  /// Joins the sides and finds the state that follows.
  private mutating func settle(at now: Timestamp? = nil) {
    if todo.sync == .failed { (todo.sync, todo.failure) = (.pending, nil) }
    guard key != nil, base != nil else { return }
    completeSides(localFields)
    guard let base else { return }
    guard !isRemoved else {
      todo.sync = .pending
      return
    }
    let source = theirs ?? base
    guard let content = Merge(base: base, mine: todo.content, theirs: source).content else {
      todo.sync = .conflict
      return
    }
    if content != todo.content {
      todo.content = content
      if let now { touch(at: now) }
    }
    theirs = nil
    // While the outcome of a write is not known, the source may have what was sent, also if the user has
    // reverted that.
    let isSynced = content == source && sent == nil
    self.base = isSynced ? nil : source
    todo.sync = isSynced ? .synced : .pending
  }
}
