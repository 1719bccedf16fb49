import ScreenModel
import TodoModel

/// An operation on a list. Operations run one after the other in the order of their arrival, so
/// that each operation sees the effects of all earlier operations. Cases with large values are
/// indirect.
package enum ListOperation: Sendable, Equatable {
  indirect case page(TodoQuery)
  case ask(ListQuestion)
  indirect case add(NewTodo)
  indirect case edit(TodoID, TodoEdit)
  /// Edits a todo whose item no longer exists at the source. The next sync then creates a new item.
  indirect case createAgain(TodoID, TodoEdit)
  case remove(TodoID, expectedVersion: Int64?)
  case toggle(TodoID)
  indirect case adjust(TodoID, FieldAdjustment)
  /// Changes several todos in one transaction.
  indirect case changeAll([TodoID], GroupChange)
  case move(TodoID, to: MoveTarget)
  /// Moves a todo past the next row above or below it on the screen of the list.
  indirect case moveRow(TodoID, MoveDirection, filter: String)
  case undo
  /// Undoes the last change that this process has made to one todo.
  case undoOwn(TodoID, version: Int64)
  case redo
  /// Restores a removed todo.
  case restore(TodoID)
  /// Deletes a removed todo permanently, with its changes and drafts.
  case forget(TodoID)
  /// Opens the screen of removed todos.
  case openRemoved
  /// Reads the removed todos again for their open screen.
  case readRemoved
  /// Resolves the conflict between edits of two clients. Stores the edit; with `nil`, the chosen
  /// text is already stored. If the todo no longer has this version, fails with a `conflict`,
  /// because the user has not seen the newer text.
  indirect case settle(TodoID, version: Int64, TodoEdit?)
  /// Resolves the conflict between a todo and its source.
  indirect case resolve(TodoID, version: Int64, Resolution)
  /// Counts the todos that differ from their source.
  case counts
  /// Opens the form for a todo, or the comparison if the todo is in conflict with its source.
  case open(TodoID)
  /// Opens the form for an unsaved text again.
  indirect case reopen(FormText)
  /// Opens the form with one of several drafts of a todo.
  case openDraft(TodoID, number: Int64)
  case importDrafts
  /// Reads which todos have drafts. The list then marks these todos.
  case readDrafts
  /// Returns the drafts of ended processes to the client.
  case listDrafts
  case discardDrafts([Int64])
  /// Reads the todo of the open form again.
  case refresh(TodoID)
  /// Reads the rows for the screen of the list. If the list contains the todo `anchor`, the window
  /// begins with its row, so that the row stays at the top of the screen. If the todo `revealing`
  /// is outside the window, the window moves to it.
  indirect case rows(
    filter: String, window: ListWindow = .whole, anchor: TodoID? = nil, revealing: TodoID? = nil)
  /// Performs a request that concerns a document (a Markdown file that shows the list).
  indirect case document(DocumentRequest)
  /// Logs out, after all earlier operations of the list.
  case logOut
  /// Opens another list, after all earlier operations of this list. `source` is the name that the
  /// source of the other list has on the wire.
  case openList(source: String)
}

/// The result of an operation on a list.
enum ListResult: Sendable, Equatable {
  /// The outcome of an operation that does not affect the screens.
  case answered(TodoOutcome)
  /// The read is slow. It continues on another thread, on a snapshot of the list.
  case reading(TodoQuery, BackgroundReader)
  case added(Todo)
  /// A todo was edited. The second value is the edit that was merged into the todo, with the user's
  /// input converted to values; `nil` for operations other than `edit` and `createAgain`.
  case edited(Todo, TodoEdit? = nil)
  case removed(TodoID)
  case moved(Todo)
  /// Several todos were changed in one transaction. The value contains the changed todos.
  case changedAll([Todo], GroupChange)
  case opened(Todo, RestoredDraft? = nil)
  case openedConflict(ConflictSides, RestoredDraft? = nil)
  /// The todo of an unsaved text was removed. The text can be saved as a new todo. The second value
  /// is the last version of the removed todo; `nil` if it is not stored. `base` is the content on
  /// which the text is based; `nil` if it is not stored.
  case openedRemoved(RestoredDraft, Todo?, base: TodoContent?)
  /// The removed todos, newest first. If `opens` is `true`, the screen of removed todos opens.
  case removedTodos([RemovedTodo], opens: Bool)
  /// A removed todo was restored.
  case reappeared(Todo)
  case forgotten(TodoID)
  case openedDrafts(DraftChoice)
  /// The todos that have drafts. `isFirst` is `true` if the user has just logged in.
  case drafted([DraftedTodo], isFirst: Bool)
  case counts(SyncCounts)
  case restored(RestoredTodo)
  case refreshed(Todo, SourceConflict?)
  /// The todo of the open form is not in the list any more. The second value is its last version;
  /// `nil` if it is not stored.
  case refreshedRemoved(TodoID, Todo?)
  /// The rows of a window. `total` counts all todos, even those that the filter hides.
  case rows(TodoRows, total: Int)
  case documentSaved(DocumentReport)
  case loggedOut
}

/// A snapshot of a list to read on another thread. The operator `==` always returns `false`.
struct BackgroundReader: Sendable, Equatable {
  var reader: any TodoReader

  static func == (a: BackgroundReader, b: BackgroundReader) -> Bool { false }
}

extension ListOperation {
  /// Returns the operation that changes some todos. For a single todo, calls `one` to create the
  /// operation, because some stores cannot change several todos in one transaction.
  static func change(
    _ ids: [TodoID], _ change: GroupChange, one: (TodoID) -> ListOperation
  ) -> ListOperation {
    ids.count == 1 ? one(ids[0]) : .changeAll(ids, change)
  }

  /// Returns the outcome of a read that does not affect the screens. The read bypasses the queue of
  /// the workflow. Returns `nil` for other operations and for slow reads.
  func answer(
    from store: any TodoStore, in list: TodoListKey
  ) throws(TodoError) -> TodoOutcome? {
    switch self {
    case .page(let query):
      guard let reads = store.localReads,
        try store.backgroundReads?.isSlow(.todos(query), in: list) != true
      else { return nil }
      return .page(try reads.todos(query, in: list), query)
    case .ask(let question):
      guard let reads = store.localReads else { return nil }
      return .answered(try question.answer(from: reads, of: store, in: list))
    case .add, .edit, .createAgain, .remove, .toggle, .adjust, .changeAll, .move, .moveRow, .undo,
      .undoOwn, .redo,
      .restore, .forget, .openRemoved, .readRemoved, .settle, .resolve, .counts, .open, .reopen,
      .openDraft, .importDrafts, .readDrafts, .listDrafts, .discardDrafts, .refresh, .rows,
      .document, .logOut,
      .openList:
      return nil
    }
  }
}
