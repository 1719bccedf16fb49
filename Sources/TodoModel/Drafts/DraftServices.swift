/// The drafts of this process, and those that ended processes have left.
package struct DraftServices: Sendable {
  package let log: any DraftLog
  package let store: any DraftStore

  package init(log: any DraftLog, store: any DraftStore) {
    (self.log, self.store) = (log, store)
  }

  /// Whether an import would find no drafts.
  package var isIdle: Bool { log.isFlushed && !store.hasDraftFiles }
}

/// A log of the drafts of this process, which survives the end of the process. It contains at most
/// one draft of each todo.
///
/// `record` and `end` return immediately. A draft is durable about a second after it was recorded.
package protocol DraftLog: AnyObject, Sendable {
  /// Records a draft, which replaces the previous draft of the same todo.
  ///
  /// Once the first draft of a form is durable, the stored drafts in `UnsavedText.restored` are
  /// discarded.
  ///
  /// - Parameter isNext: Whether the previous call was `record` for the same form.
  /// - Returns: A warning, such as that the disk is full; `nil` if there is none, or if an earlier
  ///   call has returned it.
  @discardableResult
  func record(_ text: UnsavedText, at time: Timestamp, isNext: Bool) -> String?

  /// Removes the draft of a todo that was saved, or whose draft was discarded.
  func end(_ id: TodoID, in list: TodoListKey)

  /// Releases the drafts to the next `importDrafts`, as the end of the process would do.
  func release()

  /// Whether all recorded drafts are durable.
  var isFlushed: Bool { get }

  /// Waits until all drafts recorded so far are durable.
  func flush()

  /// Closes the log. No other call may follow. A file without drafts is removed.
  func close()
}

/// A store for the drafts of ended processes.
package protocol DraftStore: Sendable {
  /// Whether there are draft files, of running or ended processes.
  var hasDraftFiles: Bool { get }

  /// Moves the drafts that ended processes left into the store. Any number of processes may do this
  /// at the same time.
  func importDrafts() throws(TodoError)

  /// Returns the drafts of a list, newest first.
  func drafts(in list: TodoListKey) throws(TodoError) -> [StoredDraft]

  /// Returns the drafts of a todo, newest first.
  func drafts(of id: TodoID, in list: TodoListKey) throws(TodoError) -> [StoredDraft]

  /// Returns the todos of a list that have drafts, without the text of the drafts. The todo with
  /// the newest draft comes first.
  func draftedTodos(in list: TodoListKey) throws(TodoError) -> [DraftedTodo]

  /// Discards drafts by their numbers. A number without a draft is ignored.
  func discardDrafts(_ numbers: [Int64], in list: TodoListKey) throws(TodoError)
}

/// A draft of an ended process.
package struct StoredDraft: Sendable, Equatable {
  /// The number of the draft in the store.
  package var number: Int64
  package var draft: Draft
  package var typedAt: Timestamp
  /// The title of the todo at the time when the text was typed.
  package var title: String

  package init(number: Int64, draft: Draft, typedAt: Timestamp, title: String) {
    (self.number, self.draft, self.typedAt, self.title) = (number, draft, typedAt, title)
  }
}

/// A todo that has drafts of ended processes.
package struct DraftedTodo: Sendable, Equatable {
  package var id: TodoID
  package var draftCount: Int
  /// The time of the newest draft.
  package var typedAt: Timestamp
  /// The title of the todo at the time when the newest draft was typed.
  package var title: String
  /// Whether the todo is no longer in the list.
  package var isGone: Bool

  package init(
    id: TodoID, draftCount: Int, typedAt: Timestamp, title: String, isGone: Bool
  ) {
    (self.id, self.draftCount, self.typedAt) = (id, draftCount, typedAt)
    (self.title, self.isGone) = (title, isGone)
  }
}

/// The limits of drafts, in bytes of their stored form.
package enum DraftLimits {
  /// The limit for one draft: the size of the longest note of a source, with its escapes.
  package static let draftBytesMax = 32 << 20
  /// The limit for all drafts of a process.
  package static let processBytesMax = 64 << 20
  /// The limit for the drafts of ended processes in one list. The oldest ones are discarded.
  package static let listBytesMax = 64 << 20
  /// The maximum number of drafts of ended processes in one list. The oldest ones are discarded.
  package static let listDraftsMax = 1_000
  /// The limit for a draft file. A larger file is not imported; no process writes one.
  package static let fileBytesMax = 128 << 20
}
