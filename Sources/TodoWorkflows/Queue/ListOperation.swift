import ScreenModel
import TodoModel

/// Everything that can be asked of a list. Operations run one after the other, in the order in
/// which they came, so that each sees what the ones before it did. What is large is held by reference.
package enum ListOperation: Sendable, Equatable {
  indirect case page(TodoQuery)
  case ask(ListQuestion)
  indirect case add(TodoDraft)
  indirect case edit(TodoID, TodoEdit)
  /// Edits a todo whose item the source does not have any more, and lets a sync create another one.
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
  /// Takes back the last change of one todo that was made from here.
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
  /// Decides a conflict with the source.
  indirect case resolve(TodoID, version: Int64, Resolution)
  /// Counts what is not as the source has it.
  case counts
  /// Gets a todo for the edit screen, or its conflict with the source.
  case open(TodoID)
  /// Reads the todo of a form that is opened again with its unsaved text.
  indirect case reopen(Draft)
  /// Opens one of several drafts of a todo.
  case openDraft(TodoID, number: Int64)
  case importDrafts
  /// Reads which todos have drafts.
  case readDrafts
  case discardDrafts([Int64])
  /// Reads the todo of the open form again.
  case refresh(TodoID)
  /// Reads the rows that the list screen shows. The window moves to a revealed todo.
  indirect case rows(
    filter: String, window: ListWindow = .whole, anchor: TodoID? = nil, revealing: TodoID? = nil)
  /// What whoever keeps the list as a file asks for.
  indirect case document(DocumentRequest)
  /// Waits for its turn, and thereby for everything before it.
  case logOut
  /// Waits for its turn. Then the list with this wire name is opened in place of the queue's own.
  case openList(source: String)
}

/// What the store made of an operation.
enum ListResult: Sendable, Equatable {
  /// What whoever asked is to be told, and nobody else sees.
  case answered(TodoOutcome)
  /// The answer takes long, and is read elsewhere from the list as it is now.
  case reading(TodoQuery, SlowReader)
  case added(Todo)
  case edited(Todo)
  case removed(TodoID)
  case moved(Todo)
  /// Several todos after a change of all.
  case changedAll([Todo], GroupChange)
  case opened(Todo, RestoredDraft? = nil)
  case openedConflict(ConflictSides, RestoredDraft? = nil)
  /// The form of a removed todo, whose text can be saved as a new one.
  case openedRemoved(RestoredDraft)
  /// The removed todos, newest first.
  case removedTodos([RemovedTodo], opens: Bool)
  /// A removed todo is in the list again.
  case cameBack(Todo)
  case forgotten(TodoID)
  case openedDrafts(DraftChoice)
  /// The todos with drafts; first after a login.
  case drafted([DraftedTodo], isFirst: Bool)
  case counts(SyncCounts)
  case restored(RestoredTodo)
  case refreshed(Todo, SourceConflict?)
  /// `total` counts those that the filter hides, too.
  case rows(TodoRows, total: Int)
  case documentSaved(DocumentReport)
  case loggedOut
}

/// What reads a list on another thread. Two are two, whatever they read.
struct SlowReader: Sendable, Equatable {
  var reader: any TodoReader

  static func == (a: SlowReader, b: SlowReader) -> Bool { false }
}

extension ListOperation {
  /// The change of one todo if there is one, which every store can do; otherwise that of several.
  static func change(
    _ ids: [TodoID], _ change: GroupChange, one: (TodoID) -> ListOperation
  ) -> ListOperation {
    ids.count == 1 ? one(ids[0]) : .changeAll(ids, change)
  }

  /// The answer to a question, which changes nothing and so needs neither an action nor a
  /// rendering; nil for everything else, and where it takes long.
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
      .importDrafts, .readDrafts, .discardDrafts, .refresh, .rows, .document, .logOut,
      .openList:
      return nil
    }
  }
}
