/// The steps of a sync that handle changes which the source has refused.
extension SyncEngine {
  /// The number of refusals after which no more changes are sent, unless the source has accepted a
  /// change.
  private static let deniedMax = 3

  /// Handles a refusal. If the source has answered a request for the list in this sync, the access
  /// token permits reading, so `apply` handles the refusal immediately. Otherwise, the next request
  /// checks whether the list can be read.
  mutating func check(_ denial: Push.Denial) throws(TodoError) {
    if isListReadable { try apply(denial) } else { push.stage = .checking(denial) }
  }

  mutating func apply(_ denial: Push.Denial) throws(TodoError) {
    switch denial.request {
    case .read: return try giveUp(denial.id, denial.error)
    case .change(isLocked: true): return try refuse(denial.id, denial.error)
    case .change(isLocked: false), .create: break
    }
    push.denied.append(denial)
    push.dropFirst()
    if push.sent.isEmpty, push.denied.count >= Self.deniedMax { push.halt() }
  }

  /// Decides at the end of a sync what happens to refused changes. If the source has accepted
  /// changes of other todos, the todos with refused changes become `failed`. Otherwise, the changes
  /// stay queued until the user gets permission. Refused new todos always stay queued.
  mutating func settleDenied() throws(TodoError) {
    for denial in push.denied {
      if case .change = denial.request, !push.sent.isEmpty {
        try refuse(denial.id, denial.error)
      } else {
        report.sendError = report.sendError ?? denial.error
      }
    }
    push.denied = []
  }

  /// Handles an item that the source does not return. If the item no longer exists, and its todo
  /// has no unsent edits, the todo is removed. Otherwise, the todo becomes `failed`.
  mutating func giveUp(_ id: TodoID, _ error: TodoError) throws(TodoError) {
    if error.kind == .notFound, try journal.confirmDeletion(id, in: list) {
      return push.dropFirst()
    }
    try refuse(id, error)
  }

  /// Marks a todo as `failed`, because the source has refused it, and continues with the next todo.
  ///
  /// - Parameter keepsSent: Whether the write stays recorded as sent; `true` if it may have reached
  ///   the source. Such a write is sent again only after the source was searched for its effect.
  mutating func refuse(
    _ id: TodoID, _ error: TodoError, keepsSent: Bool = false
  ) throws(TodoError) {
    let title = try journal.outgoing(id, in: list)?.content.title ?? ""
    let failure = SyncFailure(error)
    try journal.recordFailure(failure, id, keepsSent: keepsSent, in: list)
    report.failed.append(SyncReport.Failed(id: id, title: title, failure: failure))
    push.dropFirst()
  }
}

extension TodoError {
  /// The extent of a refusal: one todo, or the whole source.
  enum Scope {
    /// Only the todo in the request. The source would accept other todos.
    case todo
    /// The whole source. It refuses all requests, or cannot be reached.
    case source
    /// Either the todo or the whole source.
    case unclear
  }

  var scope: Scope {
    switch kind {
    case .validation, .conflict: .todo
    // Status 410 means that the item was deleted. Status 404 can also mean a lack of permission.
    case .notFound: status == 410 ? .todo : .unclear
    case .forbidden: .unclear
    case .invalidResponse: status.map { (400..<500).contains($0) } ?? false ? .todo : .source
    case .notLoggedIn, .alreadyLoggedIn, .invalidCredentials, .busy, .interrupted, .offline,
      .timeout, .unauthorized, .rateLimited, .issuesDisabled, .server, .registrationFailed,
      .insecureURL, .storage, .nothingToUndo:
      .source
    }
  }

  /// Whether the request has certainly had no effect at the source.
  var hadNoEffect: Bool {
    switch kind {
    case .rateLimited, .unauthorized, .insecureURL, .issuesDisabled: true
    case .notLoggedIn, .alreadyLoggedIn, .invalidCredentials, .validation, .notFound, .conflict,
      .busy, .interrupted, .offline, .timeout, .forbidden, .server, .invalidResponse,
      .registrationFailed, .storage, .nothingToUndo:
      false
    }
  }
}
