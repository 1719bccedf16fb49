/// Handles requests that the source refuses.
extension SyncEngine {
  /// The number of denied changes after which no further changes are sent, unless one was accepted.
  private static let deniedMax = 3

  /// Records a denial, after it is certain that the list itself can be read with the same token.
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

  /// Decides the outcome of the denied changes at the end of a run. If the source has accepted
  /// other changes, a denied change of an item is refused, and its todo becomes `failed`. All other
  /// denied changes stay queued until the user gets permission.
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

  /// Handles an item that is missing or cannot be read. A todo with unsent edits is then `failed`.
  mutating func giveUp(_ id: TodoID, _ error: TodoError) throws(TodoError) {
    if error.kind == .notFound, try journal.confirmDeletion(id, in: list) {
      return push.dropFirst()
    }
    try refuse(id, error)
  }

  /// Marks a todo as `failed`, because the source has refused it, and continues with the next one.
  ///
  /// - Parameter keepsSent: Whether the write stays recorded as unconfirmed, so that it is not sent
  ///   again.
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
  /// The extent of a refusal.
  enum Scope {
    /// This todo only: the source would accept others.
    case todo
    /// The whole source: it refuses everything, or cannot be reached.
    case source
    /// Either of them.
    case unclear
  }

  var scope: Scope {
    switch kind {
    case .validation, .conflict: .todo
    // With 410 the source says that the item is gone; 404 may also mean a lack of permission.
    case .notFound: status == 410 ? .todo : .unclear
    case .forbidden: .unclear
    case .invalidResponse: status.map { (400..<500).contains($0) } ?? false ? .todo : .source
    case .notLoggedIn, .alreadyLoggedIn, .invalidCredentials, .busy, .interrupted, .offline,
      .timeout, .unauthorized, .rateLimited, .issuesDisabled, .server, .registrationFailed,
      .insecureURL, .storage, .nothingToUndo:
      .source
    }
  }

  /// Whether the request has certainly had no effect.
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
