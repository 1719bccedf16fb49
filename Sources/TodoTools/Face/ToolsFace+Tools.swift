import JSONRPC
import ScreenModel
import TodoModel
import TodoWorkflows

/// Calls of tools, and what is asked of the user before a removal.
extension ToolsFace {
  mutating func callTool(
    _ params: Params, _ address: ReplyAddress, _ context: RequestContext
  ) throws(RPCError) -> FaceRequest? {
    let kind = try Toolbox.kind(named: try params.string("name"), options)
    let tool: any Tool
    do throws(RPCError) {
      tool = try Toolbox.read(kind, try params.optionalObject("arguments"))
    } catch  where context.revision.tellsModelOfArguments {
      fail(address, TodoError(.validation, error.message), kind.name, context)
      return nil
    }
    if let refusal = refusal ?? refusal(of: tool) {
      fail(address, refusal, kind.name, context)
      return nil
    }
    guard let removal = tool as? RemoveTodo, context.asksUser else {
      return begin(tool, address, context)
    }
    switch try answerGiven(params, for: removal) {
    case .yes: return begin(removal, address, context)
    case .no:
      replyDeclined(address, removal, context)
      return nil
    case nil:
      // Read first, so that the question has a title.
      return begin(.list(.ask(.todo(removal.id))), address, context, .confirming(removal))
    }
  }

  private mutating func begin(
    _ tool: any Tool, _ address: ReplyAddress, _ context: RequestContext
  ) -> FaceRequest {
    let request = begin(tool.operation(), address, context, .tool(tool))
    if tool is SyncList, context.progressToken != nil {
      let token = OperationToken(number: address.number)
      calls[token]?.progress.note(LoadProgress(pagesDone: 0))
      notifyProgress(token)
    }
    return request
  }

  /// Who has read the beginning of a note only must not replace all of it.
  private func refusal(of tool: any Tool) -> TodoError? {
    guard let edit = tool as? EditTodo, edit.changes.fields.contains(.note),
      cutNotes.contains(edit.id)
    else {
      return nil
    }
    return .validation([
      FieldProblem(
        field: "note",
        message: "Only the beginning of this note was read, and the rest would be lost. "
          + "Call get_todo with wholeNote first.")
    ])
  }

  // MARK: Asking the user

  private enum UserAnswer {
    case yes, no

    init(action: String?) { self = action == "accept" ? .yes : .no }
  }

  private static let questionName = "confirm"

  /// What the client brings back with the answer, so that it is the answer to this question.
  private static func state(_ removal: RemoveTodo) -> String {
    "\(RemoveTodo.name)/\(removal.version)/\(removal.id)"
  }

  /// What the user has said to an earlier question; nil where nobody was asked yet.
  private func answerGiven(
    _ params: Params, for removal: RemoveTodo
  ) throws(RPCError) -> UserAnswer? {
    guard let responses = try params.optionalObject("inputResponses"),
      try params.optionalString("requestState") == Self.state(removal),
      let response = try responses.optionalObject(Self.questionName)
    else { return nil }
    return UserAnswer(action: try response.optionalString("action"))
  }

  /// The todo was read that is to be removed.
  mutating func ask(
    _ call: BegunCall, _ token: OperationToken, _ removal: RemoveTodo, _ outcome: TodoOutcome
  ) {
    guard case .answered(.todo(let todo)) = outcome, todo.version == removal.version else {
      // The removal itself says what is wrong with it.
      nextRequests.append(
        begin(removal.operation(), call.address, call.context, .tool(removal)))
      return
    }
    let question = ToolsNotification.question(todo)
    if call.context.revision.isStateless {
      let request: JSON = ["method": .string(ToolsNotification.question), "params": question]
      let members: JSONObject = [
        "inputRequests": [Self.questionName: request],
        "requestState": .string(Self.state(removal)),
      ]
      reply(call.address, members, call.context.revision)
    } else {
      var call = call
      call.purpose = .asking(removal)
      calls[token] = call
      questions[conversation.request(ToolsNotification.question, question)] = token
    }
  }

  /// The user has said something, or the client could not ask.
  mutating func take(_ response: Response) -> FaceRequest? {
    guard let id = response.id, let token = questions.removeValue(forKey: id),
      let call = calls[token], case .asking(let removal) = call.purpose
    else { return nil }
    calls[token] = nil
    let action =
      switch response.outcome {
      case .success(let result): result["action"]?.stringValue
      case .failure: String?.none
      }
    switch UserAnswer(action: action) {
    case .yes: return begin(removal, call.address, call.context)
    case .no:
      replyDeclined(call.address, removal, call.context)
      return nil
    }
  }

  /// Nobody can answer a question any more.
  mutating func decline(_ id: RequestID) {
    guard let token = questions.removeValue(forKey: id),
      let call = calls.removeValue(forKey: token), case .asking(let removal) = call.purpose
    else { return }
    replyDeclined(call.address, removal, call.context)
  }

  private mutating func replyDeclined(
    _ address: ReplyAddress, _ removal: RemoveTodo, _ context: RequestContext
  ) {
    let result = RemovalResult(id: removal.id, version: removal.version, isRemoved: false)
    reply(address, .call(result, isError: false, notices: takeNotices()), context.revision)
  }

  // MARK: Answers

  mutating func replyTool(_ call: BegunCall, _ tool: any Tool, _ outcome: TodoOutcome) {
    if case .failed(let error) = outcome {
      return fail(call.address, error, type(of: tool).name, call.context)
    }
    guard let result = Self.result(of: tool, outcome) else {
      return conversation.refuse(call.address, .internalError())
    }
    note(result.readings)
    reply(
      call.address, .call(result, isError: false, notices: takeNotices()), call.context.revision)
  }

  private static func result(of tool: some Tool, _ outcome: TodoOutcome) -> (any ToolResult)? {
    tool.result(of: outcome)
  }

  private mutating func fail(
    _ address: ReplyAddress, _ error: TodoError, _ tool: String, _ context: RequestContext
  ) {
    let failure = FailedCall(error, of: tool)
    reply(address, .call(failure, isError: true, notices: takeNotices()), context.revision)
  }

  /// Remembers which notes were seen in full, and which were cut.
  mutating func note(_ readings: [NoteReading]) {
    for reading in readings {
      if reading.isWhole {
        cutNotes.remove(reading.id)
      } else if cutNotes.count < Self.cutNotesMax {
        cutNotes.insert(reading.id)
      }
    }
  }

  /// More are not remembered; nobody reads so many.
  private static let cutNotesMax = 100_000
}
