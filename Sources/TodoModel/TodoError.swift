/// The kind of an error. The raw value is sent as `data.kind`.
///
/// A published kind never changes its meaning.
package enum ErrorKind: String, Sendable, CaseIterable {
  case notLoggedIn, alreadyLoggedIn, invalidCredentials
  case validation, notFound, conflict, busy, interrupted
  case offline, timeout, unauthorized, forbidden, rateLimited, issuesDisabled
  case server, invalidResponse
  case registrationFailed, insecureURL
  case storage, nothingToUndo
}

/// An error that the user can act on: a kind for programs, a message for the user, and details.
package struct TodoError: Error, Sendable, Equatable {
  package var kind: ErrorKind
  package var message: String
  /// The invalid fields, each with a message; empty unless the kind is `validation`.
  package var fields: [FieldProblem] = []
  /// The HTTP status of the response that caused the error; `nil` without a response, or if the
  /// status is not recorded.
  package var status: Int?
  /// The time at which the next request is allowed; `nil` if it is not known. Only errors of the
  /// kinds `rateLimited` and `server` contain it.
  package var retryAt: Timestamp?
  /// The sides of the conflict, for the kind `conflict`.
  package var conflict: TodoConflict? {
    get { if case .sides(let conflict)? = conflictBox { conflict } else { nil } }
    set { conflictBox = newValue.map { .sides($0) } }
  }
  private var conflictBox: ConflictBox?
  /// The todo that caused the error, if a change of several todos has failed; otherwise `nil`.
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
  /// The error for an open form whose todo was removed.
  package static let todoRemovedElsewhere = TodoError(
    .notFound, "This todo was removed elsewhere. Its text can be saved as a new one.")
  package static let invalidCredentials = TodoError(
    .invalidCredentials, "The name or the password is wrong.")
}

/// An error message for one field.
package struct FieldProblem: Sendable, Equatable {
  package var field: String
  package var message: String

  package init(field: String, message: String) {
    self.field = field
    self.message = message
  }
}

/// The sides of a conflict: the user's edit, the current text, and their common ancestor.
package struct TodoConflict: Sendable, Equatable {
  /// The common ancestor of both sides; `nil` if it is no longer stored.
  package var base: TodoContent?
  package var mine: TodoContent
  package var theirs: TodoContent
  /// The fields that others have changed and changed back since the base (see
  /// `Merge.changedBack`).
  package private(set) var changedBack: ContentFieldSet = []
  /// The version of `theirs`. An edit that replaces `theirs` must name this version.
  package var theirVersion: Int64
  /// Whether the local change is the removal of the todo, such as by undoing its addition. In this
  /// case, `mine` is the content that would be removed.
  package var isRemovedInMine = false
  /// Whether the todo was removed by another user or program. In this case, `theirs` is its last
  /// content.
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

  /// Creates a conflict from a merge that has fields in conflict.
  package init(_ merge: Merge, theirVersion: Int64) {
    self.init(
      base: merge.base, mine: merge.mine, theirs: merge.theirs, theirVersion: theirVersion)
    changedBack = merge.changedBack
  }
}
