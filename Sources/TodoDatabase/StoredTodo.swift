import TodoModel

/// A todo with its sync state.
///
/// Its methods implement the rules for merging the three sides (`Merge`), without side effects
/// outside of this value. The sides are:
/// - `content`: The local content, which the list shows.
/// - `base`: The content of the source on which local edits are based; `nil` if there are none and
///   no write is in flight.
/// - `theirs`: The content that the source has returned since, if it is not `base`.
struct StoredTodo {
  /// The row number in the database.
  var row: Int64
  var todo: Todo
  var place: Int64
  /// The position among the items of the source; `nil` if it is unknown.
  var sourceOrder: Int64?
  /// Whether the todo is no longer in the list. A removed todo that is `synced` has left the
  /// source's list, and stays stored for the history. Any other removed todo is a tombstone: the
  /// user has removed the todo, and a load must not add it again.
  var isRemoved: Bool
  /// Whether the item must be read again before the todo can be `synced`, whatever the user edits
  /// or reverts in the meantime. Set if the source has not found or not listed the item, or if a
  /// conflict with it was resolved, because the stored content of the item may then be outdated.
  var mustBeRead = false
  /// The source's key of the item; `nil` if the source has no item.
  var key: String?
  var revision: String?
  var base: TodoContent?
  var theirs: TodoContent?
  /// The write for which the source has not returned a response yet; `nil` if there is none.
  var sent: UnconfirmedWrite?
  /// The marker and content of this todo in an export that was made before the source had the todo.
  /// `nil` if there was no such export, if the source has the todo, or if the todo is removed.
  var exported: ExportedAddition?
  /// The fields that the source does not store.
  var localFields = ContentField.localOnly

  var isGone: Bool { isRemoved && todo.sync == .synced }
}

/// A write to a source with an unknown outcome.
struct UnconfirmedWrite: Equatable {
  var kind: RemoteWrite
  var content: TodoContent
  /// The time by which the connection of the request is closed at the latest.
  var openUntil: Timestamp
  /// The marker of the item that the write creates; `nil` if it creates none.
  var marker: ItemMarker?
}

/// A todo that was exported before its source had the todo. Therefore, another store may also send
/// it. All stores send it with the same marker, and first search the source for this marker.
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
    keepBase()
    replaceContent(content, at: now)
    settle()
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

  /// Restores a removed todo at its old position. If the source no longer has the item, a new item
  /// will be created.
  mutating func restore(to content: TodoContent, at now: Timestamp) {
    keepBase()
    isRemoved = false
    replaceContent(content, at: now)
    settle()
    if key == nil, todo.sync == .synced { todo.sync = .pending }
  }

  /// Applies the user's resolution of a conflict with the source: `content` is an edit of the
  /// source's content. The item must be read again before the conflict counts as settled, even if
  /// the user chose `theirs`, because the displayed content of the source may be outdated.
  mutating func resolve(to content: TodoContent, at now: Timestamp) {
    if let theirs { moveBase(to: theirs) }
    theirs = nil
    mustBeRead = true
    // The version must change even if the content does not, because the sync state changes.
    replaceContent(content, at: now)
    settle()
  }
}

// MARK: Changes by the source

extension StoredTodo {
  /// Merges an item from the source. Local changes stay; fields that only the source has changed
  /// are updated. A new revision alone is not a change: some sources also create a new revision
  /// when a comment is added.
  mutating func receive(_ item: RemoteItem, now: Timestamp) {
    let item = complete(item)
    let before = self
    let now = item.updatedAt ?? now
    recordIdentity(of: item)
    mustBeRead = false
    if isIncomplete(item) { return }
    mergeUnconfirmedWrite(with: item.content, now: now)
    if isGone, !item.hasLeft {
      // The closed item was reopened at the source.
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
      // Nothing has changed since the source refused the change.
      (todo.sync, todo.failure) = (.failed, before.todo.failure)
    }
    // The version changes, so that the user cannot resolve the conflict without having seen the
    // source's new content.
    if before.todo.sync == .conflict, theirs != before.theirs,
      todo.version == before.todo.version
    {
      touch(at: now)
    }
  }

  /// Marks the todo as failed, because the new item at the source lacks something that the view
  /// requires, such as an assignee.
  mutating func failIncomplete(_ failure: SyncFailure) {
    if todo.sync == .synced { base = todo.content }
    (todo.sync, todo.failure) = (.failed, failure)
  }

  /// Whether the todo failed because its item is outside of the view, and the item has not changed
  /// since.
  private func isIncomplete(_ item: RemoteItem) -> Bool {
    todo.sync == .failed && !isRemoved && sent == nil && theirs == nil && base == todo.content
      && item.content == todo.content && !item.isInView && !item.hasLeft
  }

  /// Merges an item that was read after the last write had taken effect or failed.
  mutating func receiveOutcome(_ item: RemoteItem, now: Timestamp) {
    receive(item, now: now)
    sent = nil
    if todo.sync == .pending, !isRemoved { settle(at: now) }
  }

  /// Merges the response to a write. The sent content becomes the base, in the form in which the
  /// source returned it.
  mutating func accept(_ item: RemoteItem, now: Timestamp) {
    let item = complete(item)
    guard let sent = sent?.content else {
      // A load by another server has already merged the result of the write.
      return key == nil ? adopt(item, now: now) : receive(item, now: now)
    }
    // A new item is open. Its done state is sent in the next write.
    let fields = base.map { sent.fields(differingFrom: $0) } ?? ContentField.setOnAdd
    let before = base ?? TodoContent()
    if base == nil {
      base = sent
      base?.isDone = item.content.isDone
    }
    key = item.key
    recognize(fields, of: sent, from: before, in: item.content, now: now)
    (self.sent, exported) = (nil, nil)
    // The source has accepted the write, so an earlier refusal no longer counts.
    if todo.sync == .failed { (todo.sync, todo.failure) = (.pending, nil) }
    receive(item, now: now)
  }

  /// Links the todo to its item after the response to the item's creation was lost. The item was
  /// found by its marker or key, or by its text, creator and time. Other users may have changed the
  /// item since.
  mutating func adopt(_ item: RemoteItem, now: Timestamp) {
    base = createdContent(of: item)
    // A new item is open. Its done state is sent in the next write.
    base?.isDone = false
    if let labels = base?.labels, item.isAsCreated {
      // The item has not changed since its creation, so the source has ignored the missing labels,
      // and they are sent again. Otherwise, another user may have removed them.
      base?.labels = labels.intersection(item.content.labels)
    }
    key = item.key
    (sent, exported) = (nil, nil)
    receive(item, now: now)
  }

  /// Merges the response to a change of one label. The response contains all labels of the item.
  mutating func accept(labels: LabelSet, now: Timestamp) {
    guard let sent else { return }
    self.sent = nil
    // A load by another server may already have merged the change.
    guard let base else { return }
    var item = theirs ?? base
    item.labels = labels
    recognize([.labels], of: sent.content, from: base, in: item, now: now)
    theirs?.labels = labels
    settle(at: now)
  }

  /// Returns the content with which an item was probably created. This is the content that this
  /// store sent, if the item still has it; otherwise the content in the export from which the todo
  /// was imported. With the result as the base, a merge finds the changes that were made at the
  /// source after the creation.
  private func createdContent(of item: RemoteItem) -> TodoContent {
    let known = [sent?.content, exported?.content].compactMap { $0 }
    let same = known.first { content in
      ContentField.setOnAdd.allSatisfy { item.content.isSame($0, as: content) }
    }
    return same ?? known.last ?? todo.content
  }

  /// Closes the todo and removes it from the list, because its item was closed at the source.
  mutating func close(at now: Timestamp) {
    isRemoved = true
    guard !todo.content.isDone else { return }
    var content = todo.content
    content.isDone = true
    replaceContent(content, at: now)
  }

  /// Handles the deletion of the item at the source: the todo leaves the list. But if the user has
  /// undone the removal that deleted the item, the item will be created again.
  ///
  /// - Returns: `false`, without a change, if the todo is in the list and has unsent edits.
  mutating func delete(at now: Timestamp) -> Bool {
    let isRestored = sent?.kind == .close && !isRemoved
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

  /// Makes the next sync create a new item in place of the item that the source no longer has.
  mutating func createAgain(with content: TodoContent, at now: Timestamp) {
    detach()
    (todo.sync, todo.failure) = (.pending, nil)
    replaceContent(content, at: now)
  }

  /// Removes the link to the item. If the item appears again, it becomes another todo.
  private mutating func detach() {
    (key, revision, todo.origin, sourceOrder) = (nil, nil, nil, nil)
    (base, theirs, sent, mustBeRead) = (nil, nil, nil, false)
  }

  /// Marks the todo as failed, because the source refused a write and would refuse it again.
  mutating func fail(_ failure: SyncFailure) {
    sent = nil
    settle()
    // A todo with an item but without a base has nothing left that the source could refuse: a load
    // has shown that the change has arrived, or the user has reverted the change.
    guard key == nil || base != nil else { return }
    todo.failure = failure
    todo.sync = .failed
    if failure.kind == .notFound { mustBeRead = true }
  }

  /// Returns an item with this todo's values for the fields that its source does not store. Copies
  /// these values to `base` and `theirs`, too, so that a merge never finds a difference in such a
  /// field.
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

  /// Adopts the form in which the source has stored the sent fields, except fields that were
  /// changed locally after the write.
  ///
  /// - Parameter base: The content of the item before the write.
  mutating func recognize(
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

  private mutating func recordIdentity(of item: RemoteItem) {
    todo.origin = TodoOrigin(url: item.url, key: item.key, details: item.details)
    if key != nil { key = item.key }
    revision = item.revision
    // The position at the source does not affect the place in the list, which only the user
    // changes.
    sourceOrder = item.order
  }

  /// Removes the todo from the list if its item was closed, unless the todo has unsent changes. A
  /// todo that was closed locally stays until the next load of the list.
  private mutating func leave(after item: RemoteItem, wasDone: Bool) {
    guard item.hasLeft else { return }
    if isRemoved {
      // The removal has been sent. Changes by others remain in `theirs`, in case the todo is
      // restored.
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

  /// Replaces the base with newer content from the source. Adapts the content of the unconfirmed
  /// write to the new base, because otherwise fields that only others have changed would count as
  /// changed by the write.
  private mutating func moveBase(to content: TodoContent) {
    if let base, base != content, let written = sent?.content {
      sent?.content = Merge(base: base, mine: written, theirs: content).keeping(.mine)
    }
    base = content
  }

  /// Merges the sides and updates the sync state.
  mutating func settle(at now: Timestamp? = nil) {
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
    // While the outcome of a write is unknown, the source may have the sent content, even if the
    // user has reverted the edit.
    let isSynced = content == source && sent == nil && !mustBeRead
    if isSynced { self.base = nil } else { moveBase(to: source) }
    todo.sync = isSynced ? .synced : .pending
  }
}
