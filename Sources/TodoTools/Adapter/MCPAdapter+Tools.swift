import JSONRPC
import ScreenModel
import TodoModel
import TodoWorkflows

/// Calls to tools.
extension MCPAdapter {
  mutating func callTool(
    _ params: Params, _ address: ReplyAddress, _ context: RequestContext
  ) throws(RPCError) -> AdapterRequest? {
    let kind = try ToolRegistry.kind(named: try params.string("name"), options)
    let tool: any Tool
    do throws(RPCError) {
      tool = try ToolRegistry.read(kind, try params.optionalObject("arguments"))
    } catch  where context.revision.reportsInvalidArgumentsAsResult {
      fail(address, FailedCall(TodoError(.validation, error.message), of: kind.name), context)
      return nil
    }
    if let refusal {
      fail(address, FailedCall(refusal, of: kind.name), context)
      return nil
    }
    switch tool {
    case let tool as any AskingTool: return try consent(to: tool, params, address, context)
    case let edit as EditTodo where edit.replacesNote && !notes.contains(edit.id, at: edit.version):
      return begin(.list(.ask(.todo(edit.id))), address, context, .checkingNote(edit))
    case let add as AddTodo: return begin(add, address, context)
    case _: return begin(tool, address, context)
    }
  }

  mutating func begin(
    _ tool: any Tool, _ address: ReplyAddress, _ context: RequestContext
  ) -> AdapterRequest {
    let request = begin(tool.operation(), address, context, .tool(tool))
    if tool is SyncList, context.progressToken != nil {
      let token = OperationToken(number: address.number)
      calls[token]?.progress.record(LoadProgress(pagesDone: 0))
      notifyProgress(token)
    }
    return request
  }

  // MARK: Adding several

  private mutating func begin(
    _ add: AddTodo, _ address: ReplyAddress, _ context: RequestContext
  ) -> AdapterRequest {
    guard let operations = add.operations else {
      return begin(add as any Tool, address, context)
    }
    var batch = AddBatch(operations)
    let first = batch.next() ?? add.operation()
    return begin(first, address, context, .adding(batch))
  }

  /// Records the outcome of one addition, and begins the next addition of the batch. After the last
  /// addition, responds to the call.
  mutating func resume(
    with batch: AddBatch, _ call: InFlightCall, _ outcome: TodoOutcome
  ) {
    var batch = batch
    batch.record(outcome)
    if case .changed(let todo) = outcome { notes.didChange(todo, written: todo.content.note) }
    if !call.isCancelledByClient, let next = batch.next() {
      nextRequests.append(begin(next, call.address, call.context, .adding(batch)))
    } else {
      let result = batch.result
      reply(
        call.address, .call(result, isError: result.hasFailed, notices: drainNotices()),
        call.context.revision)
    }
  }

  // MARK: Replacing a note

  /// Decides whether to begin an edit that replaces a note which the client has not received. The
  /// edit begins if the note is empty and the edit is based on the current version. Otherwise the
  /// call fails, because the edit could lose text.
  ///
  /// - Parameter outcome: The result of a read of the todo.
  mutating func replaceNote(_ call: InFlightCall, _ edit: EditTodo, _ outcome: TodoOutcome) {
    switch outcome {
    case .answered(.todo(let todo)) where todo.version == edit.version && todo.content.note.isEmpty:
      nextRequests.append(begin(edit, call.address, call.context))
    case .failed(let error):
      fail(call.address, FailedCall(error, of: EditTodo.name, id: edit.id), call.context)
    case _:
      fail(call.address, FailedCall(.unreadNote(at: edit.version), of: EditTodo.name), call.context)
    }
  }

  // MARK: Responses

  mutating func replyTool(_ call: InFlightCall, _ tool: any Tool, _ outcome: TodoOutcome) {
    if case .failed(let error) = outcome {
      let id = (tool as? any AskingTool)?.id ?? (tool as? EditTodo)?.id ?? (tool as? UndoChange)?.id
      return fail(call.address, FailedCall(error, of: type(of: tool).name, id: id), call.context)
    }
    guard let result = Self.result(of: tool, outcome) else {
      return connection.refuse(call.address, .internalError())
    }
    recordNotes(of: tool, result, outcome)
    reply(
      call.address, .call(result, isError: false, notices: drainNotices()), call.context.revision)
  }

  private static func result(of tool: some Tool, _ outcome: TodoOutcome) -> (any ToolResult)? {
    tool.result(of: outcome)
  }

  /// Records which notes the client knows: the complete notes in a response, and the note that the
  /// client itself has written.
  private mutating func recordNotes(
    of tool: any Tool, _ result: any ToolResult, _ outcome: TodoOutcome
  ) {
    for shown in result.shownNotes { notes.record(shown) }
    switch outcome {
    case .changed(let todo):
      let written =
        switch tool {
        case let edit as EditTodo: edit.changes[NoteField.self]
        case let add as AddTodo: add.changes[NoteField.self] ?? ""
        case _: String?.none
        }
      notes.didChange(todo, written: written)
    case .restored(let restored):
      if let todo = restored.todo { notes.didChange(todo, written: nil) }
    case _: break
    }
  }

  mutating func fail(_ address: ReplyAddress, _ failure: FailedCall, _ context: RequestContext) {
    for shown in failure.shownNotes { notes.record(shown) }
    reply(address, .call(failure, isError: true, notices: drainNotices()), context.revision)
  }
}

extension EditTodo {
  fileprivate var replacesNote: Bool { changes.fields.contains(.note) }
}

extension TodoError {
  /// The error for an edit that would lose the unread part of a note.
  fileprivate static func unreadNote(at version: Int64) -> TodoError {
    .validation([
      FieldProblem(
        field: ContentField.note.rawValue,
        message: "The note was not replaced: you have not read all of it at version \(version). "
          + "Call get_todo with wholeNote first and use its version, or add text with appendNote.")
    ])
  }
}
