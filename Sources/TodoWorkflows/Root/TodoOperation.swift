import ScreenModel
import TodoModel

/// An operation that a client requests. It does not depend on the protocol of the client.
package enum TodoOperation: Sendable {
  case logIn(name: String, password: Secret?)
  case register(username: String, password: Secret)
  case logOut
  /// Loads the list from its source. Without `refresh`, a list that was loaded before is not loaded
  /// again.
  case load(refresh: Bool)
  /// Syncs lists with their sources.
  case sync(SyncRequest)
  /// Returns a summary of each of the user's lists.
  case lists
  /// Opens another list.
  case openList(source: String)
  /// Reports all changes of the user's lists from now on.
  case watch
  case list(ListOperation)
  /// Fails with this error, because the request of the client was invalid.
  case invalid(TodoError)
}

/// A request that concerns the screens. It is handled by the loop of the server (in the module
/// TodoServer), not by the workflows.
package enum ScreenOperation: Sendable {
  case change(ScreenChange)
  indirect case act(ScreenAct)
  case window(ScreenWindow)
  /// Returns the current screens.
  case rendering
}

/// The options of a request to sync.
package struct SyncRequest: Sendable, Equatable {
  /// Whether to send nothing, and return only the changes that a sync would send.
  package var isDryRun = false
  /// Whether all lists are synced. Otherwise, only the open list is synced.
  package var isForAll = false

  package init() {}
}

/// Text that the user has typed into the fields of a screen.
package struct ScreenChange: Sendable, Equatable {
  package var screen = ""
  package var values: [String: String] = [:]
  /// The base version that the client has copied from the form; `nil` if it sent none.
  package var base: String?
  /// Whether to open the form first if it is no longer open, such as after a restart of the server.
  package var opens = false

  package init() {}
}

/// An action that the user has invoked on a screen.
package struct ScreenAct: Sendable, Equatable {
  package var screen = ""
  package var action = ""
  /// The IDs of the items for the action. The action affects all of them or none.
  package var items: [String] = []
  package var values: [String: String] = [:]
  /// Whether the form stays open after it was saved.
  package var stays = false
  /// The base version that the client has copied from the form; `nil` if it sent none.
  ///
  /// Actions on items need no base. The ID of an item never changes, so the action affects the item
  /// that the user meant, even if the user saw an old rendering.
  package var base: String?

  package init() {}
}

/// A request to show a part of a list.
package struct ScreenWindow: Sendable, Equatable {
  package var screen = ""
  package var window = ListWindow.whole

  package init() {}
}

/// The outcome of an operation. Cases with large values are indirect, because outcomes are often
/// copied.
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
  /// The result of a `DocumentRequest`.
  indirect case document(DocumentAnswer)
  /// The outcome is visible on the screens.
  case shown
  /// A form was saved and stays open. The value is the new base for text that the user typed during
  /// the save.
  indirect case saved(FormBase)
  /// An action was performed. `from` describes the screens before the action. `saved` is the new
  /// base for text that the user typed during a save.
  indirect case acted(from: ScreenStackState, saved: FormBase?)
  /// Nothing was stored: the screen in front needs a decision.
  case needsDecision
  /// The current screens are the result.
  case rendering
  indirect case failed(TodoError)
  /// The current screens do not offer what the client has requested.
  indirect case refused(ScreenOffer.Refusal)
  case cancelled
}

/// The outcome of an operation, to be reported to the client that waits for it.
package struct OperationEnd: Sendable, Equatable {
  package var token: OperationToken
  package var outcome: TodoOutcome

  init(_ token: OperationToken, _ outcome: TodoOutcome) {
    self.token = token
    self.outcome = outcome
  }
}

/// The result of loading a list.
package struct LoadSummary: Sendable, Equatable {
  /// The number of todos in the list.
  package var total: Int
  /// Whether all todos of the source were received.
  package var isComplete: Bool
  package var source: String
}

/// A summary of one of the user's lists.
package struct ListSummary: Sendable, Equatable {
  /// The name of the source in the protocol.
  package var source: String
  /// The title of the list at its host; `nil` if it has none.
  package var title: String?
  /// The filter that selects the todos to show; `nil` for all.
  package var filter: String?
  /// Whether the user has only read access to the list at its source.
  package var isReadOnly: Bool
  /// The todo fields that the source stores. All other fields are stored only on this machine.
  package var fields: [ContentField]
  package var total: Int
  package var counts: SyncCounts
  /// The counts of open todos; `nil` if they are not known.
  package var openCounts: OpenCounts?
  /// The error of the last sync; `nil` if it succeeded.
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

/// A page of the todos that are in conflict with their source.
package struct ConflictPage: Sendable, Equatable {
  package var conflicts: [SourceConflict]
  package var total: Int

  package init(conflicts: [SourceConflict], total: Int) {
    self.conflicts = conflicts
    self.total = total
  }

  /// The maximum number of conflicts on a page.
  package static let limitMax = 100
}

/// The progress of loading a list.
package struct LoadProgress: Sendable, Equatable {
  package var pagesDone: Int
  /// The number of all pages; `nil` if the source does not report it.
  package var pageCount: Int?

  package init(pagesDone: Int, pageCount: Int? = nil) {
    self.pagesDone = pagesDone
    self.pageCount = pageCount
  }
}

/// The operations that are possible now. They send actions to the same workflows as the screens.
package struct Operations {
  /// Begins an operation.
  ///
  /// - Returns: The outcome, if it is known immediately. Otherwise `nil`; the root workflow later
  ///   reports the outcome with the token.
  package var begin: (_ operation: TodoOperation, _ token: OperationToken) -> TodoOutcome?
  /// Cancels an operation, because its client no longer waits for it.
  package var cancel: (OperationToken) -> Void
  /// Returns whether an operation has not ended yet.
  package var isWaiting: (OperationToken) -> Bool
}
