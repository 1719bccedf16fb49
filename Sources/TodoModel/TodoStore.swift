/// A store of todos: in memory, in SQLite, or at a source. The same tests run for all of them.
///
/// When a change returns, it is as durable as the store can make it (SQLite: on disk). Abilities
/// that only some stores have are capabilities: properties that are `nil` if the store lacks them.
///
/// ```swift
/// guard let history = store.history else { throw .noHistory }
/// return try history.undo(in: list)
/// ```
package protocol TodoStore: Sendable {
  /// Returns a page of whole todos, by default in the list's order: new todos at the top, loaded
  /// ones in the source's order, and moved ones where the user has put them.
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

  /// Returns reads of a list that need no further request: from the store itself, or from a
  /// snapshot of the whole list.
  func loaded(_ list: TodoListKey) async throws(TodoError) -> any LocalReads

  /// The clock for the current day, to which queries such as `due:today` refer.
  var days: DayClock { get }

  // MARK: Capabilities

  /// Synchronous reads; `nil` for a store on the network.
  var localReads: (any LocalReads)? { get }
  /// Slow reads on another thread; `nil` if no read is slow.
  var backgroundReads: (any BackgroundReads)? { get }
  /// The undo and redo of changes; `nil` if the store has no history.
  var history: (any TodoHistory)? { get }
  /// The changes of several todos in one transaction.
  var groups: (any GroupedChanges)? { get }
  /// The state of syncs with sources.
  var journal: (any SyncJournal)? { get }
  /// The state of lists that are edited as Markdown files.
  var documents: (any DocumentMemory)? { get }
  /// Moves of todos within a list.
  var ordering: (any TodoOrdering)? { get }
  /// The part of the store that reads todos of several lists, in the order of their dates.
  var agenda: (any AgendaReads)? { get }
  /// The export and import of lists.
  var exchange: (any TodoExchange)? { get }
  /// The log of changes.
  var changeFeed: (any ChangeFeed)? { get }
  /// The removed todos of a list, which can be restored.
  var removedTodos: (any RemovedTodos)? { get }
  /// The file of the store; `nil` if no other program may change it.
  var sharedFile: (any SharedStoreFile)? { get }
}

/// The defaults for a store without capabilities.
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

/// Undo and redo of local changes. All lists of a user that this store has used have a common order
/// of changes.
package protocol TodoHistory: Sendable {
  /// Reverses the last change that the user of this list made or redid in any of the user's lists.
  /// The change was made through this open store, or by any process before this store first used
  /// the list; later changes by other processes are not undone.
  ///
  /// An undo is a three-way merge: only the fields of the change are affected. The todo gets its
  /// former position and a new version.
  ///
  /// A group of changes is reversed in one step. If a todo of the group conflicts, nothing is
  /// changed, and `item` of the error is its id. The next undo skips such todos and reverses the
  /// changes of the others. A removed todo is skipped, too.
  ///
  /// - Throws: `nothingToUndo`; `conflict` if one of the fields has changed since; `notFound` if
  ///   the todo is gone. After `conflict` or `notFound`, nothing is changed, and the next undo
  ///   skips the change. In a conflict, `mine` is the state before the change, and `base` is the
  ///   state after it.
  func undo(in list: TodoListKey) throws(TodoError) -> RestoredTodo

  /// Reverses the last change of one todo that was made through this open store. Changes by other
  /// processes, or made before the store was opened, are never reversed.
  ///
  /// - Parameter version: The version of the todo that the caller has seen; for a removed todo, the
  ///   version before the removal is accepted, too. Any other version is a conflict.
  /// - Throws: As `undo(in:)`.
  func undo(
    _ id: TodoID, version: Int64, in list: TodoListKey
  ) throws(TodoError) -> RestoredTodo

  /// Repeats the change that was undone last, unless another change was made since.
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

  /// Imports all data of an export, or nothing if an error occurs.
  ///
  /// - Parameters:
  ///   - profile: The profile that gets all lists; `nil` keeps the profile of each list.
  ///   - read: Returns the next bytes of the export; empty at its end.
  /// - Throws: `validation`, whose message begins with the number of the invalid line; `storage`.
  func importLines(
    profile: String?, from read: @escaping () throws(TodoError) -> [UInt8]
  ) throws(TodoError) -> ImportReport
}

/// The selection of lists for an export.
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
  /// The number of added todos, including removed ones.
  package var addedCount: Int
  /// The number of todos that the store already contained; they are unchanged.
  package var knownCount: Int
  /// The number of imported drafts.
  package var draftCount: Int
  /// The number of imported plain lines and conflict texts of documents.
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

  /// Closes the file. A copy of this one file is complete afterwards. Does not wait for other
  /// programs.
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
