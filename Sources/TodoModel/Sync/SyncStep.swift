/// The requested parts of a sync.
package struct SyncGoal: Sendable, Equatable {
  package var pushes: Bool
  package var pulls: Bool
  /// Whether to load the whole list instead of only its changes.
  package var isWhole: Bool
  /// Whether changes that the source has refused are sent again.
  package var retriesFailed: Bool
  /// Whether to read the source's list of labels, unless it was read recently.
  package var readsLabels: Bool

  package init(
    pushes: Bool, pulls: Bool, isWhole: Bool = false, retriesFailed: Bool = false,
    readsLabels: Bool = false
  ) {
    self.readsLabels = readsLabels
    self.pushes = pushes
    self.pulls = pulls
    self.isWhole = isWhole
    self.retriesFailed = retriesFailed
  }

  /// The goal of a sync that the user requests with the action `sync`: to pull, and to push all
  /// changes, including the changes that the source has refused.
  package static let both = SyncGoal(pushes: true, pulls: true, retriesFailed: true)
  /// The goal of a sync that is retried after an error: to pull, and to push all changes except the
  /// changes that the source has refused.
  package static let again = SyncGoal(pushes: true, pulls: true)
  package static let none = SyncGoal(pushes: false, pulls: false)
  package static let labels = SyncGoal(pushes: false, pulls: false, readsLabels: true)
  package static let push = SyncGoal(pushes: true, pulls: false)
  package static let pull = SyncGoal(pushes: false, pulls: true)
  /// The goal to load the whole list, which also finds deleted items.
  package static let reload = SyncGoal(pushes: false, pulls: true, isWhole: true)
}

/// The next step of a sync: a request, a pause, or its end.
package enum SyncStep: Sendable, Equatable {
  case send(RemoteRequest)
  /// Wait until this time, because no request may be sent earlier.
  case wait(until: Timestamp)
  case done
}

/// The results of a sync so far.
package struct SyncReport: Sendable, Equatable {
  /// The number of todos that were sent.
  package var pushed = 0
  /// The number of todos that were added, changed or closed at the source.
  package var pulled = 0
  /// The number of todos that had changed on both sides, and were merged.
  package var merged = 0
  /// The number of todos that are newly in conflict.
  package var conflicts = 0
  /// The number of removals that were not sent, because they are held (see `HeldRemovals`).
  package var held = 0
  package var failed: [Failed] = []
  /// The error that has ended the sync early; `nil` without an error.
  package var error: TodoError?
  /// The error that prevents sending changes, although the source can be read.
  package var sendError: TodoError?
  /// The time at which the next request is allowed; `nil` without a rate limit.
  package var retryAt: Timestamp?
  /// The time at which all changes of the source were loaded; `nil` until then.
  package var syncedAt: Timestamp?
  /// Whether all changes of the source are loaded.
  package var isComplete = false
  /// Whether the source's list of labels was read.
  package var hasReadLabels = false
  /// The progress of loading the whole list.
  package var loadedPages = Pages()
  var loadedBytes = 0

  package init() {}

  /// The number of loaded pages, and the number of all pages (`total`). `total` is `nil` if the
  /// source does not report it.
  package struct Pages: Sendable, Equatable {
    package var count = 0
    package var total: Int?
  }

  /// A todo that the source has refused in this sync.
  package struct Failed: Sendable, Equatable {
    package var id: TodoID
    package var title: String
    package var failure: SyncFailure

    package init(id: TodoID, title: String, failure: SyncFailure) {
      self.id = id
      self.title = title
      self.failure = failure
    }
  }
}

/// A change that the next sync would send.
package struct PlannedWrite: Sendable, Equatable {
  package var id: TodoID
  /// The key of the item to change; `nil` if the change creates an item.
  package var key: String?
  package var kind: RemoteWrite
  /// The fields that a `change` sends: those that differ from the item as last received.
  package var fields: [ContentField]

  package init(id: TodoID, key: String? = nil, kind: RemoteWrite, fields: [ContentField]) {
    self.id = id
    self.key = key
    self.kind = kind
    self.fields = fields
  }
}

extension SyncJournal {
  /// Returns the changes that a sync would send now. Nothing is requested from the source, so
  /// changes made at the source are not considered.
  package func plan(for list: TodoListKey) throws(TodoError) -> [PlannedWrite] {
    let waiting = try outgoing(in: list, failed: false) + outgoing(in: list, failed: true)
    var known: Set<TodoID> = []
    return waiting.filter { known.insert($0.id).inserted }.compactMap { todo in
      let kind: RemoteWrite =
        todo.key == nil ? .create : todo.isRemoved ? .close : .change
      if kind == .create, todo.isRemoved { return nil }
      let fields =
        kind == .change
        ? todo.base.map { todo.content.fields(differingFrom: $0) } ?? ContentField.allCases : []
      // Nothing would be sent, because the item has the same fields.
      if kind == .change, fields.isEmpty { return nil }
      return PlannedWrite(id: todo.id, key: todo.key, kind: kind, fields: fields)
    }
  }
}
