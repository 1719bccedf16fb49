import JSONRPC
import TodoModel
import TodoWire

/// Why a tool did not do what it was asked for, and how to go on.
struct FailedCall: ToolResult {
  private let error: TodoError
  private let sides: ShownSides?
  private let tool: String

  static let sample = FailedCall(TodoError(.storage, ""), of: "")

  init(_ error: TodoError, of tool: String) {
    self.tool = tool
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

  /// Whether only the beginnings of notes are shown.
  var isCut: Bool { sides?.isCut ?? false }

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    error.writeMembers(to: &members)
    members.required("message", error.message)
    members.flag("notesCut", isCut)
  }

  var text: String {
    guard let conflict = error.conflict, let sides else {
      // What has an HTTP status has words of a service in it.
      let message = error.status == nil ? error.message : quoted(error.message)
      return ([message] + advice).joined(separator: " ")
    }
    var lines = [error.message, sides.text(indent: "")]
    if conflict.isRemovedInMine { lines.append("mine was removed.") }
    if conflict.isRemovedInTheirs { lines.append("theirs was removed.") }
    if isCut { lines.append("Notes were cut; get_todo with wholeNote has all of one.") }
    lines.append(wayOn(conflict))
    return lines.joined(separator: "\n")
  }

  private static let notUndone =
    "Not undone: the todo has been changed since that version, here or by somebody else."

  private func wayOn(_ conflict: TodoConflict) -> String {
    if tool == UndoChange.name {
      return "It was left as it is. Your own later change has a version of its own, which undo "
        + "takes; what somebody else did is not taken back. Tell the user."
    }
    return "Nothing was changed. theirs is what somebody else made of it meanwhile. If your change "
      + "is still wanted beside it, call \(tool) again with version \(conflict.theirVersion); "
      + "where both change the same, ask the user."
  }

  private var advice: [String] {
    switch error.kind {
    case .notFound: ["list_todos says which todos there are."]
    case .invalidCredentials:
      ["The user can start the server with --password-command, or with another --name."]
    case .rateLimited: error.retryAt.map { ["Not before \($0)."] } ?? []
    case .notLoggedIn, .alreadyLoggedIn, .validation, .conflict, .busy, .interrupted, .offline,
      .timeout, .unauthorized, .forbidden, .issuesDisabled, .server, .invalidResponse,
      .registrationFailed, .insecureURL, .storage, .nothingToUndo:
      []
    }
  }
}
