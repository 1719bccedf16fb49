/// The kinds of errors, as `data.kind` on the wire.
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

/// An error that the user can act on: a kind for programs, a message for the user, and the details
/// of the kind.
package struct TodoError: Error, Sendable, Equatable {
  package var kind: ErrorKind
  package var message: String
  /// The invalid fields with a message for each, of an error `validation`.
  package var fields: [FieldProblem] = []
  /// The HTTP status, of an error `server` or `invalidResponse`, and sometimes of `notFound`.
  package var status: Int?
  /// The time at which the next request is allowed, of an error `rateLimited`, and sometimes of
  /// `server`.
  package var retryAt: Timestamp?
  /// The three sides of the merge, of an error `conflict`.
  package var conflict: TodoConflict? {
    get { if case .sides(let conflict)? = conflictBox { conflict } else { nil } }
    set { conflictBox = newValue.map { .sides($0) } }
  }
  private var conflictBox: ConflictBox?
  /// With a change of several todos: the todo that caused the error.
  package var item: TodoID?

  package init(
    _ kind: ErrorKind, _ message: String, status: Int? = nil, retryAt: Timestamp? = nil
  ) {
    self.kind = kind
    self.message = message
    self.status = status
    self.retryAt = retryAt
  }

  /// A box for the sides of a conflict. They are large and rare; without the box, they would
  /// enlarge every state and request that may contain an error.
  private indirect enum ConflictBox: Sendable, Equatable { case sides(TodoConflict) }

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

/// The error message of one field.
package struct FieldProblem: Sendable, Equatable {
  package var field: String
  package var message: String

  package init(field: String, message: String) {
    self.field = field
    self.message = message
  }
}

/// The sides of an edit that conflicts with another one.
package struct TodoConflict: Sendable, Equatable {
  /// The common ancestor; `nil` if it is no longer stored.
  package var base: TodoContent?
  package var mine: TodoContent
  package var theirs: TodoContent
  /// The version of `theirs`, which an edit must name to replace it.
  package var theirVersion: Int64
  /// Whether the local side is the removal of the todo, such as by undoing its addition. `mine` is
  /// then the content that would be removed.
  package var isRemovedInMine = false
  /// Whether the todo was removed elsewhere. `theirs` is then its last content.
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

  /// Creates a conflict from a merge with fields in conflict.
  package init(_ merge: Merge, theirVersion: Int64) {
    self.init(
      base: merge.base, mine: merge.mine, theirs: merge.theirs, theirVersion: theirVersion)
  }
}
