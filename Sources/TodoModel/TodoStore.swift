/// A store of todos: in memory, in SQLite, or at a source. All stores pass the same tests.
///
/// When a call returns, its change is as durable as the store can make it: with SQLite, on disk.
/// Some abilities are optional. Each is a property, which is `nil` if the store does not have the
/// ability:
///
/// ```swift
/// guard let history = store.history else { throw .noHistory }
/// return try history.undo(in: list)
/// ```
package protocol TodoStore: Sendable {
  /// Returns a page of todos with their notes. The default order is that of the list: new todos at
  /// the top, loaded todos in the source's order, and moved todos where the user has put them.
  func todos(_ query: TodoQuery, in list: TodoListKey) async throws(TodoError) -> TodoPage<Todo>

  /// Returns a todo.
  ///
  /// - Throws: `notFound`.
  func todo(_ id: TodoID, in list: TodoListKey) async throws(TodoError) -> Todo

  /// Adds a todo at the top of the list.
  func add(_ draft: NewTodo, to list: TodoListKey) async throws(TodoError) -> Todo

  /// Changes a todo, and returns it. If the edit has no effect, returns the unchanged todo.
  ///
  /// - Throws: `notFound`; `conflict` if the todo has another version than expected, and the edit
  ///   cannot be merged. After an error, the todo is unchanged.
  func edit(_ id: TodoID, _ edit: TodoEdit, in list: TodoListKey) async throws(TodoError) -> Todo

  /// Removes a todo.
  ///
  /// - Throws: `notFound`; `conflict` if the todo has another version than expected.
  func remove(
    _ id: TodoID, expectedVersion: Int64?, in list: TodoListKey
  ) async throws(TodoError)

  /// Returns an object that answers reads of a list without further requests: the store itself, or
  /// a snapshot of the whole list.
  func loaded(_ list: TodoListKey) async throws(TodoError) -> any LocalReads

  /// The clock that determines the current day for queries such as `due:today`.
  var days: DayClock { get }

  // MARK: Capabilities

  /// Synchronous reads; `nil` for a store on the network.
  var localReads: (any LocalReads)? { get }
  /// Slow reads that can run on another thread; `nil` if the store has no slow reads.
  var backgroundReads: (any BackgroundReads)? { get }
  /// Undo and redo of changes; `nil` if the store has no history.
  var history: (any TodoHistory)? { get }
  /// Changes of several todos in one transaction; `nil` if the store does not support them.
  var groups: (any GroupedChanges)? { get }
  /// The stored state of syncs; `nil` if the store does not support syncs.
  var journal: (any SyncJournal)? { get }
  /// The stored state of documents (lists in the form of Markdown files); `nil` if the store does
  /// not support documents.
  var documents: (any DocumentMemory)? { get }
  /// Moves of todos within a list; `nil` if the store does not support them.
  var ordering: (any TodoOrdering)? { get }
  /// The object that reads the todos of several lists, sorted by due date; `nil` if the store does
  /// not support this.
  var agenda: (any AgendaReads)? { get }
  /// Export and import of lists; `nil` if the store does not support them.
  var exchange: (any TodoExchange)? { get }
  /// The log of changes; `nil` if the store has none.
  var changeFeed: (any ChangeFeed)? { get }
  /// The removed todos of a list, which can be restored; `nil` if the store does not keep them.
  var removedTodos: (any RemovedTodos)? { get }
  /// The file of the store; `nil` if no other program can change the store.
  var sharedFile: (any SharedStoreFile)? { get }
}

/// The default implementations. They are for a store that has none of the abilities.
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

/// Undo and redo of changes that were made on this machine. All lists of a user share one history.
package protocol TodoHistory: Sendable {
  /// Reverses the last change that the user of this list has made or redone, in any of the user's
  /// lists. Changes made through this open store can be undone. Changes by other processes can be
  /// undone only if they were made before this store first used the list.
  ///
  /// An undo is a three-way merge, so it affects only the fields of the change. The todo gets its
  /// former position and a new version.
  ///
  /// A group of changes is reversed in one step. If a todo of the group is in conflict, nothing is
  /// changed, and the `item` of the error is the id of the todo. The next undo skips the todos in
  /// conflict, and reverses the changes of the others. Every undo skips a todo that no longer
  /// exists, and the move of a removed todo.
  ///
  /// - Throws: `nothingToUndo`; `conflict` if one of the fields has changed meanwhile; `notFound`
  ///   if the todo no longer exists. After `conflict` or `notFound`, nothing is changed, and the
  ///   next undo skips the change. In a conflict, `mine` is the state before the change, and `base`
  ///   is the state after it.
  func undo(in list: TodoListKey) throws(TodoError) -> RestoredTodo

  /// Reverses the last change that was made to one todo through this open store. Changes by other
  /// processes, and changes before the store was opened, are never reversed.
  ///
  /// - Parameter version: The version of the todo that the caller has seen. For a removed todo,
  ///   this can also be the version before the removal. Any other version causes a conflict.
  /// - Throws: The errors of `undo(in:)`.
  func undo(
    _ id: TodoID, version: Int64, in list: TodoListKey
  ) throws(TodoError) -> RestoredTodo

  /// Repeats the change that was undone last, unless the user has made another change meanwhile.
  ///
  /// - Throws: The errors of `undo(in:)`.
  func redo(in list: TodoListKey) throws(TodoError) -> RestoredTodo
}

/// Export and import of lists, as lines of JSON.
package protocol TodoExchange: Sendable {
  /// Exports lists with all their data from one snapshot. Calls `write` with a few lines at a time.
  func exportLines(
    of scope: ExportScope, to write: @escaping ([UInt8]) throws(TodoError) -> Void
  ) throws(TodoError)

  /// Imports all lists of an export. If an error occurs, nothing is imported.
  ///
  /// - Parameters:
  ///   - profile: The profile that gets all lists; with `nil`, each list keeps its profile.
  ///   - read: Returns the next bytes of the export; empty at its end.
  /// - Throws: `validation`, whose message begins with the number of the invalid line; `storage`.
  func importLines(
    profile: String?, from read: @escaping () throws(TodoError) -> [UInt8]
  ) throws(TodoError) -> ImportReport
}

/// The lists to export.
package struct ExportScope: Sendable, Equatable {
  /// The profile whose lists are exported; `nil` for all profiles.
  package var profile: String?
  /// The sources whose lists are exported, with `""` for local lists; `nil` for all sources.
  package var sources: [String]?

  package static let all = ExportScope()

  package init(profile: String? = nil, sources: [String]? = nil) {
    self.profile = profile
    self.sources = sources
  }
}

/// The result of an import.
package struct ImportReport: Sendable, Equatable {
  /// The number of todos that were added, including removed todos.
  package var addedCount: Int
  /// The number of todos that the store already contained. They stay unchanged.
  package var knownCount: Int
  /// The number of drafts that were imported.
  package var draftCount: Int
  /// The number of texts that the import has added to documents: plain lines (lines without a
  /// todo), and sides of conflicts.
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

/// The file of a store, which other programs can have open at the same time.
package protocol SharedStoreFile: Sendable {
  /// Watches the store: calls `onChange` after another program has changed it, at most 25 times a
  /// second. The first call comes immediately if the store has changed since it was opened or last
  /// watched. Returns when its task is cancelled, or immediately if no other program can change the
  /// store.
  func watchChanges(_ onChange: @escaping @Sendable () -> Void) async

  /// Closes the store, and copies the changes in its log (WAL) into the main file, so that the main
  /// file alone is complete. If another program prevents the copying, skips it instead of waiting.
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
