import ScreenModel
import TodoModel

/// An operation of the app, independent of the adapter's protocol.
package enum TodoOperation: Sendable {
  case logIn(name: String, password: Secret?)
  case register(username: String, password: Secret)
  case logOut
  /// Updates the list from its source. Without `refresh`, a list that is up to date is not
  /// requested again.
  case load(refresh: Bool)
  /// Syncs lists with their sources.
  case sync(SyncRequest)
  /// Lists the lists of the user.
  case lists
  /// Shows another list.
  case openList(source: String)
  /// Reports every change of the session's lists from now on.
  case watch
  case list(ListOperation)
  /// An operation that fails with this error, because its input is invalid.
  case invalid(TodoError)
}

/// A request about the screens, which the loop handles without the workflows' operations.
package enum ScreenOperation: Sendable {
  case change(ScreenChange)
  indirect case act(ScreenAct)
  case window(ScreenWindow)
  /// Reads the current screens.
  case rendering
}

/// The options of a sync.
package struct SyncRequest: Sendable, Equatable {
  /// Whether to return only the writes that would be sent.
  package var isDryRun = false
  /// Whether to sync every list, not only the open one.
  package var isForAll = false

  package init() {}
}

/// Text that the user typed into the fields of a screen.
package struct ScreenChange: Sendable, Equatable {
  package var screen = ""
  package var values: [String: String] = [:]
  /// The base version that the client echoed from the form; `nil` if it sent none.
  package var base: String?
  /// Whether to open the form again if it does not exist any more.
  package var opens = false

  package init() {}
}

/// An action of a screen that the user invoked.
package struct ScreenAct: Sendable, Equatable {
  package var screen = ""
  package var action = ""
  /// The IDs of the items on which the action is performed: on all of them, or on none.
  package var items: [String] = []
  package var values: [String: String] = [:]
  /// Whether the form stays open after a save.
  package var stays = false
  /// The base version that the client echoed from the form; `nil` if it sent none. Actions on items
  /// need no base. Items have stable IDs, so an action that is still offered has the effect that
  /// the user meant, even if the user saw an old rendering.
  package var base: String?

  package init() {}
}

/// The part of a list that a front-end shows.
package struct ScreenWindow: Sendable, Equatable {
  package var screen = ""
  package var window = ListWindow.whole

  package init() {}
}

/// The outcome of an operation. Large values are indirect, because an outcome is passed on often.
package enum TodoOutcome: Sendable, Equatable {
  case loggedIn(name: String)
  case registered(name: String)
  case loggedOut
  indirect case loaded(LoadSummary)
  indirect case page(TodoPage<Todo>, TodoQuery)
  indirect case answered(ListAnswer)
  indirect case changed(Todo)
  indirect case synced(SyncReport)
  case lists([ListSummary])
  case listOpened(source: String)
  indirect case watching(WatchedChanges)
  case removed(TodoID)
  case forgotten(TodoID)
  indirect case restored(RestoredTodo)
  /// The answer to a document or file that shows the list.
  indirect case document(DocumentAnswer)
  /// The result is on the screens.
  case shown
  /// A save was stored and its form stays open. The value is the base of the text that the user
  /// typed during the save.
  indirect case saved(EditBase)
  /// An action was performed. `from` are the screens on which the user invoked it; `saved` is the
  /// base of the text that the user typed during a save.
  indirect case acted(from: ScreenPlace, saved: EditBase?)
  /// Nothing was stored: the screen in front needs a decision.
  case needsDecision
  /// The current screens are the result.
  case rendering
  indirect case failed(TodoError)
  /// The screens do not offer the request at this moment.
  indirect case refused(ScreenOffer.Refusal)
  case cancelled
}

/// The outcome of an operation whose client waits.
package struct OperationEnd: Sendable, Equatable {
  package var token: OperationToken
  package var outcome: TodoOutcome

  init(_ token: OperationToken, _ outcome: TodoOutcome) {
    self.token = token
    self.outcome = outcome
  }
}

/// The result of a load.
package struct LoadSummary: Sendable, Equatable {
  /// The number of todos in the list.
  package var total: Int
  /// Whether everything at the source was received.
  package var isComplete: Bool
  package var source: String
}

/// A summary of one list of the user.
package struct ListSummary: Sendable, Equatable {
  /// The name of the source in messages of the protocol.
  package var source: String
  /// The name of the list at its host; `nil` if it has none.
  package var title: String?
  /// The filter of the todos that are shown; `nil` for all.
  package var filter: String?
  /// Whether the user may only read the list at its source.
  package var isReadOnly: Bool
  /// The fields of a todo that the source stores; the others stay in the store of this machine.
  package var fields: [ContentField]
  package var total: Int
  package var counts: SyncCounts
  /// The numbers of open todos; `nil` if they are not known.
  package var openCounts: OpenCounts?
  /// The error of the last sync.
  package var failure: SyncFailure?
  package var isOpen: Bool

  package init(
    source: String, title: String? = nil, filter: String? = nil, isReadOnly: Bool = false,
    fields: [ContentField] = ContentField.allCases, total: Int, counts: SyncCounts,
    openCounts: OpenCounts? = nil, failure: SyncFailure? = nil, isOpen: Bool
  ) {
    self.openCounts = openCounts
    self.source = source
    self.title = title
    self.filter = filter
    self.isReadOnly = isReadOnly
    self.fields = fields
    self.total = total
    self.counts = counts
    self.failure = failure
    self.isOpen = isOpen
  }
}

/// A page of the todos that were changed both locally and at their source.
package struct ConflictPage: Sendable, Equatable {
  package var conflicts: [SourceConflict]
  package var total: Int

  package init(conflicts: [SourceConflict], total: Int) {
    self.conflicts = conflicts
    self.total = total
  }

  /// The maximum number of conflicts in a page.
  package static let limitMax = 100
}

/// The progress of a load.
package struct LoadProgress: Sendable, Equatable {
  package var pagesDone: Int
  /// The number of pages; `nil` if the source does not report it.
  package var pageCount: Int?

  package init(pagesDone: Int, pageCount: Int? = nil) {
    self.pagesDone = pagesDone
    self.pageCount = pageCount
  }
}

/// The operations that are possible at this moment. They send to the same sinks as the screens.
package struct Operations {
  /// Begins an operation. Returns the outcome if it is known immediately; otherwise `nil`, and the
  /// outcome becomes an output of the root workflow, with the token.
  package var begin: (_ operation: TodoOperation, _ token: OperationToken) -> TodoOutcome?
  /// Cancels an operation whose client no longer waits.
  package var cancel: (OperationToken) -> Void
  /// Whether an operation has not ended yet.
  package var isWaiting: (OperationToken) -> Bool
}
