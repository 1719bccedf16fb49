/// The parts of a sync to run.
package struct SyncGoal: Sendable, Equatable {
  package var pushes: Bool
  package var pulls: Bool
  /// Whether to load the whole list instead of changes only.
  package var isWhole: Bool
  /// Whether to send changes again that the source has refused.
  package var retriesFailed: Bool
  /// Whether to read the labels that items can have, unless they were read recently.
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

  /// Push and pull, including failed changes: the action `sync`.
  package static let both = SyncGoal(pushes: true, pulls: true, retriesFailed: true)
  /// Pull, and push all changes except those that the source has refused: a retry after a failure.
  package static let again = SyncGoal(pushes: true, pulls: true)
  package static let none = SyncGoal(pushes: false, pulls: false)
  package static let labels = SyncGoal(pushes: false, pulls: false, readsLabels: true)
  package static let push = SyncGoal(pushes: true, pulls: false)
  package static let pull = SyncGoal(pushes: false, pulls: true)
  /// Loads the whole list, so that deleted items are noticed.
  package static let reload = SyncGoal(pushes: false, pulls: true, isWhole: true)
}

/// The next step of a `SyncEngine`.
package enum SyncStep: Sendable, Equatable {
  case send(RemoteRequest)
  /// Waits, because no request may be sent before this time.
  case wait(until: Timestamp)
  case done
}

/// The results of a sync so far.
package struct SyncReport: Sendable, Equatable {
  /// The number of todos that were sent.
  package var pushed = 0
  /// The number of todos that the source has added, changed or closed.
  package var pulled = 0
  /// The number of todos that changed on both sides and were merged.
  package var merged = 0
  /// The number of new conflicts.
  package var conflicts = 0
  package var failed: [Failed] = []
  /// The error that ended the sync early.
  package var error: TodoError?
  /// The reason why changes are not sent although the source can be read.
  package var sendError: TodoError?
  /// The time at which the next request is allowed after a rate limit.
  package var retryAt: Timestamp?
  /// The time at which everything at the source was loaded.
  package var syncedAt: Timestamp?
  /// Whether everything at the source is loaded.
  package var isComplete = false
  /// Whether the labels that items can have were read.
  package var hasReadLabels = false
  /// The progress of a load of the whole list.
  package var loadedPages = Pages()
  var loadedBytes = 0

  package init() {}

  /// The number of loaded pages, and the total if the source reports it.
  package struct Pages: Sendable, Equatable {
    package var count = 0
    package var total: Int?
  }

  /// A todo that its source has refused.
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

/// A write that a sync would send.
package struct PlannedWrite: Sendable, Equatable {
  package var id: TodoID
  /// The key of the item; `nil` for an item to create.
  package var key: String?
  package var kind: RemoteWrite
  /// The fields that a `change` sends, compared to the item as last received.
  package var fields: [ContentField]

  package init(id: TodoID, key: String? = nil, kind: RemoteWrite, fields: [ContentField]) {
    self.id = id
    self.key = key
    self.kind = kind
    self.fields = fields
  }
}

extension SyncJournal {
  /// Returns the writes that a sync would send now. No request is sent, so later changes at the
  /// source are not considered.
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
