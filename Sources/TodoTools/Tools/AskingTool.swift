import JSONRPC
import TodoModel
import TodoWire
import TodoWorkflows

/// A tool that first asks the user for consent, by an elicitation request.
protocol AskingTool: Tool {
  /// Whether the tool must not be used if the client cannot ask the user.
  static var requiresUser: Bool { get }
  var id: TodoID { get }
  var version: Int64 { get }
  /// The query for the todo or the conflict about which the user is asked.
  var subject: ListQuestion { get }

  /// Returns the question to the user, given the answer to `subject`; `nil` if no question is
  /// needed, because the operation will report an error.
  ///
  /// - Throws: `TodoError` if the user cannot be asked.
  func question(about answer: ListAnswer) throws(TodoError) -> UserQuestion?

  /// Returns the operation that the user has consented to; `nil` if the question has choices, and
  /// `choice` is none of them.
  func operation(after choice: String?) -> TodoOperation?

  /// The result if the user does not consent.
  var declined: Result { get }
}

/// A question to the user. The user selects one of the choices. If there are no choices, the user
/// accepts or declines.
struct UserQuestion: Equatable {
  var message: String
  var choices: [String] = []

  static let choiceName = "keep"

  /// The params of `elicitation/create`.
  var params: JSON {
    var schema: JSONObject = ["type": "object", "properties": [:]]
    if !choices.isEmpty {
      schema["properties"] = [
        Self.choiceName: ["type": "string", "enum": .array(choices.map { .string($0) })]
      ]
      schema["required"] = [.string(Self.choiceName)]
    }
    return ["message": .string(message), "requestedSchema": .object(schema)]
  }
}

/// The user's answer to a question.
struct UserAnswer: Equatable {
  var isAccepted: Bool
  var choice: String?

  init(action: String?, choice: String?) {
    isAccepted = action == "accept"
    self.choice = choice
  }
}

/// `remove_todo`: removes a todo. `restore_todo` and `undo` restore it.
struct RemoveTodo: AskingTool {
  static let name = "remove_todo"
  static let title = "Remove a todo"
  static let effect = ToolEffect.changes(isFinal: true)
  static let requiresUser = false
  static let summary = """
    Removes one todo, after asking the user if the client can. restore_todo restores it.
    """

  var id = TodoID("")
  var version: Int64 = 0

  static let members: [Member<RemoveTodo>] = [
    .todoID { $0.id = $1 },
    .required("version") { $0.version = Int64($1 as Int) }
      .described("The version you read"),
  ]

  func operation() -> TodoOperation { .list(.remove(id, expectedVersion: version)) }

  func result(of outcome: TodoOutcome) -> RemovalResult? {
    guard case .removed(let id) = outcome else { return nil }
    return RemovalResult(id: id, version: version, isRemoved: true)
  }

  var subject: ListQuestion { .todo(id) }

  func question(about answer: ListAnswer) -> UserQuestion? {
    guard case .todo(let todo) = answer, todo.version == version else { return nil }
    return UserQuestion(message: "Remove the todo \(quoted(todo.content.title))?")
  }

  func operation(after choice: String?) -> TodoOperation? { operation() }

  var declined: RemovalResult { RemovalResult(id: id, version: version, isRemoved: false) }
}

/// `settle_conflict`: lets the user choose a side of a conflict with the source.
struct SettleConflict: AskingTool {
  static let name = "settle_conflict"
  static let title = "Settle a conflict"
  static let effect = ToolEffect.changes(isFinal: true)
  static let needsSource = true
  static let requiresUser = true
  static let summary = """
    Lets the user choose a side of a conflict with the source. Only where the client can ask.
    """

  /// The maximum size of a question, in bytes. A larger question is refused, because the user must
  /// see each text as a whole to choose.
  static let questionBytesMax = 16 << 10

  var id = TodoID("")
  var version: Int64 = 0

  static let members: [Member<SettleConflict>] = [
    .todoID { $0.id = $1 },
    .required("version") { $0.version = Int64($1 as Int) }
      .described("From list_conflicts"),
  ]

  /// Returns an operation that fails, because settling a conflict needs the user's choice.
  func operation() -> TodoOperation {
    .invalid(TodoError(.validation, "The user was not asked, so nothing was settled."))
  }

  func result(of outcome: TodoOutcome) -> SettledConflict? {
    guard case .changed(let todo) = outcome else { return nil }
    return SettledConflict(todo: BriefTodo(todo: todo))
  }

  var subject: ListQuestion { .conflict(id) }

  func question(about answer: ListAnswer) throws(TodoError) -> UserQuestion? {
    guard case .conflict(let found) = answer else { return nil }
    guard let found else {
      throw TodoError(.validation, "This todo has no conflict with its source.")
    }
    guard found.version == version else {
      throw TodoError(
        .validation,
        "The conflict has changed: it is at version \(found.version). list_conflicts shows it.")
    }
    let merge = found.merge
    var (choices, sides) = (["mine", "theirs"], [merge.mine, merge.theirs])
    if !merge.proposal.hasMarkers {
      choices.append("merged")
      sides.append(merge.proposal)
    }
    let lines = zip(choices, sides).map { "\($0): \($1.text)" }
    let message = (["This todo was changed here and at its source. Keep which?"] + lines)
      .joined(separator: "\n")
    guard message.utf8.count <= Self.questionBytesMax else {
      throw TodoError(
        .validation,
        "Both sides are too long for a question. The user settles this conflict in an editor.")
    }
    return UserQuestion(message: message, choices: choices)
  }

  func operation(after choice: String?) -> TodoOperation? {
    switch choice {
    case "mine": .list(.resolve(id, version: version, .keep(.mine)))
    case "theirs": .list(.resolve(id, version: version, .keep(.theirs)))
    case "merged":
      .list(.resolve(id, version: version, .merged(TodoEdit(unchecked: FieldChanges()))))
    case _: nil
    }
  }

  var declined: SettledConflict { SettledConflict(todo: nil) }
}

extension TodoContent {
  /// Whether a merge has left conflict markers in the title or the note, which the user must
  /// remove.
  fileprivate var hasMarkers: Bool {
    TextMerge.hasMarkerPair(title) || TextMerge.hasMarkerPair(note)
  }
}
