/// The drafts of this process, and those of ended ones.
package struct DraftServices: Sendable {
  package let log: any DraftLog
  package let store: any DraftStore

  package init(log: any DraftLog, store: any DraftStore) {
    (self.log, self.store) = (log, store)
  }

  /// Whether an import would find nothing.
  package var isIdle: Bool { log.isFlushed && !store.hasDraftFiles }
}

/// The drafts of this process, which survive its end. It has at most one draft of a todo.
///
/// `record` and `end` return immediately. A draft is durable about a second after it was recorded.
package protocol DraftLog: AnyObject, Sendable {
  /// Replaces the draft of its todo.
  ///
  /// The first text of a form discards the stored drafts that the form shows, once the text is
  /// durable.
  ///
  /// - Parameter isNext: Whether the last call was a record of the same form.
  /// - Returns: A warning that no call has returned before, such as that the disk is full.
  @discardableResult
  func record(_ text: UnsavedText, at time: Timestamp, isNext: Bool) -> String?

  /// Ends the draft of a todo, which was saved or discarded.
  func end(_ id: TodoID, in list: TodoListKey)

  /// Hands the drafts over to the next `importDrafts`, as the end of the process does.
  func release()

  /// Whether everything is durable.
  var isFlushed: Bool { get }

  /// Waits until all earlier calls are durable.
  func flush()

  /// Ends the log, as the last call. A file without drafts is removed.
  func close()
}

/// The drafts of ended processes.
package protocol DraftStore: Sendable {
  /// Whether there are files of running or ended processes.
  var hasDraftFiles: Bool { get }

  /// Moves the drafts that ended processes left into the store. Any number of processes may do this
  /// at the same time.
  func importDrafts() throws(TodoError)

  /// Returns the drafts of a list, newest first.
  func drafts(in list: TodoListKey) throws(TodoError) -> [StoredDraft]

  /// Returns the drafts of a todo, newest first.
  func drafts(of id: TodoID, in list: TodoListKey) throws(TodoError) -> [StoredDraft]

  /// Returns the drafts of a list without their text, one value a todo, newest first.
  func draftedTodos(in list: TodoListKey) throws(TodoError) -> [DraftedTodo]

  /// Discards some drafts. A number without a draft is ignored.
  func discardDrafts(_ numbers: [Int64], in list: TodoListKey) throws(TodoError)
}

/// A draft of an ended process.
package struct StoredDraft: Sendable, Equatable {
  /// The number in the store.
  package var number: Int64
  package var draft: Draft
  package var typedAt: Timestamp
  /// The title of the todo when the text was typed.
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
  /// The title when the newest draft was typed.
  package var title: String
  /// Whether the list has no such todo.
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
  /// The maximum size of one draft, in bytes: enough for the longest note of a source, with its
  /// escapes.
  package static let draftBytesMax = 32 << 20
  /// The maximum size of all drafts of a process, in bytes.
  package static let processBytesMax = 64 << 20
  /// The maximum size of the drafts of ended processes in one list, in bytes. Beyond it the oldest
  /// drafts are deleted.
  package static let listBytesMax = 64 << 20
  /// The maximum number of drafts of ended processes in one list. Beyond it the oldest are deleted.
  package static let listDraftsMax = 1_000
  /// The maximum size of a file that is imported, in bytes. No process writes a longer one.
  package static let fileBytesMax = 128 << 20
}
