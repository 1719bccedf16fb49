import JSONRPC
import ScreenModel
import TodoModel
import TodoWorkflows

/// Questions to the user.
///
/// In a session, the server sends the question as a request to the client. In the MCP revision
/// without sessions (`Revision.isStateless`), the question is the response to the call, and the
/// client then sends the call again, with the answer.
extension MCPAdapter {
  private static let questionName = "confirm"

  /// Begins a tool that asks for the user's consent:
  ///
  /// - If the call already contains the user's answer, handles the answer.
  /// - If the call contains no answer, reads the todo or conflict that the question shows.
  /// - If the client cannot ask the user, begins the tool without consent. A tool that must not be
  ///   used without the user's answer (`requiresUser`) fails instead.
  mutating func consent(
    to tool: any AskingTool, _ params: Params, _ address: ReplyAddress, _ context: RequestContext
  ) throws(RPCError) -> AdapterRequest? {
    let kind = type(of: tool)
    guard context.asksUser else {
      guard kind.requiresUser else { return begin(tool, address, context) }
      fail(address, FailedCall(.cannotAsk, of: kind.name), context)
      return nil
    }
    if let answer = try answerGiven(params, for: tool) {
      return proceed(with: tool, answer, address, context)
    }
    return begin(.list(.ask(tool.subject)), address, context, .confirming(tool))
  }

  private mutating func proceed(
    with tool: any AskingTool, _ answer: UserAnswer, _ address: ReplyAddress,
    _ context: RequestContext
  ) -> AdapterRequest? {
    if answer.isAccepted, let operation = tool.operation(after: answer.choice) {
      return begin(operation, address, context, .tool(tool))
    }
    replyDeclined(address, tool, context)
    return nil
  }

  /// Returns the identifier of a tool's question. A client without a session sends the identifier
  /// back with the user's answer, so that the answer cannot be used for another question.
  private static func state(_ tool: any AskingTool) -> String {
    "\(type(of: tool).name)/\(tool.version)/\(tool.id)"
  }

  /// Returns the user's answer that a repeated call contains; `nil` if the user was not asked yet.
  private func answerGiven(
    _ params: Params, for tool: any AskingTool
  ) throws(RPCError) -> UserAnswer? {
    guard let responses = try params.optionalObject("inputResponses"),
      try params.optionalString("requestState") == Self.state(tool),
      let response = try responses.optionalObject(Self.questionName)
    else { return nil }
    let choice = try response.optionalObject("content")?.optionalString(UserQuestion.choiceName)
    return UserAnswer(action: try response.optionalString("action"), choice: choice)
  }

  /// Asks the user, after the subject of the question was read.
  mutating func ask(
    _ call: InFlightCall, _ token: OperationToken, _ tool: any AskingTool, _ outcome: TodoOutcome
  ) {
    let question: UserQuestion?
    do throws(TodoError) {
      guard case .answered(let answer) = outcome else { throw outcome.error }
      question = try tool.question(about: answer)
    } catch {
      let failure = FailedCall(error, of: type(of: tool).name, id: tool.id)
      return fail(call.address, failure, call.context)
    }
    guard let question else {
      nextRequests.append(begin(tool, call.address, call.context))
      return
    }
    if call.context.revision.isStateless {
      let request: JSON = [
        "method": .string(ToolsNotification.question), "params": question.params,
      ]
      let members: JSONObject = [
        "inputRequests": [Self.questionName: request],
        "requestState": .string(Self.state(tool)),
      ]
      reply(call.address, members, call.context.revision)
    } else {
      var call = call
      call.purpose = .asking(tool)
      calls[token] = call
      questions[connection.request(ToolsNotification.question, question.params)] = token
    }
  }

  /// Handles the user's answer. An error response means that the client could not ask the user. It
  /// has the same effect as a refusal by the user.
  mutating func handle(_ response: Response) -> AdapterRequest? {
    guard let id = response.id, let token = questions.removeValue(forKey: id),
      let call = calls[token], case .asking(let tool) = call.purpose
    else { return nil }
    calls[token] = nil
    let answer =
      switch response.outcome {
      case .success(let result):
        UserAnswer(
          action: result["action"]?.stringValue,
          choice: result["content"]?[UserQuestion.choiceName]?.stringValue)
      case .failure: UserAnswer(action: nil, choice: nil)
      }
    return proceed(with: tool, answer, call.address, call.context)
  }

  /// Ends a call whose question can no longer be answered.
  mutating func decline(_ id: RequestID) {
    guard let token = questions.removeValue(forKey: id),
      let call = calls.removeValue(forKey: token), case .asking(let tool) = call.purpose
    else { return }
    replyDeclined(call.address, tool, call.context)
  }

  private mutating func replyDeclined(
    _ address: ReplyAddress, _ tool: any AskingTool, _ context: RequestContext
  ) {
    let result: any ToolResult = tool.declined
    reply(address, .call(result, isError: false, notices: drainNotices()), context.revision)
  }
}

extension TodoError {
  fileprivate static let cannotAsk = TodoError(
    .validation,
    "This client cannot ask the user, so nothing was settled. The user settles it in an editor.")
}

extension TodoOutcome {
  fileprivate var error: TodoError {
    if case .failed(let error) = self { error } else { .storage("The list does not answer.") }
  }
}
