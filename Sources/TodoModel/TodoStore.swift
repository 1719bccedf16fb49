/// A store of todos: in memory, in SQLite, or at a source. The same tests run for all of them.
///
/// A change that has returned is stored as well as the store can (SQLite: on disk). The abilities
/// that only some stores have are capabilities, which are `nil` if a store does not offer them.
///
/// ```swift
/// guard let history = store.history else { throw .noHistory }
/// return try history.undo(in: list)
/// ```
package protocol TodoStore: Sendable {
  /// Returns whole todos in the list's order: the newest at the top, unless the user has moved
  /// them. Loaded todos have the source's order.
  func todos(_ query: TodoQuery, in list: TodoListKey) async throws(TodoError) -> TodoPage<Todo>

  /// Returns a todo.
  ///
  /// - Throws: `notFound`.
  func todo(_ id: TodoID, in list: TodoListKey) async throws(TodoError) -> Todo

  /// Adds a todo at the top of the list.
  func add(_ draft: TodoDraft, to list: TodoListKey) async throws(TodoError) -> Todo

  /// Changes a todo. An edit that changes nothing returns the todo unchanged.
  ///
  /// - Throws: `notFound`; `conflict` if the todo has another version than expected and the edit
  ///   cannot be merged. Nothing is changed then.
  func edit(_ id: TodoID, _ edit: TodoEdit, in list: TodoListKey) async throws(TodoError) -> Todo

  /// Removes a todo.
  ///
  /// - Throws: `notFound`; `conflict` as `edit` does.
  func remove(
    _ id: TodoID, expectedVersion: Int64?, in list: TodoListKey
  ) async throws(TodoError)

  /// Returns the reads of a list that need no request: those of the store itself, or of a snapshot
  /// of the whole list.
  func loaded(_ list: TodoListKey) async throws(TodoError) -> any LocalReads

  /// The current day, for queries about dates.
  var days: DayClock { get }

  // MARK: Capabilities

  /// Reads without waiting; `nil` for a store on the network.
  var localReads: (any LocalReads)? { get }
  /// Long reads on another thread; `nil` if no read takes long.
  var backgroundReads: (any BackgroundReads)? { get }
  /// The undo and redo of changes; `nil` if the store has no history.
  var history: (any TodoHistory)? { get }
  /// The changes of several todos in one transaction.
  var groups: (any GroupedChanges)? { get }
  /// The state of syncs with sources.
  var journal: (any SyncJournal)? { get }
  /// The generations of lists that are stored as files.
  var documents: (any DocumentMemory)? { get }
  /// The order of lists.
  var ordering: (any TodoOrdering)? { get }
  /// Reads of several lists by date.
  var agenda: (any AgendaReads)? { get }
  /// The export and import of lists.
  var exchange: (any TodoExchange)? { get }
  /// The log of changes.
  var changeFeed: (any ChangeFeed)? { get }
  /// The todos that left a list and can be restored.
  var removedTodos: (any RemovedTodos)? { get }
  /// The file of the store, if other programs may change it.
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

/// Undo and redo of local changes. They reverse the changes of all lists of a user in one sequence,
/// by time.
package protocol TodoHistory: Sendable {
  /// Reverses the last change that the user of this list made or redid, in any of their lists, in
  /// this store or before it first used the list; changes that other processes made since are not
  /// undone. The undo is a merge: only the fields of the change are affected. The todo gets its
  /// position back and a new version.
  ///
  /// A group of changes is reversed in one step. If a todo of the group conflicts, nothing is
  /// changed and the error names it in `item`; the next undo skips such todos and reverses the
  /// others. A removed todo is skipped.
  ///
  /// - Throws: `nothingToUndo`; `conflict` if one of the fields has changed since: nothing is
  ///   changed then, `mine` is the state before the change, `base` the one after it, and the next
  ///   undo skips the change; `notFound` if the todo is gone, in which case the next undo skips the
  ///   change, too.
  func undo(in list: TodoListKey) throws(TodoError) -> RestoredTodo

  /// Reverses the last change of one todo that was made through this open store. Changes made
  /// before it was opened or by other processes are never reversed.
  ///
  /// - Parameter version: The version of the todo that the caller knows; for a removed todo, the
  ///   version before the removal is accepted, too. Any other version is a conflict.
  /// - Throws: As `undo(in:)`.
  func undo(
    _ id: TodoID, version: Int64, in list: TodoListKey
  ) throws(TodoError) -> RestoredTodo

  /// Makes the change again that was undone last, unless another change was made since.
  ///
  /// - Throws: As `undo(in:)`.
  func redo(in list: TodoListKey) throws(TodoError) -> RestoredTodo
}

/// Export and import of a store, as lines of JSON.
package protocol TodoExchange: Sendable {
  /// Writes lists with all their data, a few lines at a time, from one snapshot.
  func exportLines(
    of scope: ExportScope, to write: @escaping ([UInt8]) throws(TodoError) -> Void
  ) throws(TodoError)

  /// Adds all data of an export, or nothing.
  ///
  /// - Parameters:
  ///   - profile: The profile that gets all lists; `nil` keeps the profile of each list.
  ///   - read: Returns the next bytes of the export; empty at its end.
  /// - Throws: `validation`, whose message begins with the number of the invalid line; `storage`.
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
  /// The number of todos, including removed ones.
  package var addedCount: Int
  /// The number of todos that the store already had; they are unchanged.
  package var knownCount: Int
  /// The number of drafts.
  package var draftCount: Int
  /// The number of lines and conflict sides of documents.
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

/// The file of a store that other programs may have open.
package protocol SharedStoreFile: Sendable {
  /// Calls `onChange` after another program has changed the store: at most 10 times a second, and
  /// immediately if there were changes since the store was opened or last watched. Returns when its
  /// task is cancelled, or immediately if no other program can change the store.
  func watchChanges(_ onChange: @escaping @Sendable () -> Void) async

  /// Closes the file so that a copy of this one file is complete. Does not wait for other programs.
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
