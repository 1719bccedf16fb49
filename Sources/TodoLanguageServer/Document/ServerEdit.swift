import TodoModel

/// An edit that was offered to the client for one version of the buffer. It was sent to the client,
/// or is available on request. Only a later change of the buffer shows whether the client has
/// applied the edit.
struct ServerEdit: Sendable, Equatable {
  /// The version that the edit is for; `nil` if the edit may be offered again.
  var version: Int64?
  /// The number of the generation (a recorded version of the document) that the resulting text
  /// names in its first line.
  var number: Int64
  var source: BufferText
  var expected: BufferText
  var edits: [TextReplacement]
  /// The change token of the list from which the edit was planned.
  var changeToken: ChangeToken?
}

/// The rule that determines when a client gets edits that its user has not requested.
enum UnrequestedEdits: Sendable {
  /// Whenever the version is known, because the client applies an edit only to the version that the
  /// edit is for.
  case always
  /// Only while the version of the document is greater than 0. The client applies an edit for such
  /// a version only to the same version, but applies an edit for version 0 to any version.
  case afterFirstChange
  /// Never, because the client may apply an edit to a text that the user has changed meanwhile.
  case never

  func isAllowed(forVersion version: Int64?) -> Bool {
    switch self {
    case .always: version != nil
    case .afterFirstChange: version ?? 0 > 0
    case .never: false
    }
  }
}
