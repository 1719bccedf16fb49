import ScreenModel
import TodoModel

/// An operation on a list. Operations run one after the other, in the order of arrival, so that
/// each sees the effects of those before it. Large values are indirect.
package enum ListOperation: Sendable, Equatable {
  indirect case page(TodoQuery)
  case ask(ListQuestion)
  indirect case add(TodoDraft)
  indirect case edit(TodoID, TodoEdit)
  /// Edits a todo whose item no longer exists at the source, so that a sync creates a new item.
  indirect case createAgain(TodoID, TodoEdit)
  case remove(TodoID, expectedVersion: Int64?)
  case toggle(TodoID)
  indirect case adjust(TodoID, FieldAdjustment)
  /// Changes several todos, all or none.
  indirect case changeAll([TodoID], GroupChange)
  case move(TodoID, to: MoveTarget)
  /// Moves a todo past the row that the list screen shows above or below it.
  indirect case moveRow(TodoID, MoveDirection, filter: String)
  case undo
  /// Reverts the last change that this process made to one todo.
  case undoOwn(TodoID, version: Int64)
  case redo
  /// Restores a removed todo.
  case restore(TodoID)
  /// Deletes a removed todo, its changes and its drafts.
  case forget(TodoID)
  /// Reads the removed todos, and opens their screen.
  case openRemoved
  /// Reads the removed todos again for their screen.
  case readRemoved
  /// Resolves a conflict with the source.
  indirect case resolve(TodoID, version: Int64, Resolution)
  /// Counts the todos that differ from the source.
  case counts
  /// Reads a todo for the edit screen, or its conflict with the source.
  case open(TodoID)
  /// Reads the todo of a form that is opened again with its unsaved text.
  indirect case reopen(Draft)
  /// Opens one of several drafts of a todo.
  case openDraft(TodoID, number: Int64)
  case importDrafts
  /// Reads which todos have drafts.
  case readDrafts
  /// Reads the drafts that ended processes have left.
  case listDrafts
  case discardDrafts([Int64])
  /// Reads the todo of the open form again.
  case refresh(TodoID)
  /// Reads the rows that the list screen shows. If the todo to reveal is outside the window, the
  /// window moves to it.
  indirect case rows(
    filter: String, window: ListWindow = .whole, anchor: TodoID? = nil, revealing: TodoID? = nil)
  /// An operation of a document or file that shows the list.
  indirect case document(DocumentRequest)
  /// Logs out, after all earlier operations of the list.
  case logOut
  /// Opens another list, by its name on the wire, after all earlier operations of this list.
  case openList(source: String)
}

/// The result of an operation on the store.
enum ListResult: Sendable, Equatable {
  /// An outcome for the client only, without an effect on the screens.
  case answered(TodoOutcome)
  /// The read is slow, and runs on another thread on a snapshot of the list.
  case reading(TodoQuery, BackgroundReader)
  case added(Todo)
  case edited(Todo)
  case removed(TodoID)
  case moved(Todo)
  /// The todos after a change that was applied to several todos in one step.
  case changedAll([Todo], GroupChange)
  case opened(Todo, RestoredDraft? = nil)
  case openedConflict(ConflictSides, RestoredDraft? = nil)
  /// A removed todo, whose unsaved text can be saved as a new one.
  case openedRemoved(RestoredDraft)
  /// The removed todos, newest first.
  case removedTodos([RemovedTodo], opens: Bool)
  /// A removed todo was restored.
  case reappeared(Todo)
  case forgotten(TodoID)
  case openedDrafts(DraftChoice)
  /// The todos with drafts; `isFirst` is whether the user has just logged in.
  case drafted([DraftedTodo], isFirst: Bool)
  case counts(SyncCounts)
  case restored(RestoredTodo)
  case refreshed(Todo, SourceConflict?)
  /// The rows of a window. `total` includes the todos that the filter hides.
  case rows(TodoRows, total: Int)
  case documentSaved(DocumentReport)
  case loggedOut
}

/// A reader of a list for another thread. Two readers are never equal, whatever they read.
struct BackgroundReader: Sendable, Equatable {
  var reader: any TodoReader

  static func == (a: BackgroundReader, b: BackgroundReader) -> Bool { false }
}

extension ListOperation {
  /// Returns the operation that changes some todos. For one todo it is `one`, which every store
  /// supports.
  static func change(
    _ ids: [TodoID], _ change: GroupChange, one: (TodoID) -> ListOperation
  ) -> ListOperation {
    ids.count == 1 ? one(ids[0]) : .changeAll(ids, change)
  }

  /// Returns the outcome of a read-only operation, which needs neither an action nor a rendering;
  /// `nil` for other operations and for slow reads.
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
      .restore, .forget, .openRemoved, .readRemoved, .resolve, .counts, .open, .reopen, .openDraft,
      .importDrafts, .readDrafts, .listDrafts, .discardDrafts, .refresh, .rows, .document, .logOut,
      .openList:
      return nil
    }
  }
}
