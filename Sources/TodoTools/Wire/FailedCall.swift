import JSONRPC
import TodoModel
import TodoWire

/// The error of a tool call, with advice on how to continue.
struct FailedCall: ToolResult {
  private let error: TodoError
  private let sides: ShownSides?
  private let tool: String
  private let id: TodoID?

  static let sample = FailedCall(TodoError(.storage, ""), of: "")

  /// Creates the error of a tool call.
  ///
  /// - Parameter id: The ID of the todo in the arguments of the call.
  init(_ error: TodoError, of tool: String, id: TodoID? = nil) {
    (self.tool, self.id) = (tool, id)
    sides = error.conflict.map {
      ShownSides(base: $0.base, mine: $0.mine, theirs: $0.theirs)
    }
    var error = error
    if tool == UndoChange.name, error.kind == .conflict { error.message = Self.notUndone }
    if let sides {
      error.conflict?.base = sides.base
      error.conflict?.mine = sides.mine
      error.conflict?.theirs = sides.theirs
    }
    self.error = error
  }

  /// Whether only the beginnings of some notes are shown.
  var isTruncated: Bool { sides?.isTruncated ?? false }

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("error", value)
  }

  /// The error as a member of a result.
  var value: Value { Value(error: error, isTruncated: isTruncated, advice: advice) }

  struct Value: WrittenObject {
    fileprivate var error: TodoError
    fileprivate var isTruncated: Bool
    fileprivate var advice: [String]

    static let sample = Value(error: .sample, isTruncated: false, advice: [])

    func writeMembers(to members: inout some MemberOutput & ~Copyable) {
      error.writeMembers(to: &members)
      members.required("message", error.message)
      members.flag("notesCut", isTruncated)
      members.optional("advice", advice.isEmpty ? nil : advice.joined(separator: " "))
    }
  }

  var text: String {
    guard let conflict = error.conflict, let sides else {
      // An error with an HTTP status contains text of a service.
      let message = error.status == nil ? error.message : quoted(error.message)
      return ([message] + advice).joined(separator: " ")
    }
    var lines = [error.message, sides.text(indent: "")]
    if conflict.isRemovedInMine { lines.append("mine was removed.") }
    if conflict.isRemovedInTheirs { lines.append("theirs was removed.") }
    return (lines + advice).joined(separator: "\n")
  }

  /// The current note of the todo in conflict, if the error contains the whole note; otherwise an
  /// empty array.
  var shownNotes: [ShownNote] {
    guard let id, let conflict = error.conflict, !conflict.isRemovedInTheirs,
      sides?.isTheirsTruncated == false
    else { return [] }
    return [ShownNote(id: id, version: conflict.theirVersion, note: conflict.theirs.note)]
  }

  private static let notUndone =
    "Not undone: the todo has been changed since that version, here or by another client."

  private func advice(about conflict: TodoConflict) -> String {
    if tool == UndoChange.name {
      return "It is unchanged. Your own later change has a version of its own, which undo "
        + "takes; changes by other clients cannot be undone here. Tell the user."
    }
    return "Nothing was changed. theirs is the change of another client meanwhile. If your change "
      + "is still wanted beside it, call \(tool) again with version \(conflict.theirVersion); "
      + "where both change the same, ask the user."
  }

  private var advice: [String] {
    if let conflict = error.conflict {
      let cut =
        "Notes were truncated; get_todo with wholeNote has all of one, which you have to read "
      return (isTruncated ? [cut + "before you replace it."] : []) + [advice(about: conflict)]
    }
    switch error.kind {
    case .notFound: return ["list_todos lists the todos that exist."]
    case .invalidCredentials:
      return ["The user can start the server with --password-command, or with another --name."]
    case .rateLimited: return error.retryAt.map { ["Not before \($0)."] } ?? []
    case .notLoggedIn, .alreadyLoggedIn, .validation, .conflict, .busy, .interrupted, .offline,
      .timeout, .unauthorized, .forbidden, .issuesDisabled, .server, .invalidResponse,
      .registrationFailed, .insecureURL, .storage, .nothingToUndo:
      return []
    }
  }
}
