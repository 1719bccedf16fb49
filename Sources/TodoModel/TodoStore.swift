/// A store of todos: in memory, in SQLite, or at a source. One suite of tests runs over all.
///
/// A change that has returned is stored as well as the store can (SQLite: on disk). The abilities
/// that only some stores have are capabilities, which are `nil` if a store does not offer them.
///
/// ```swift
/// guard let history = store.history else { throw .noHistory }
/// return try history.undo(in: list)
/// ```
package protocol TodoStore: Sendable {
  /// Whole todos, in the list's order: the newest at the top, until the user moves them; what was loaded
  /// in the source's own order.
  func todos(_ query: TodoQuery, in list: TodoListKey) async throws(TodoError) -> TodoPage<Todo>

  /// One todo. Throws `notFound`.
  func todo(_ id: TodoID, in list: TodoListKey) async throws(TodoError) -> Todo

  /// Adds a todo at the top of the list.
  func add(_ draft: TodoDraft, to list: TodoListKey) async throws(TodoError) -> Todo

  /// Changes a todo. Throws `notFound`, or `conflict` when it has moved on from the expected
  /// version; then nothing is changed. An edit that changes nothing returns the todo as it is.
  func edit(_ id: TodoID, _ edit: TodoEdit, in list: TodoListKey) async throws(TodoError) -> Todo

  /// Removes a todo. Throws `notFound`, or `conflict` as `edit` does.
  func remove(
    _ id: TodoID, expectedVersion: Int64?, in list: TodoListKey
  ) async throws(TodoError)

  /// The reads of a list that need no further request: of the store itself, or of the whole list as
  /// it was just loaded.
  func loaded(_ list: TodoListKey) async throws(TodoError) -> any LocalReads

  /// The current day, which queries compare with.
  var days: DayClock { get }

  // MARK: Capabilities

  /// Reads without waiting; `nil` for a store on the network.
  var localReads: (any LocalReads)? { get }
  /// Long reads on another thread; `nil` if no read takes long.
  var backgroundReads: (any BackgroundReads)? { get }
  /// Undo and redo.
  var history: (any TodoHistory)? { get }
  /// Changes of several todos in one transaction.
  var groups: (any GroupedChanges)? { get }
  /// The state of the sync with sources.
  var journal: (any SyncJournal)? { get }
  /// The generations of lists that are stored as files.
  var documents: (any DocumentMemory)? { get }
  /// The order of lists.
  var ordering: (any TodoOrdering)? { get }
  /// Reads of several lists by date.
  var agenda: (any AgendaReads)? { get }
  /// Export and import.
  var exchange: (any TodoExchange)? { get }
  /// The log of changes.
  var changeFeed: (any ChangeFeed)? { get }
  /// The todos that left a list and can come back.
  var removedTodos: (any RemovedTodos)? { get }
  /// The file, if other programs may change it.
  var sharedFile: (any SharedStoreFile)? { get }
}

/// A store without capabilities.
extension TodoStore {
  package func loaded(_ list: TodoListKey) async throws(TodoError) -> any LocalReads {
    if let localReads { return localReads }
    return LoadedTodos(try await todos(TodoQuery(limit: .max), in: list).elements, days: days)
  }

  package var localReads: (any LocalReads)? { nil }
  package var backgroundReads: (any BackgroundReads)? { nil }
  package var history: (any TodoHistory)? { nil }
  package var groups: (any GroupedChanges)? { nil }
  package var journal: (any SyncJournal)? { nil }
  package var documents: (any DocumentMemory)? { nil }
  package var ordering: (any TodoOrdering)? { nil }
  package var agenda: (any AgendaReads)? { nil }
  package var exchange: (any TodoExchange)? { nil }
  package var changeFeed: (any ChangeFeed)? { nil }
  package var removedTodos: (any RemovedTodos)? { nil }
  package var sharedFile: (any SharedStoreFile)? { nil }
}

/// Undo and redo of local changes. One order has the changes of all lists of a user that this store has
/// used.
package protocol TodoHistory: Sendable {
  /// Reverts the change by the user of this list that was made (or redone) last, in any of their
  /// lists, here or before this store first used the list; what others have done since is theirs to
  /// undo. It is a merge: only the fields that the change altered are touched. The todo gets its place
  /// back, and a new version.
  ///
  /// Throws `nothingToUndo`; `conflict` when one of these fields was changed elsewhere since: then
  /// nothing is changed, "mine" is the state before the change and "base" the one after it, and the
  /// next undo skips the change; `notFound` when the todo is gone, which also skips the change.
  ///
  /// A group of changes is reversed in one step. If a todo of the group conflicts, nothing is changed
  /// and the error names it in `item`; the next undo skips such todos and reverses the others. A todo
  /// that is gone is skipped.
  func undo(in list: TodoListKey) throws(TodoError) -> RestoredTodo

  /// Takes back the change of one todo that was made last over this open store. What was changed
  /// before it was opened, or by somebody else, is never taken back.
  ///
  /// - Parameter version: the todo's, as whoever asks knows it; where it is removed, that which it
  ///   had before may be named as well. Another one is a conflict.
  ///
  /// Throws as `undo`.
  func undo(
    _ id: TodoID, version: Int64, in list: TodoListKey
  ) throws(TodoError) -> RestoredTodo

  /// Makes the change again that was undone last, until another change is made. Throws as `undo`.
  func redo(in list: TodoListKey) throws(TodoError) -> RestoredTodo
}

/// Export and import of a store, as lines of JSON.
package protocol TodoExchange: Sendable {
  /// Writes lists with everything in them, a few lines at a time, from one moment.
  func exportLines(
    of scope: ExportScope, to write: @escaping ([UInt8]) throws(TodoError) -> Void
  ) throws(TodoError)

  /// Adds everything in an export, or nothing. Throws `validation` that begins with the number of the
  /// line that is wrong, or `storage`.
  ///
  /// - Parameters:
  ///   - profile: The profile that gets everything; nil: each list's own.
  ///   - read: Returns the next bytes of the export; none at its end.
  func importLines(
    profile: String?, from read: @escaping () throws(TodoError) -> [UInt8]
  ) throws(TodoError) -> ImportReport
}

/// The lists of an export.
package struct ExportScope: Sendable, Equatable {
  /// The profile; `nil` for all.
  package var profile: String?
  /// The sources, `""` for the local list; `nil` for all.
  package var sources: [String]?

  package static let all = ExportScope()

  package init(profile: String? = nil, sources: [String]? = nil) {
    self.profile = profile
    self.sources = sources
  }
}

/// The result of an import.
package struct ImportReport: Sendable, Equatable {
  /// Todos, the removed ones among them.
  package var addedCount: Int
  /// Todos that the store had already, unchanged.
  package var knownCount: Int
  /// Drafts that were added.
  package var draftCount: Int
  /// Lines and sides of documents that were added.
  package var textCount: Int

  package init(
    addedCount: Int = 0, knownCount: Int = 0, draftCount: Int = 0, textCount: Int = 0
  ) {
    self.addedCount = addedCount
    self.knownCount = knownCount
    self.draftCount = draftCount
    self.textCount = textCount
  }
}

/// The file of a store, which other programs may have open, too.
package protocol SharedStoreFile: Sendable {
  /// Calls `onChange` after another program has changed what this store keeps: at most 10 times a
  /// second, and at once for what was changed since the store was opened or last watched. Returns
  /// when its task is cancelled, or at once where nobody else can change anything.
  func watchChanges(_ onChange: @escaping @Sendable () -> Void) async

  /// Closes the file, so that a copy of it alone is complete. It waits for no other program.
  func close()
}

extension TodoError {
  package static let nothingOwnToUndo = TodoError(
    .nothingToUndo, "Nothing that was done to this todo from here is left to undo.")
  package static let noHistory = TodoError(
    .nothingToUndo, "This store keeps no earlier changes, so nothing can be undone or redone.")
  package static let nothingToUndo = TodoError(.nothingToUndo, "There is nothing to undo.")
  package static let nothingToRedo = TodoError(.nothingToUndo, "There is nothing to redo.")
}
