/// Everything that can go wrong in the application, as `data.kind` on the wire.
///
/// A kind, once published, keeps its meaning.
package enum ErrorKind: String, Sendable, CaseIterable {
  case notLoggedIn, alreadyLoggedIn, invalidCredentials
  case validation, notFound, conflict, busy, interrupted
  case offline, timeout, unauthorized, forbidden, rateLimited, issuesDisabled
  case server, invalidResponse
  case registrationFailed, insecureURL
  case storage, nothingToUndo
}

/// A failure that a person can act on: a kind for programs, a sentence for people, and what
/// belongs to the kind.
package struct TodoError: Error, Sendable, Equatable {
  package var kind: ErrorKind
  package var message: String
  /// With `validation`: which fields, and what is wrong with each.
  package var fields: [FieldProblem] = []
  /// With `server` and `invalidResponse`, and with `notFound` where it says more: the HTTP status.
  package var status: Int?
  /// With `rateLimited`, and `server` where it says so: when the next request is allowed.
  package var retryAt: Timestamp?
  /// With `conflict`: the three sides.
  package var conflict: TodoConflict? {
    get { if case .sides(let conflict)? = held { conflict } else { nil } }
    set { held = newValue.map { .sides($0) } }
  }
  private var held: Held?
  /// The todo that a change of several failed at.
  package var item: TodoID?

  package init(
    _ kind: ErrorKind, _ message: String, status: Int? = nil, retryAt: Timestamp? = nil
  ) {
    self.kind = kind
    self.message = message
    self.status = status
    self.retryAt = retryAt
  }

  /// The sides are large and rare: held by reference, they do not enlarge every state and request
  /// that may hold an error.
  private indirect enum Held: Sendable, Equatable { case sides(TodoConflict) }

  package static func validation(_ problems: [FieldProblem]) -> TodoError {
    var error = TodoError(.validation, problems.map(\.message).joined(separator: " "))
    error.fields = problems
    return error
  }

  package static func conflict(_ conflict: TodoConflict) -> TodoError {
    var error = TodoError(.conflict, "This todo was changed elsewhere. Your edit was not saved.")
    error.conflict = conflict
    return error
  }

  package static func storage(_ message: String) -> TodoError { TodoError(.storage, message) }

  package static let notLoggedIn = TodoError(.notLoggedIn, "Log in first.")
  package static let todoNotFound = TodoError(.notFound, "There is no such todo.")
  package static let invalidCredentials = TodoError(
    .invalidCredentials, "The name or the password is wrong.")
}

/// What is wrong with one field.
package struct FieldProblem: Sendable, Equatable {
  package var field: String
  package var message: String

  package init(field: String, message: String) {
    self.field = field
    self.message = message
  }
}

/// The three sides of an edit that met another one.
package struct TodoConflict: Sendable, Equatable {
  /// What both started from, where it is still known.
  package var base: TodoContent?
  package var mine: TodoContent
  package var theirs: TodoContent
  /// The version to name in an edit that is to replace `theirs`.
  package var theirVersion: Int64
  /// Whether my side is the removal of the todo: the undo of an addition. Then `mine` is what would
  /// be removed.
  package var isRemovedInMine = false
  /// Whether somebody else has removed the todo. Then `theirs` is what they have removed.
  package var isRemovedInTheirs = false

  package init(
    base: TodoContent?, mine: TodoContent, theirs: TodoContent, theirVersion: Int64,
    isRemovedInMine: Bool = false, isRemovedInTheirs: Bool = false
  ) {
    self.isRemovedInMine = isRemovedInMine
    self.isRemovedInTheirs = isRemovedInTheirs
    self.base = base
    self.mine = mine
    self.theirs = theirs
    self.theirVersion = theirVersion
  }

  /// What cannot be joined.
  package init(_ merge: Merge, theirVersion: Int64) {
    self.init(
      base: merge.base, mine: merge.mine, theirs: merge.theirs, theirVersion: theirVersion)
  }
}
