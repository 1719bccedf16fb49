/// The drafts of this process, and the drafts that ended processes have left.
package struct DraftServices: Sendable {
  package let log: any DraftLog
  package let store: any DraftStore

  package init(log: any DraftLog, store: any DraftStore) {
    (self.log, self.store) = (log, store)
  }

  /// Whether `importDrafts` has nothing to import: there are no draft files, and this process has
  /// no draft to write.
  package var isIdle: Bool { log.isFlushed && !store.hasDraftFiles }
}

/// The log of this process's drafts. The log outlives the process, and contains at most one draft
/// of each todo.
///
/// `record` never waits for the disk. `end` waits only if a write is in progress. A draft is
/// durable about a second after it was recorded.
package protocol DraftLog: AnyObject, Sendable {
  /// Records a draft, which replaces the previous draft of the same todo. When the first draft of a
  /// form is durable, the stored drafts in `UnsavedText.restored` are discarded.
  ///
  /// - Parameter isNext: Whether the previous call was also `record`, for the same form.
  /// - Returns: A warning for the user, such as that the disk is full; `nil` without a new warning.
  ///   Each warning is returned only once.
  @discardableResult
  func record(_ text: UnsavedText, at time: Timestamp, isNext: Bool) -> String?

  /// Removes the draft of a todo, because the user saved or discarded the form. Even if the process
  /// is killed after this call, the draft does not return.
  func end(_ id: TodoID, in list: TodoListKey)

  /// Releases the drafts of this process: the next `importDrafts` imports them like the drafts of
  /// an ended process.
  func release()

  /// Whether all recorded drafts are on disk.
  var isFlushed: Bool { get }

  /// Waits until all recorded drafts are on disk.
  func flush()

  /// Closes the log, and removes its file if the file has no drafts. No other call may follow.
  func close()
}

/// The drafts of ended processes.
package protocol DraftStore: Sendable {
  /// Whether there are draft files, of running or of ended processes.
  var hasDraftFiles: Bool { get }

  /// Imports the drafts that ended processes have left in files. Several processes may call this
  /// method at the same time.
  func importDrafts() throws(TodoError)

  /// Returns the drafts of a list, newest first.
  func drafts(in list: TodoListKey) throws(TodoError) -> [StoredDraft]

  /// Returns the drafts of a todo, newest first.
  func drafts(of id: TodoID, in list: TodoListKey) throws(TodoError) -> [StoredDraft]

  /// Returns the todos of a list that have drafts. The todo with the newest draft comes first. The
  /// texts of the drafts are not read.
  func draftedTodos(in list: TodoListKey) throws(TodoError) -> [DraftedTodo]

  /// Discards the drafts with these numbers. Unknown numbers are ignored.
  func discardDrafts(_ numbers: [Int64], in list: TodoListKey) throws(TodoError)
}

/// A draft of an ended process.
package struct StoredDraft: Sendable, Equatable {
  /// The number that identifies the draft in the store.
  package var number: Int64
  package var draft: Draft
  package var typedAt: Timestamp
  /// The title that the todo had when the user typed the text.
  package var title: String

  package init(number: Int64, draft: Draft, typedAt: Timestamp, title: String) {
    (self.number, self.draft, self.typedAt, self.title) = (number, draft, typedAt, title)
  }
}

/// A todo with drafts of ended processes.
package struct DraftedTodo: Sendable, Equatable {
  package var id: TodoID
  package var draftCount: Int
  /// The time of the newest draft.
  package var typedAt: Timestamp
  /// The title that the todo had when the user typed the newest draft.
  package var title: String
  /// Whether the todo is no longer in its list.
  package var isGone: Bool

  package init(
    id: TodoID, draftCount: Int, typedAt: Timestamp, title: String, isGone: Bool
  ) {
    (self.id, self.draftCount, self.typedAt) = (id, draftCount, typedAt)
    (self.title, self.isGone) = (title, isGone)
  }
}

/// The limits for drafts. Sizes are in bytes of the stored form.
package enum DraftLimits {
  /// The limit for one draft: twice the maximum length of a note from a source, because an escape
  /// such as `\n` takes two bytes.
  package static let draftBytesMax = 32 << 20
  /// The limit for all drafts of a process.
  package static let processBytesMax = 64 << 20
  /// The limit for the drafts of ended processes in one list. If the drafts exceed the limit, the
  /// oldest drafts are discarded.
  package static let listBytesMax = 64 << 20
  /// The maximum number of drafts of ended processes in one list. If there are more drafts, the
  /// oldest drafts are discarded.
  package static let listDraftsMax = 1_000
  /// The limit for a file of drafts. A larger file is ignored, because no process writes one.
  package static let fileBytesMax = 128 << 20
}
