import TodoModel

/// A todo with its sync state.
///
/// Its functions are the rules for merging the three sides (`Merge`), as pure functions of values.
/// The sides are:
/// - `content`: The local content, which the list shows.
/// - `base`: The content of the source on which local edits are based; `nil` if nothing differs and
///   no write is in flight.
/// - `theirs`: The content that the source has returned since, if it is not `base`.
struct StoredTodo {
  /// The row number in the database.
  var row: Int64
  var todo: Todo
  var place: Int64
  /// Its place among the items of its source; `nil` if it is not known.
  var sourceOrder: Int64?
  /// Not on the list: removed here and kept so that a load does not bring it back, or gone from its
  /// source's list (then it is `synced`) and kept for the history.
  var isRemoved: Bool
  /// The source's key of the item; `nil` if the source has never had one.
  var key: String?
  var revision: String?
  var base: TodoContent?
  var theirs: TodoContent?
  /// The write to the source without a response.
  var sent: UnconfirmedWrite?
  /// The addition as an export contains it, while the source does not have the todo.
  var exported: ExportedAddition?
  /// The fields that its source does not store.
  var localFields = ContentField.localOnly

  var isGone: Bool { isRemoved && todo.sync == .synced }
}

/// A write to a source whose outcome is not known.
struct UnconfirmedWrite: Equatable {
  var what: RemoteWrite
  var content: TodoContent
  /// The latest time at which its connection is closed.
  var openUntil: Timestamp
  /// The marker of the item that it creates.
  var marker: ItemMarker?
}

/// An addition that an export contains, so that another store may have sent it. All stores send it
/// with the same marker, and search the source for that first.
struct ExportedAddition: Equatable {
  var marker: ItemMarker
  /// The content in the export.
  var content: TodoContent
  /// The time of the first export, before which the item cannot have been created.
  var since: Timestamp
}

// MARK: Changes by the user

extension StoredTodo {
  /// Applies an edit of the user.
  mutating func edit(to content: TodoContent, at now: Timestamp) {
    let isMissing = todo.failure?.kind == .notFound
    keepBase()
    replaceContent(content, at: now)
    settle()
    if isMissing { readAgain() }
  }

  /// Removes the todo for the user. It stays stored as a tombstone, because the source may still
  /// return the item.
  mutating func remove(at now: Timestamp) {
    keepBase()
    isRemoved = true
    exported = nil
    touch(at: now)
    settle()
  }

  /// Restores a removed todo at its old position. If the source no longer has the item, a new one
  /// will be created.
  mutating func restore(to content: TodoContent, at now: Timestamp) {
    keepBase()
    isRemoved = false
    replaceContent(content, at: now)
    settle()
    if key == nil, todo.sync == .synced { todo.sync = .pending }
  }

  /// Applies the user's resolution of a conflict with the source: `content` is an edit of the
  /// source's current content. Even with `theirs`, the item is read again before the conflict
  /// counts as settled, because the displayed content of the source may be outdated.
  mutating func resolve(to content: TodoContent, at now: Timestamp) {
    if let theirs { moveBase(to: theirs) }
    theirs = nil
    // The version changes even if the content does not, because the sync state does.
    replaceContent(content, at: now)
    settle()
    readAgain()
  }

  /// Requires another read of the item before the todo counts as synced.
  private mutating func readAgain() {
    if todo.sync == .synced { (base, todo.sync) = (todo.content, .pending) }
  }
}

// MARK: Changes by the source

extension StoredTodo {
  /// Merges an item from the source. Local changes stay; fields that only the source has changed
  /// are updated. A new revision alone is not a change: some sources create one for a comment.
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
      // The closed item was reopened.
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
      // Nothing has changed since the source refused the todo.
      (todo.sync, todo.failure) = (.failed, before.todo.failure)
    }
    // A new version, so that the user cannot resolve the conflict without having seen the source's
    // new content.
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

  /// Merges the response to a write: the content that was sent becomes the common base, as the
  /// source returned it.
  mutating func accept(_ item: RemoteItem, now: Timestamp) {
    let item = complete(item)
    guard let sent = sent?.content else {
      // A load of another server has already merged the result of the write.
      return key == nil ? adopt(item, now: now) : receive(item, now: now)
    }
    // A new item is open; the done state is sent next.
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

  /// Links an item that was found when searching for a lost creation. Other users may have changed
  /// it since.
  mutating func adopt(_ item: RemoteItem, now: Timestamp) {
    base = createdContent(of: item)
    // A new item is open; the done state is sent next. So are labels that the item does not have.
    base?.isDone = false
    if let labels = base?.labels { base?.labels = labels.intersection(item.content.labels) }
    key = item.key
    (sent, exported) = (nil, nil)
    receive(item, now: now)
  }

  /// Merges the response to a change of one label: all labels of the item.
  mutating func accept(labels: LabelSet, now: Timestamp) {
    guard let sent else { return }
    self.sent = nil
    // A load of another server may already have merged the change.
    guard let base else { return }
    var item = theirs ?? base
    item.labels = labels
    recognize([.labels], of: sent.content, from: base, in: item, now: now)
    theirs?.labels = labels
    settle(at: now)
  }

  /// Returns the content that an item was created with, as far as it is known: the last request of
  /// this store if the item still equals it, otherwise that of the export. Later edits at the
  /// source are then not mistaken for older ones.
  private func createdContent(of item: RemoteItem) -> TodoContent {
    let known = [sent?.content, exported?.content].compactMap { $0 }
    let same = known.first { content in
      ContentField.setOnAdd.allSatisfy { item.content.isSame($0, as: content) }
    }
    return same ?? known.last ?? todo.content
  }

  /// Closes the todo because the source closed its item; the todo leaves the list.
  mutating func close(at now: Timestamp) {
    isRemoved = true
    guard !todo.content.isDone else { return }
    var content = todo.content
    content.isDone = true
    replaceContent(content, at: now)
  }

  /// Handles the deletion of the item. The todo leaves the list, but if the deletion was caused by
  /// a removal that the user has undone since, the item is created again.
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

  /// Makes the next sync create a new item in place of the one that the source no longer has.
  mutating func createAgain(with content: TodoContent, at now: Timestamp) {
    detach()
    (todo.sync, todo.failure) = (.pending, nil)
    replaceContent(content, at: now)
  }

  /// Removes the link to the item. If the item returns, it becomes another todo.
  private mutating func detach() {
    (key, revision, todo.origin, sourceOrder) = (nil, nil, nil, nil)
    (base, theirs, sent) = (nil, nil, nil)
  }

  /// Marks the todo as failed, because the source refused the write and would refuse it again.
  mutating func fail(_ failure: SyncFailure) {
    sent = nil
    settle()
    // A load has shown that the change has arrived, or it was reverted: there is nothing left to
    // refuse.
    guard key == nil || base != nil else { return }
    todo.failure = failure
    todo.sync = .failed
  }

  /// Returns an item with this todo's values of the fields that its source does not store. All
  /// other sides get these values, too, so that such fields never differ.
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

  /// Adopts the source's form of the fields that were sent, unless others have changed them.
  ///
  /// - Parameter base: The content of the item before the write.
  private mutating func recognize(
    _ fields: [ContentField], of sent: TodoContent, from base: TodoContent,
    in theirs: TodoContent, now: Timestamp
  ) {
    var content = todo.content
    for field in fields { content.acknowledge(field, of: sent, from: base, as: theirs) }
    if var known = self.base {
      known.copy(fields, from: theirs)
      moveBase(to: known)
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

  /// Removes a closed todo from the list, unless it has unsent changes. A todo that was closed
  /// locally stays until the list is loaded again.
  private mutating func leave(after item: RemoteItem, wasDone: Bool) {
    guard item.hasLeft else { return }
    if isRemoved {
      // The removal has been sent. Changes that others have made remain in `theirs`, in case the
      // todo is restored.
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

  /// Makes newer content of the source the base. The unconfirmed write keeps the changes that it makes
  /// to the base: fields that only others have changed would otherwise count as changed by it.
  private mutating func moveBase(to content: TodoContent) {
    if let base, base != content, let written = sent?.content {
      sent?.content = Merge(base: base, mine: written, theirs: content).keeping(.mine)
    }
    base = content
  }

  /// Merges the sides and updates the sync state.
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
    // While the outcome of a write is not known, the source may have the sent content even if the
    // user has reverted it.
    let isSynced = content == source && sent == nil
    if isSynced { self.base = nil } else { moveBase(to: source) }
    todo.sync = isSynced ? .synced : .pending
  }
}
