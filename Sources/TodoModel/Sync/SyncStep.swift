/// What a sync is to do.
package struct SyncGoal: Sendable, Equatable {
  package var pushes: Bool
  package var pulls: Bool
  /// Load everything and not only what has changed.
  package var isWhole: Bool
  /// Send once more what the source has refused.
  package var retriesFailed: Bool

  package init(
    pushes: Bool, pulls: Bool, isWhole: Bool = false, retriesFailed: Bool = false
  ) {
    self.pushes = pushes
    self.pulls = pulls
    self.isWhole = isWhole
    self.retriesFailed = retriesFailed
  }

  /// What `sync` does: everything, also what has failed.
  package static let both = SyncGoal(pushes: true, pulls: true, retriesFailed: true)
  /// What is done again after a failure: everything but what the source has refused.
  package static let again = SyncGoal(pushes: true, pulls: true)
  package static let none = SyncGoal(pushes: false, pulls: false)
  package static let push = SyncGoal(pushes: true, pulls: false)
  package static let pull = SyncGoal(pushes: false, pulls: true)
  /// Fetches everything again, so that deleted items are noticed.
  package static let reload = SyncGoal(pushes: false, pulls: true, isWhole: true)
}

/// What a `SyncEngine` says is to be done next.
package enum SyncStep: Sendable, Equatable {
  case send(RemoteRequest)
  /// Nothing may be sent before an instant.
  case wait(until: Timestamp)
  case done
}

/// What a sync has done so far.
package struct SyncReport: Sendable, Equatable {
  /// Todos that were sent.
  package var pushed = 0
  /// Todos that the source has added, changed or closed.
  package var pulled = 0
  /// Todos that were changed on both sides and joined.
  package var merged = 0
  /// Todos that are newly in conflict.
  package var conflicts = 0
  package var failed: [Failed] = []
  /// Why it ended before everything was done.
  package var error: TodoError?
  /// Why changes wait that the source does not take, while it can be read.
  package var sendError: TodoError?
  /// With a limit: when the next request is allowed.
  package var retryAt: Timestamp?
  /// When everything that the source has was there.
  package var syncedAt: Timestamp?
  /// Whether everything that the source has is there.
  package var isComplete = false
  /// How many pages of a whole load have come, and how many there are, where that is known.
  package var loadedPages = Pages()
  var loadedBytes = 0

  package init() {}

  /// How far a whole load is.
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

/// What a sync would send.
package struct PlannedWrite: Sendable, Equatable {
  package var id: TodoID
  /// The source's own name of the item; nil for one that is to be made.
  package var key: String?
  package var what: RemoteWrite
  /// With `change`: what differs from the source, as far as is known here.
  package var fields: [ContentField]

  package init(id: TodoID, key: String? = nil, what: RemoteWrite, fields: [ContentField]) {
    self.id = id
    self.key = key
    self.what = what
    self.fields = fields
  }
}

extension SyncJournal {
  /// What a sync would send now. Nothing is asked, so what the source has by now may change it.
  package func plan(for list: TodoListKey) throws(TodoError) -> [PlannedWrite] {
    let waiting = try outgoing(in: list, failed: false) + outgoing(in: list, failed: true)
    var known: Set<TodoID> = []
    return waiting.filter { known.insert($0.id).inserted }.compactMap { todo in
      let what: RemoteWrite =
        todo.key == nil ? .create : todo.isRemoved ? .close : .change
      if what == .create, todo.isRemoved { return nil }
      let fields =
        what == .change
        ? todo.base.map { todo.content.fields(differingFrom: $0) } ?? ContentField.allCases : []
      // It is only read.
      if what == .change, fields.isEmpty { return nil }
      return PlannedWrite(id: todo.id, key: todo.key, what: what, fields: fields)
    }
  }
}
