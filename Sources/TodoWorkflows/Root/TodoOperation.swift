import ScreenModel
import TodoModel

/// Everything that can be asked of the app, in whatever words a face has for it.
package enum TodoOperation: Sendable {
  case logIn(name: String, password: Secret?)
  case register(username: String, password: Secret)
  case logOut
  /// Brings the list up to date with its source. Where it is up to date, only a refresh asks the
  /// source again.
  case load(refresh: Bool)
  /// Brings lists and their sources together, both ways.
  case sync(SyncRequest)
  /// Which lists there are.
  case lists
  /// Shows another list.
  case openList(source: String)
  /// Reports every change of the session's lists from now on.
  case watch
  case list(ListOperation)
  /// Something that breaks a rule of todos, as a person or a program wrote it.
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

/// What of a sync is wanted.
package struct SyncRequest: Sendable, Equatable {
  /// Only says what would be sent.
  package var isDryRun = false
  /// Every list, and not only the one that is open.
  package var isForAll = false

  package init() {}
}

/// Text that the user typed into the fields of a screen.
package struct ScreenChange: Sendable, Equatable {
  package var screen = ""
  package var values: [String: String] = [:]
  /// What the form carried that the user typed into.
  package var base: String?
  /// Whether the form is to be opened again where it is not there any more.
  package var opens = false

  package init() {}
}

/// Something that the user pressed.
package struct ScreenAct: Sendable, Equatable {
  package var screen = ""
  package var action = ""
  /// The items that the action is done to, all or none.
  package var items: [String] = []
  package var values: [String: String] = [:]
  /// Whether a form that is saved is to stay open.
  package var stays = false
  /// What the form carried that the user typed into. Items have stable ids, so an action that is
  /// still offered is still what the user meant, however old the rendering is.
  package var base: String?

  package init() {}
}

/// Which part of a list a front-end shows.
package struct ScreenWindow: Sendable, Equatable {
  package var screen = ""
  package var window = ListWindow.whole

  package init() {}
}

/// How an operation ended. What is large is held by reference, for an outcome is passed on often.
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
  /// For whoever keeps the list as a file.
  indirect case document(DocumentAnswer)
  /// What came of it is on the screens.
  case shown
  /// Something was done on the screens, and came from here.
  indirect case acted(from: ScreenPlace)
  /// Nothing was stored: the screen in front needs a decision.
  case asked
  /// What is on the screens is the answer.
  case rendering
  indirect case failed(TodoError)
  /// The screens do not offer it at this moment.
  indirect case refused(ScreenOffer.Refusal)
  case cancelled
}

/// An operation that somebody waited for, and how it ended.
package struct OperationEnd: Sendable, Equatable {
  package var token: OperationToken
  package var outcome: TodoOutcome

  init(_ token: OperationToken, _ outcome: TodoOutcome) {
    self.token = token
    self.outcome = outcome
  }
}

/// What a load that has ended left behind.
package struct LoadSummary: Sendable, Equatable {
  /// How many todos the list has now.
  package var total: Int
  /// Whether everything that the source has was delivered.
  package var isComplete: Bool
  package var source: String
}

/// One of a person's lists.
package struct ListSummary: Sendable, Equatable {
  /// What its source is called on the wire.
  package var source: String
  /// The filter of the todos that are shown; `nil` for all.
  package var filter: String?
  package var total: Int
  package var counts: SyncCounts
  /// `nil` if they are not known.
  package var openCounts: OpenCounts?
  /// Why the last run has not brought the list and its source together.
  package var failure: SyncFailure?
  package var isOpen: Bool

  package init(
    source: String, filter: String? = nil, total: Int, counts: SyncCounts,
    openCounts: OpenCounts? = nil,
    failure: SyncFailure? = nil, isOpen: Bool
  ) {
    self.openCounts = openCounts
    self.source = source
    self.filter = filter
    self.total = total
    self.counts = counts
    self.failure = failure
    self.isOpen = isOpen
  }
}

/// Some of the todos that were changed both here and at their source.
package struct ConflictPage: Sendable, Equatable {
  package var conflicts: [SourceConflict]
  package var total: Int

  package init(conflicts: [SourceConflict], total: Int) {
    self.conflicts = conflicts
    self.total = total
  }

  /// The most of them in one page.
  package static let limitMax = 100
}

/// How far a load is.
package struct LoadProgress: Sendable, Equatable {
  package var pagesDone: Int
  /// How many pages there are, where the source says so.
  package var pageCount: Int?

  package init(pagesDone: Int, pageCount: Int? = nil) {
    self.pagesDone = pagesDone
    self.pageCount = pageCount
  }
}

/// What can be asked for at this moment: the same sinks as the screens'.
package struct Operations {
  /// Begins an operation. Where nothing has to be waited for, this is its outcome already;
  /// otherwise the outcome comes as an output of the root, with the token.
  package var begin: (_ operation: TodoOperation, _ token: OperationToken) -> TodoOutcome?
  /// Lets go of an operation that nobody waits for any more.
  package var cancel: (OperationToken) -> Void
  /// Whether an operation is still to be answered.
  package var isWaiting: (OperationToken) -> Bool
}
